// Random secrets in random values: what is printed as JSON keeps its shape.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { jsonReply } from '../raw-server.ts';
import { ask, taskId } from './service.ts';

export function testAnySecret(numRuns: number): void {
  test('whatever a secret and a value hold, JSON keeps its shape', async () => {
    const piece = fc.constantFrom(
      'a',
      'n',
      't',
      '\\',
      '"',
      '/',
      ',',
      ':',
      '\n',
      '\t',
      '1',
      'é',
      '<',
      '%',
      'secret',
    );
    const text = fc.array(piece, { minLength: 8, maxLength: 20 }).map((pieces) => pieces.join(''));
    const property = fc.asyncProperty(text, text, fc.nat(20), async (secret, other, length) => {
      fc.pre(secret.trim() === secret);
      const title = secret.slice(0, length) + other;
      const reply = [jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title, size: 1 }] })];
      const { output } = await ask(['task', 'get', taskId, '--json'], reply, {
        environment: { WM_WEBHOOK_SECRET: secret },
      });
      const parsed = JSON.parse(output);
      assert.deepEqual(Object.keys(parsed), ['id', 'title', 'size']);
      assert.ok(!parsed.title.includes(secret));
    });
    await fc.assert(property, { numRuns });
  });
}
