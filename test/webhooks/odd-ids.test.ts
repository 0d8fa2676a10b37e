// Ids for which the contract shows no pattern: a list shows them as they are, a request encodes them, and a printed command quotes
// them.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';

const odd = ['a/b', 'x'.repeat(257), 'a b,c'];
const hookUrl = 'https://hooks.example.com/';

for (const [command, kind, record] of [
  ['webhook list', 'webhooks', { hookUrl, status: 'Active' }],
  ['contact list', 'contacts', { firstName: 'Editors', lastName: '', type: 'Group' }],
] as const)
  test(`${command} shows ids of any form`, async (t) => {
    const data = odd.map((id) => ({ id, ...record }));
    const server = await startRawServer(() => jsonReply(200, { kind, data }));
    t.after(() => server.close());
    const environment = { WM_HOST: server.host, WM_TOKEN: 'token-of-a-test' };
    const { status, output, errors } = await run([...command.split(' '), '--json', '-q'], { environment });
    assert.deepEqual([status, errors], [0, '']);
    const shown = JSON.parse(`[${output.trim().replaceAll('\n', ',')}]`).flat();
    assert.deepEqual(
      shown.map(({ id }: { id: string }) => id),
      odd,
    );
  });

interface OddWebhook {
  readonly id?: unknown;
  readonly hookUrl: string;
  status: string;
}

/** A service with these webhooks, which rejects changes of the ids in `forbidden`. */
async function serviceWith(t: TestContext, webhooks: OddWebhook[]) {
  const forbidden = new Set<string>();
  const server = await startRawServer((request) => {
    const [, method = '', path = '', query = ''] =
      /^(\S+) \/api\/v4\/webhooks\/?([^ ?]*)\??(\S*)/.exec(request) ?? [];
    const found = path === '' ? webhooks : webhooks.filter(({ id }) => id === decodeURIComponent(path));
    const error = (status: number, name: string) =>
      jsonReply(status, { error: name, errorDescription: 'Of the test' });
    if (path !== '' && found.length === 0) return error(404, 'resource_not_found');
    if (method !== 'GET' && forbidden.has(String(found[0]?.id))) return error(403, 'access_forbidden');
    if (method === 'PUT') for (const webhook of found) webhook.status = query.replace('status=', '');
    if (method === 'DELETE') for (const webhook of found) webhooks.splice(webhooks.indexOf(webhook), 1);
    return jsonReply(200, { kind: 'webhooks', data: method === 'DELETE' ? [] : found });
  });
  t.after(() => server.close());
  const environment = { WM_HOST: server.host, WM_TOKEN: 'token-of-a-test' };
  return { server, forbidden, wm: (argv: readonly string[]) => run(argv, { environment }) };
}

const anyIds = ['a b', 'x?y', 'x'.repeat(257), "-it's", 'a/b#c%d', 'Ünï\\code', '$(id)', 'IEAAAAAQJAAAAAAB'];
const withIds = (ids: readonly unknown[]): OddWebhook[] =>
  ids.map((id, index) => ({ id, hookUrl: `${hookUrl}${index}`, status: 'Active' }));

for (const [count, ids] of [
  ['a few', anyIds.slice(0, 3)],
  ['many', anyIds],
] as const)
  test(`${count} webhooks with ids of any form: suspends and deletes each`, async (t) => {
    const webhooks = withIds(ids);
    const { wm } = await serviceWith(t, webhooks);
    const suspended = await wm(['webhook', 'suspend', '--all', '--yes']);
    assert.equal(suspended.status, 0, suspended.errors);
    assert.deepEqual(new Set(webhooks.map(({ status }) => status)), new Set(['Suspended']));
    const deleted = await wm(['webhook', 'delete', '--all', '--yes']);
    assert.equal(deleted.status, 0, deleted.errors);
    assert.deepEqual(webhooks, []);
  });

