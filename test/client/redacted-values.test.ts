// Redaction takes secrets out of values, never out of the text around them: what is printed as JSON stays JSON of the same
// shape, and a tab-separated line keeps its cells, whatever a secret consists of and whatever a value holds beside it.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createClock } from '../../src/world/clock.ts';
import { jsonReply } from '../raw-server.ts';
import { testAnySecret } from './any-secret.ts';
import { ask, hook, hookId, hooks, taskId } from './service.ts';

const redacted = '[redacted]';

/** A secret, what the service returns, and what of it may be shown. */
const cases: Readonly<Record<string, readonly [secret: string, title: string, shown: string]>> = {
  'a cut secret before a quotation mark': ['abcdefghijkl/mnopqr', 'abcdefghijkl"},x', `${redacted}"},x`],
  'a secret that ends with a backslash': ['secret1\\', 'secret1"x', 'secret1"x'],
  'a secret that looks like an escape': ['nabcdefg', '\nabcdefg', '\nabcdefg'],
  'a secret with a quotation mark': ['abcdefghijkl","status":', 'abcdefghijkl', redacted],
  'a secret that is the name of a field': ['accountId', 'accountId', redacted],
  'a secret with a tab': ['abcdefghijkl\tmnopqr', 'abcdefghijkl\ty', `${redacted}y`],
};

const get = (title: string) => [jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title, size: 1 }] })];

for (const [name, [secret, title, shown]] of Object.entries(cases)) {
  const environment = { WM_WEBHOOK_SECRET: secret };
  test(`${name}: JSON stays JSON`, async () => {
    const { output } = await ask(['task', 'get', taskId, '--json'], get(title), { environment });
    assert.deepEqual(JSON.parse(output), { id: taskId, title: shown, size: 1 });
    const failed = [
      jsonReply(400, { error: 'invalid_parameter', errorDescription: title.replace('\n', ' ') }),
    ];
    const { errors } = await ask(['task', 'get', taskId, '--json'], failed, { environment });
    assert.doesNotThrow(() => JSON.parse(errors), errors);
  });

  test(`${name}: a tab-separated line keeps its cells`, async () => {
    const { output } = await ask(['task', 'get', taskId], get(title), { environment });
    const plain = await ask(['task', 'get', taskId], get(shown));
    assert.equal(output, plain.output);
  });
}

test('a secret that a response holds as a number or as a name is redacted', async () => {
  const environment = { WM_WEBHOOK_SECRET: '1234567890' };
  const replies = [jsonReply(200, hooks({ ...hook, size: 1234567890, nested: { x1234567890: [true, 7] } }))];
  const { output } = await ask(['webhook', 'get', hookId, '--json'], replies, { environment });
  assert.deepEqual(JSON.parse(output), { ...hook, size: redacted, nested: { [`x${redacted}`]: [true, 7] } });
});

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-redacted-'));
});
after(() => rm(folder, { recursive: true }));

test('a line of a bulk run stays JSON, and keeps its cells', async () => {
  const rows = join(folder, 'rows.ndjson');
  await writeFile(rows, `{"id":"${taskId}","title":"x"}\n{"id":"abcdefghijkl\\"","title":"x"}\n`);
  const environment = {
    WM_WEBHOOK_SECRET: 'abcdefghijkl/mnopqr',
    WM_CONFIG_DIR: folder,
    XDG_STATE_HOME: folder,
  };
  const typed = ['task', 'update', '--from', rows, '--yes', '--restart'];
  const { output } = await ask([...typed, '--json'], get('abcdefghijkl"},x'), {
    environment,
    world: { clock: createClock() },
  });
  const lines = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(
    lines.some((line) => line.task?.title === `${redacted}"},x`),
    output,
  );
});

testAnySecret(20);
