// Very deeply nested JSON is the client's error, in every request that can contain it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { send } from '#test/support/service/send.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

const levels = 100_000;
const list = '['.repeat(levels) + ']'.repeat(levels);
const object = nested(levels);
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const task = '/api/v4/tasks/IEAAAAAQKQAB5BNG';

test('JSON nested 100,000 levels deep gets a 400 in every kind of request', async (t) => {
  const emulator = await started(t);
  for (const deep of [list, object]) {
    for (const [method, path, type, body] of [
      ['PUT', task, json, deep],
      ['PUT', task, json, `{"metadata":${deep}}`],
      ['PUT', task, json, `{"title":${deep}}`],
      ['PUT', task, json, `{"dates":${deep}}`],
      ['PUT', task, form, `metadata=${encodeURIComponent(deep)}`],
      ['PUT', task, form, `addParents=${encodeURIComponent(deep)}`],
      ['PUT', task, form, `customFields=${encodeURIComponent(deep)}`],
      ['POST', '/api/v4/webhooks', json, `{"hookUrl":"https://hooks.example.com/","events":${deep}}`],
      [
        'POST',
        '/api/v4/webhooks',
        form,
        `hookUrl=https://hooks.example.com/&events=${encodeURIComponent(deep)}`,
      ],
      [
        'POST',
        '/api/v4/webhooks',
        form,
        `hookUrl=https://hooks.example.com/&events=[${'TaskCreated,'.repeat(levels + 1)}]`,
      ],
      ['POST', '/api/v4/batch', form, `operations=${encodeURIComponent(deep)}`],
      ['POST', '/oauth2/token', json, deep],
      ['POST', '/_emulator/events', json, deep],
      ['POST', '/_emulator/events', json, `{"eventType":"CommentAdded","comment":${deep}}`],
      ['POST', '/_emulator/faults', json, `{"request":"any","body":${deep}}`],
      ['POST', '/_emulator/mass-actions', json, `{"taskIds":["x"],"parameters":${deep}}`],
    ] as const) {
      const response = await send(`${emulator.authUrl}${path}`, {
        method,
        body,
        headers: { 'Content-Type': type, Authorization: `Bearer ${emulator.token}` },
      });
      const what = `${method} ${path} ${type} ${body.slice(0, 60)}`;
      assert.equal(response.status, 400, `${what}: ${response.text.slice(0, 300)}`);
    }
  }
  assert.deepEqual(emulator.logged, []);
});

test('the deepest JSON that a request may carry is read back from the data file', async (t) => {
  const folder = await ownFolder(t);
  const dataFile = join(folder, 'data.json');
  const emulator = await startEmulator(createWorld(), { dataFile });
  assert.ok(!('fault' in emulator));
  const statusOf = async (depth: number) => {
    const parameters = nested(depth);
    const operations = `[{"method":"POST","path":"/folders/IEAAAAAQI4AB5FLD/tasks","parameters":${parameters}}]`;
    const { status } = await call(emulator, 'POST', '/batch', { form: { operations } });
    return status;
  };
  assert.deepEqual([await statusOf(62), await statusOf(63)], [200, 400]);
  await emulator.close();
  const again = await startEmulator(createWorld(), { dataFile });
  assert.ok(!('fault' in again), JSON.stringify(again));
  await again.close();
});
