// Records are data: they are printed as the service sent them, whatever secrets this process knows. Only a whole credential of
// ours is redacted in them, in values and never in the text around them: JSON stays JSON of the same shape, and a
// tab-separated line keeps its cells.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import {
  ask,
  canary,
  firstLine,
  hook,
  hookId,
  hooks,
  taskId,
} from '#test/support/service/scripted-service.ts';
import { createClock } from '#world/clock.ts';
import { testAnySecret } from './any-secret.ts';

const redacted = '[redacted]';
/** Longer than a regular expression may be. */
const longSecret = 'a~1'.repeat(10_000);

/** A client secret, what the service returns, and what of it may be shown. */
const cases: Readonly<Record<string, readonly [secret: string, title: string, shown: string]>> = {
  'a secret that was cut off': ['abcdefghijkl/mnopqr', 'abcdefghijkl/mnopq"},x', 'abcdefghijkl/mnopq"},x'],
  'a secret before a quotation mark': ['abcdefghijkl/mnopqr', 'abcdefghijkl/mnopqr"},x', `${redacted}"},x`],
  'a secret that ends with a backslash': ['secret1\\', 'secret1"x', 'secret1"x'],
  'a secret that looks like an escape': ['nabcdefg', '\nabcdefg', '\nabcdefg'],
  'a secret with a quotation mark': ['abcdefghijkl","status":', 'abcdefghijkl","status":', redacted],
  'a secret that is the name of a field': ['accountId', 'accountId', redacted],
  'a secret of 30,000 characters': [longSecret, longSecret, redacted],
  'a secret with a tab': ['abcdefghijkl\tmnopqr', 'abcdefghijkl\tmnopqry', `${redacted}y`],
};

const get = (title: string) => [jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title, size: 1 }] })];

for (const [name, [secret, title, shown]] of Object.entries(cases)) {
  const environment = { WM_CLIENT_SECRET: secret };
  const warning =
    title === shown ? '' : `title of ${taskId} holds a token or a client secret: shown as [redacted].\n`;
  test(`${name}: JSON stays JSON`, async () => {
    const { output, errors } = await ask(['task', 'get', taskId, '--json'], get(title), { environment });
    assert.deepEqual(JSON.parse(output), { id: taskId, title: shown, size: 1 });
    assert.equal(errors, warning);
    const failed = [
      jsonReply(400, { error: 'invalid_parameter', errorDescription: title.replace('\n', ' ') }),
    ];
    const failing = await ask(['task', 'get', taskId, '--json'], failed, { environment });
    assert.doesNotThrow(() => JSON.parse(failing.errors), failing.errors);
  });

  test(`${name}: a tab-separated line keeps its cells`, async () => {
    const { output, errors } = await ask(['task', 'get', taskId], get(title), { environment });
    const plain = await ask(['task', 'get', taskId], get(shown));
    assert.equal(output, plain.output);
    assert.equal(errors, warning);
  });
}

test('redacts a credential that a response has as a number or a name', async () => {
  const environment = { WM_CLIENT_SECRET: '1234567890' };
  const replies = [jsonReply(200, hooks({ ...hook, size: 1234567890, nested: { x1234567890: [true, 7] } }))];
  const { output, errors } = await ask(['webhook', 'get', hookId, '--json'], replies, { environment });
  assert.deepEqual(JSON.parse(output), { ...hook, size: redacted, nested: { [`x${redacted}`]: [true, 7] } });
  assert.deepEqual(errors.trim().split('\n'), [
    `size of ${hookId} holds a token or a client secret: shown as [redacted].`,
    `nested.x[redacted] of ${hookId} holds a token or a client secret: shown as [redacted].`,
  ]);
});

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wm-redacted-'));
});
after(() => rm(folder, { recursive: true }));

test('a line of a bulk run stays JSON, keeps its cells, and holds the task as the service sent it', async () => {
  const rows = join(folder, 'rows.ndjson');
  await writeFile(rows, `{"id":"${taskId}","title":"x"}\n{"id":"abcdefghijkl/mnopqr\\"","title":"x"}\n`);
  const typed = ['task', 'update', '--from', rows, '--yes', '--restart', '--json'];
  const titles: string[] = [];
  for (const variable of ['WM_CLIENT_SECRET', 'WM_WEBHOOK_SECRET']) {
    const environment = {
      [variable]: 'abcdefghijkl/mnopqr',
      WM_CONFIG_DIR: folder,
      XDG_STATE_HOME: folder,
    };
    const replies = get('abcdefghijkl/mnopqr"},x');
    const { output } = await ask(typed, replies, { environment, world: { clock: createClock() } });
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    titles.push(...lines.flatMap(({ task }) => (task ? [task.title] : [])));
  }
  assert.deepEqual(titles, [`${redacted}"},x`, 'abcdefghijkl/mnopqr"},x']);
});

