// Assumptions that a response names, each with its request, and assumptions that only deliveries show. test/witness/assumption-tests.txt
// lists the test of each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assumptions, emulatorModes } from '#contract/assumption.ts';
import { scopes } from '#contract/scope.ts';
import { control, settled } from '#test/support/service/control.ts';
import { records, valuesOf } from '#test/support/service/records.ts';
import { call, started, update } from '#test/support/service/start-emulator.ts';
import { createWebhook, withReceiver } from './dispatch/subscribed.ts';
import { shows } from './shows.ts';

const task = '/tasks/IEAAAAAQKQAB5BNG';
const folder = '/folders/IEAAAAAQI4AB5FLD';
const space = '/spaces/IEAAAAAQI5AB5SPC';
const hook = { hookUrl: 'https://hooks.example.com/' };

/** In this order: some depend on those before them. */
const requests: readonly (readonly [
  row: string,
  request: string,
  body?: Readonly<Record<string, string>> | undefined,
  status?: number,
])[] = [
  ['task-title-filter', 'GET /tasks?title=page'],
  ['task-order', 'GET /tasks'],
  ['task-order', `GET ${folder}/tasks`],
  ['root-by-id', 'GET /folders/IEAAAAAQI7777777', undefined, 400],
  ['due-date-sort', 'GET /tasks?sortField=DueDate'],
  ['one-unknown-id', `GET ${task},IEAAAAAQKQABNONE`, undefined, 404],
  ['one-unknown-id', 'GET /webhooks/IEAAAAAQW1234567,IEAAAAAQW7654321', undefined, 404],
  ['one-unknown-id', 'GET /contacts/KUAABENQ,KUAANONE', undefined, 404],
  ['long-values', `GET /tasks?title=${'x'.repeat(8_000)}`],
  ['filter-ids', 'GET /tasks?responsibles=%5B%22KUAANONE%22%5D'],
  ['list-pages', 'GET /tasks?pageSize=2'],
  ['list-pages', 'GET /webhooks?pageSize=2'],
  ['contact-filters', 'GET /contacts?me=true'],
  ['contact-type', 'GET /contacts?type=Person'],
  ['contact-type', 'GET /contacts?type=Thing', undefined, 400],
  ['invitations', 'GET /invitations'],
  ['reference-endpoints', 'GET /groups'],
  ['reference-endpoints', 'GET /colors'],
  ['timelog-groups', 'GET /timelog_categories'],
  ['version', 'GET /version'],
  ['audit-log', 'GET /audit_log'],
  ['audit-log-scopes', 'GET /audit_log'],
  ['task-items', `POST ${task}/comments`, { text: 'x' }],
  ['comment-plain-text', `POST ${task}/comments`, { text: '<b>', plainText: 'true' }],
  ['task-items', `POST ${task}/timelogs`, { hours: '1', trackedDate: '2026-03-02' }],
  ['attach-file', `POST ${task}/attachments`, { name: 'a.pdf' }],
  ['task-dependencies', `GET ${task}/dependencies`],
  ['batch', 'POST /batch', { operations: '[]' }],
  ['same-hook-url', 'POST /webhooks', hook],
  [
    'parameterised-events-alone',
    'POST /webhooks',
    { hookUrl: 'https://hooks.example.com/2', parameterisedEvents: '[{"event":"TaskCreated"}]' },
  ],
  [
    'recurrence-field',
    'POST /webhooks',
    { ...hook, parameterisedEvents: '[{"event":"TaskCreated","fields":["recurrence"]}]' },
  ],
  [
    'payload-field-members',
    'POST /webhooks',
    { ...hook, parameterisedEvents: '[{"event":"TaskCreated","fields":["dates"]}]' },
  ],
  [
    'idle-webhook',
    'POST /webhooks',
    { ...hook, events: '[FolderCreated]', customItemTypes: '["IEAAAAAQPIAB5BUG"]' },
  ],
  ['space-webhook-folder', `POST ${space}/webhooks`, hook],
  ['space-webhook-folder', 'GET /webhooks'],
  ['webhook-record', `POST ${folder}/webhooks`, { hookUrl: 'https://hooks.example.com/3' }],
  ['empty-list', 'POST /webhooks', { ...hook, events: '[]' }, 400],
  ['unknown-custom-field', 'POST /webhooks', { ...hook, customItemTypes: '["IEAAAAAQPIABNONE"]' }, 400],
  ['webhook-id-pattern', 'GET /webhooks/a,,b', undefined, 400],
  ['method-parameter', `PUT ${task}?method=PUT&title=x`, undefined, 400],
  ['other-methods', 'HEAD /webhooks'],
  ['state-echo', 'GET /webhooks?state=x'],
  ['character-count', `PUT ${task}?title=${encodeURIComponent('\u{1F3EE}'.repeat(501))}`],
  [
    'character-count',
    `POST ${folder}/tasks`,
    { title: 'x', metadata: JSON.stringify([{ key: 'a', value: '\u{1F3EE}'.repeat(500) }]) },
  ],
  ['completed-date', 'PUT /tasks/IEAAAAAQKQAB5DON?status=Active'],
  ['restore', `PUT ${task}?restore=true`],
  ['priority-list', `PUT ${task}?priorityBefore=IEAAAAAQKQAB5MIL`],
  ['weekend-dates', `PUT ${task}?dates=%7B%22due%22%3A%222026-03-01%22%7D`],
  ['other-html', `PUT ${task}?description=%3Cmarquee%3Ex%3C%2Fmarquee%3E`],
  ['other-html', `POST ${task}/comments`, { text: '<h1>x</h1>' }],
  ['other-html', `POST ${folder}/tasks`, { title: 'x', description: '<img src="https://example.com/x">' }],
  ['other-html', `POST ${folder}/folders`, { title: 'x', description: '<script>x</script>' }],
  ['deleted-task-items', 'POST /tasks/IEAAAAAQKQAB5BIN/comments', { text: 'x' }, 403],
  ['already-deleted', 'DELETE /tasks/IEAAAAAQKQAB5BIN', undefined, 400],
];