test('an id that is longer than the name of a file may be: its rotation is locked', async (t) => {
  const id = 'x'.repeat(257);
  const { wm } = await serviceWith(t, withIds([id]));
  const { errors } = await wm([
    'webhook',
    'rotate-secret',
    id,
    '--generate-secret',
    '--prepare',
    '--no-input',
  ]);
  assert.match(errors, /--account/);
  assert.doesNotMatch(errors, /Cannot lock/);
});

test('some fail: suspends the others, and the printed command continues', async (t) => {
  const webhooks = withIds(anyIds);
  const { wm, forbidden } = await serviceWith(t, webhooks);
  const failing = anyIds.filter((_, index) => index % 2 === 1 || index < 2);
  for (const id of failing) forbidden.add(id);
  const first = await wm(['webhook', 'suspend', '--all', '--yes']);
  assert.equal(first.status, 8, first.errors);
  const active = () => webhooks.filter(({ status }) => status === 'Active').map(({ id }) => id);
  assert.deepEqual(active(), failing);
  forbidden.clear();
  const again = await wm(printedCommand(first.errors, 'You can run it again safely: '));
  assert.equal(again.status, 0, again.errors);
  assert.deepEqual(active(), []);
});

test('an id that no path can contain: suspends the others, and the printed command omits it', async (t) => {
  const webhooks = withIds(['..', 'a b', 'x?y', 'plain-1']);
  const { wm, forbidden } = await serviceWith(t, webhooks);
  forbidden.add('a b');
  const first = await wm(['webhook', 'suspend', '--all', '--yes']);
  assert.equal(first.status, 8, first.errors);
  assert.match(first.errors, /"\.\." is not a WebhookId/);
  assert.deepEqual(
    webhooks.map(({ status }) => status),
    ['Active', 'Active', 'Suspended', 'Suspended'],
  );
  assert.deepEqual(printedCommand(first.errors, 'You can run it again safely: ').slice(2, -1), ['a b']);
});

test('a webhook without an id does not hide others', async (t) => {
  for (const noId of [undefined, null, '', 7]) {
    const webhooks = withIds([noId, 'a b']);
    const { wm } = await serviceWith(t, webhooks);
    const listed = await wm(['webhook', 'list']);
    assert.equal(listed.status, 0, listed.errors);
    assert.match(listed.output, new RegExp(`^\t.*\t${hookUrl}0\t.*\na b\t.*\t${hookUrl}1\t.*\n$`));
    const warning =
      /^The service shows no id of the webhook https:\/\/hooks\.example\.com\/0: wm cannot change it\.$/m;
    assert.match(listed.errors, warning);
    for (const [words, status] of [
      [['suspend', `${hookUrl}1`, '--yes'], 'Suspended'],
      [['resume', `${hookUrl}1`, '--yes'], 'Active'],
      [['suspend', '--all', '--yes'], 'Suspended'],
    ] as const) {
      const changed = await wm(['webhook', ...words]);
      assert.equal(changed.status, words[1] === '--all' ? 8 : 0, changed.errors);
      assert.equal(
        /^wm: 1 webhook without an id was not suspended$/m.test(changed.errors),
        changed.status === 8,
      );
      assert.match(changed.errors, warning);
      assert.deepEqual(
        webhooks.map((webhook) => webhook.status),
        ['Active', status],
      );
    }
  }
});

test('a webhook without an id is an error where all webhooks must be known', async (t) => {
  const { wm, server } = await serviceWith(t, withIds([undefined, 'a b']));
  for (const words of [
    ['suspend', `${hookUrl}0`, '--yes'],
    ['create', `${hookUrl}0`, '--if-not-exists'],
    ['export'],
  ]) {
    const ran = await wm(['webhook', ...words]);
    assert.notEqual(ran.status, 0, ran.errors);
    assert.match(ran.errors, /shows no id/);
  }
  assert.deepEqual(
    server.requests.filter((request) => !request.startsWith('GET')),
    [],
  );
});
