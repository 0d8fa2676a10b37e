// Random secrets and random records: what is printed as data is what the service sent, and what was exported has not changed.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hooks, taskId } from '#test/support/service/scripted-service.ts';
import { readCell } from '../terminal/read-cell.ts';

const pieces = ['a', 'n', 't', '\\', '"', '/', ',', ':', '\n', '\t', '1', 'é', '<', '%', 'secret'];
const text = fc
  .array(fc.constantFrom(...pieces), { minLength: 8, maxLength: 20 })
  .map((some) => some.join(''))
  .filter((text) => text.trim() === text);

export function testAnySecret(numRuns: number): void {
  test('prints a record as the service sent it, whatever the secrets', async () => {
    const property = fc.asyncProperty(text, text, fc.nat(20), async (secret, other, length) => {
      const environment = { WM_WEBHOOK_SECRET: secret, WM_SINK_PASSWORD: other };
      const title = [secret + other, secret.slice(0, length) + other, encodeURIComponent(secret)][length % 3];
      const sent = { id: taskId, title, size: 1 };
      const replies = [jsonReply(200, { kind: 'tasks', data: [sent] })];
      const json = await ask(['task', 'get', taskId, '--json'], replies, { environment });
      assert.deepEqual([JSON.parse(json.output), json.errors], [sent, '']);
      const lines = await ask(['task', 'get', taskId], replies, { environment });
      assert.ok(
        lines.output
          .trimEnd()
          .split('\t')
          .map(readCell)
          .includes(title ?? ''),
        lines.output,
      );
    });
    await fc.assert(property, { numRuns });
  });

  test('an export has no differences, whatever the secrets', async (context) => {
    const folder = await ownFolder(context);
    const file = join(folder, 'hooks.yaml');
    const property = fc.asyncProperty(text, fc.nat(20), async (secret, length) => {
      const environment = { WM_WEBHOOK_SECRET: secret, WM_CONFIG_DIR: folder };
      const hookUrl = `https://example.com/${encodeURIComponent(secret.slice(0, length))}/x${encodeURI(secret)}`;
      const replies = [jsonReply(200, hooks({ ...hook, hookUrl: new URL(hookUrl).href }))];
      const exported = await ask(['webhook', 'export'], replies, { environment });
      await writeFile(file, exported.output);
      const { status, output, errors } = await ask(['webhook', 'diff', file], replies, { environment });
      assert.equal(status, 0, errors);
      assert.match(output, /^same\t[^\n]*\n$/);
    });
    await fc.assert(property, { numRuns });
  });
}