/** What was recorded is no assumption, unless it rejects: no recording has an error. */
function sourceIn(row: string, status: number): string {
  const { source = 'none' } = assumptions.find(({ id }) => id === row) ?? {};
  return source === 'recorded' && status >= 400 ? 'assumed' : source;
}

test('the response to each assumed request names its row', async (t) => {
  shows('other-html', 'default');
  const emulator = await started(t);
  const first = await call(emulator, 'POST', '/webhooks', { form: hook });
  assert.equal(first.headers.get('emulator-assumption'), null);
  for (const [row, request, body, status = 200] of requests) {
    const [method = '', path = ''] = request.split(' ');
    const init = body === undefined ? {} : { body: new URLSearchParams(body) };
    const reply = await call(emulator, method, path, init);
    assert.equal(reply.status, status, `${method} ${path}: ${JSON.stringify(reply.body)}`);
    const rows = reply.headers.get('emulator-assumption')?.split(', ') ?? [];
    const isNamed = sourceIn(row, status) !== 'recorded';
    assert.equal(rows.includes(row), isNamed, `${method} ${path}: ${rows.join(', ')}`);
    const sources = rows.map((id) => sourceIn(id, status)).join(', ') || null;
    assert.equal(reply.headers.get('emulator-assumption-source'), sources, path);
  }
  const deleted = await call(emulator, 'DELETE', `/webhooks/${first.body.data[0].id}`);
  assert.equal(deleted.headers.get('emulator-assumption'), 'webhook-delete-response');
});

for (const mode of emulatorModes)
  test(`a missing scope names the row of its operation in mode ${mode}`, async (t) => {
    shows('operation-scopes', 'default');
    const emulator = await started(t, { mode });
    const { token } = await control(emulator, 'POST', '/tokens', {
      userId: 'KUAAADAQ',
      scopes: ['amReadOnlyGroup'],
    });
    for (const [method, path, row] of [
      ['PUT', `${task}?title=x`, 'missing-scope'],
      ['POST', `${folder}/tasks`, 'missing-scope'],
      ['GET', '/tasks', 'operation-scopes'],
      ['POST', '/webhooks', 'operation-scopes'],
      ['GET', '/webhooks', 'operation-scopes'],
      ['GET', '/workflows', 'operation-scopes'],
      ['GET', '/invitations', 'operation-scopes'],
    ] as const) {
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await call(emulator, method, path, { headers });
      assert.deepEqual([reply.status, reply.headers.get('emulator-assumption')], [403, row], path);
    }
  });

test('with --strict, a list that the contract documents without pages has none', async (t) => {
  const emulator = await started(t, { mode: 'strict' });
  const { status, headers } = await call(emulator, 'GET', '/webhooks?pageSize=2');
  assert.deepEqual([status, headers.get('emulator-assumption')], [400, null]);
  assert.equal((await call(emulator, 'GET', `${space}/tasks?pageSize=2`)).status, 200);
});

test('any one of the scopes gives access to the audit log', async (t) => {
  const emulator = await started(t);
  for (const scope of scopes) {
    const { token } = await control(emulator, 'POST', '/tokens', { userId: 'KUAAADAQ', scopes: [scope] });
    const headers = { Authorization: `Bearer ${token}` };
    assert.equal((await call(emulator, 'GET', '/audit_log', { headers })).status, 200, scope);
  }
});

test('an event does not wait for the retry of an earlier event of its task', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  receiver.answer = ({ events: [{ title }] }) =>
    title === 'first' && receiver.received.length === 1 ? 500 : 200;
  await update(emulator, { title: 'first' });
  await settled(emulator);
  await update(emulator, { title: 'second' });
  await settled(emulator);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 30 });
  await settled(emulator);
  assert.deepEqual(valuesOf(receiver.events, 'title'), ['first', 'second', 'first']);
});

test('several webhooks get an event with the same Idempotency-Key, one event per list', async (t) => {
  const { emulator, receiver } = await withReceiver(t);
  await createWebhook(emulator, receiver);
  await createWebhook(emulator, receiver);
  await update(emulator, { title: 'x', importance: 'Low' });
  await settled(emulator);
  assert.deepEqual(
    receiver.received.map(({ events }) => events.length),
    [1, 1, 1, 1],
  );
  const keys = receiver.received.map(({ headers }) => headers['idempotency-key']);
  assert.deepEqual(
    [...new Set(keys)].map((key) => keys.filter((other) => other === key).length),
    [2, 2],
  );
});

test('an attachment keeps its bytes, and a comment with plainText=true its tags', async (t) => {
  const emulator = await started(t);
  const bytes = Buffer.from([0, 1, 2, 255]);
  const [added] = await records(emulator, 'POST', `${task}/attachments`, {
    body: bytes,
    headers: { 'X-File-Name': 'a.bin', 'Content-Type': 'application/octet-stream' },
  });
  const response = await fetch(`${emulator.baseUrl}/attachments/${added.id}/download`, {
    headers: { Authorization: `Bearer ${emulator.token}` },
  });
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
  const body = new URLSearchParams({ text: '<b>x</b> &amp;', plainText: 'true' });
  const [comment] = await records(emulator, 'POST', `${task}/comments`, { body });
  assert.equal(comment.text, '<b>x</b> &amp;');
});