test('the secret of a webhook in its own URL: export, diff and apply leave the webhook unchanged', async () => {
  const environment = { WM_WEBHOOK_SECRET: 'acme-webhooks-secret', WM_CONFIG_DIR: folder };
  const urls = ['https://example.com/acme-webhooks/in', 'https://example.com/acme-webhooks-secret/in'];
  const replies = [
    jsonReply(200, hooks(...urls.map((hookUrl, index) => ({ ...hook, id: `${hookId}${index}`, hookUrl })))),
  ];
  const exported = await ask(['webhook', 'export'], replies, { environment });
  for (const url of urls) assert.ok(exported.output.includes(url), exported.output);
  const file = join(folder, 'hooks.yaml');
  await writeFile(file, exported.output);
  const diff = await ask(['webhook', 'diff', file], replies, { environment });
  assert.equal(diff.status, 0, diff.errors);
  assert.match(diff.output, /^(same\t[^\n]*\n){2}$/);
  const applied = await ask(['webhook', 'apply', file, '--delete-others', '--yes'], replies, { environment });
  assert.equal(applied.status, 0, applied.errors);
  assert.ok(applied.requests.every((request) => firstLine(request).startsWith('GET ')));
});

test('export does not write a file with a redacted credential', async () => {
  const replies = [jsonReply(200, hooks({ ...hook, hookUrl: `https://example.com/${canary}` }))];
  for (const flags of [[], ['--json']]) {
    const { status, output, errors } = await ask(['webhook', 'export', ...flags], replies);
    assert.deepEqual([status, output], [1, '']);
    assert.match(errors, /Cannot export the webhooks: url of webhook \w+ holds a token or a client secret/);
    assert.ok(!errors.includes(canary));
  }
});

test('the output of a filter can be sent back', async () => {
  const title = 'acme-webhooks plan of acme-webhooks-secret';
  const typed = ['task', 'get', taskId, '--jq', '{id, title}'];
  const { output } = await ask(typed, get(title), {
    environment: { WM_WEBHOOK_SECRET: 'acme-webhooks-secret' },
  });
  assert.deepEqual(JSON.parse(output), { id: taskId, title });
});

test('prints a response of `wm api` unchanged except for a credential', async () => {
  const typed = ['api', 'GET', `/tasks/${taskId}`];
  const environment = { WM_WEBHOOK_SECRET: 'acme-webhooks-secret' };
  const as = (title: string) => ask(typed, get(title), { environment });
  assert.equal(
    (await as('acme-webhooks-secret')).output.trim(),
    get('acme-webhooks-secret')[0]?.split('\r\n\r\n')[1],
  );
  const { output, errors } = await as(`x ${canary}`);
  assert.equal(JSON.parse(output).data[0].title, `x ${redacted}`);
  assert.equal(errors, `title of ${taskId} holds a token or a client secret: shown as [redacted].\n`);
});

test('does not store or send a note that contains a credential', async () => {
  const environment = { WM_CONFIG_DIR: folder };
  const replies = [jsonReply(200, hooks(hook))];
  const typed = ['webhook', 'suspend', hookId, '--yes', '--note', `because of ${canary}`];
  const { status, errors, requests } = await ask(typed, replies, { environment });
  assert.equal(status, 1);
  assert.match(errors, /The note contains a token or a client secret/);
  assert.ok(requests.every((request) => firstLine(request).startsWith('GET ')));
});

test('the history names a file whose name is a secret', async () => {
  const own = await mkdtemp(join(folder, 'history-'));
  const rows = join(own, 'acme-webhooks-secret.ndjson');
  await writeFile(rows, `{"id":"${taskId}","title":"x"}\n`);
  const environment = {
    WM_WEBHOOK_SECRET: 'acme-webhooks-secret',
    WM_CONFIG_DIR: own,
    XDG_STATE_HOME: own,
  };
  await ask(['task', 'update', '--from', rows, '--yes'], get('x'), {
    environment,
    world: { clock: createClock() },
  });
  const shown = await ask(['history', '--json'], [], { environment });
  assert.ok(shown.output.includes('acme-webhooks-secret.ndjson'), shown.output);
});

testAnySecret(10);
