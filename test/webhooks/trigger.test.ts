// What `wm webhook trigger` sends, as a receiver gets it, and what it makes of the responses.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { listening } from '#test/support/service/listening.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import * as witness from '../witness/events.ts';
import { type Respond, startReceiver } from './verification/receivers.ts';

const secret = 'a secret of 3 words & é';
const signed = { environment: { WM_WEBHOOK_SECRET: secret } };

const accepting: Respond = () => ({ status: 200 });

function signatureOf(body: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

test('sends every event as in the contract: signed, with a key, as an array', async (context) => {
  const { wm } = await emulated(context);
  const { url, arrived } = await startReceiver(context, accepting);
  for (const row of witness.events) {
    const ran = await wm(['webhook', 'trigger', row.name, '--to', url, '--json'], signed);
    assert.equal(ran.status, 0, ran.errors);
    const { headers, body } = arrived.at(-1) ?? assert.fail();
    assert.equal(headers['x-hook-signature'], signatureOf(body));
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-hook-secret'], undefined);
    const [payload, ...rest] = JSON.parse(body);
    assert.deepEqual(rest, []);
    assert.equal(payload.eventType, row.name);
    assert.match(payload.lastUpdatedDate, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    for (const name of ['webhookId', 'eventAuthorId', ...row.payload]) assert.ok(payload[name], name);
    const { milliseconds, ...result } = JSON.parse(ran.output);
    assert.ok(milliseconds >= 0);
    assert.deepEqual(result, {
      event: row.name,
      idempotencyKey: headers['idempotency-key'],
      result: '200',
      verdict: 'delivered',
      detail: 'the receiver responded with 200',
    });
  }
});

test('--set: each value has the type of its field', async (context) => {
  const { wm } = await emulated(context);
  const { url, arrived } = await startReceiver(context, accepting);
  const send = (event: string, ...set: string[]) =>
    wm(['webhook', 'trigger', event, '--to', url, ...set.flatMap((pair) => ['--set', pair])], signed);
  const cases: [string, string, unknown][] = [
    ['TaskTitleChanged', 'title=a=b', 'a=b'],
    ['TaskTitleChanged', 'taskId=IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5BNG'],
    ['FolderCreated', 'folderId=IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5FLD'],
    ['TaskCreated', 'eventAuthorId=KUAABENQ', 'KUAABENQ'],
    ['TaskCreated', 'webhookId=IEAAAAAQWabc', 'IEAAAAAQWabc'],
    ['TaskCreated', 'lastUpdatedDate=2026-02-02T09:00:00Z', '2026-02-02T09:00:00Z'],
    ['CommentAdded', 'comment={"text":"a","html":"b"}', { text: 'a', html: 'b' }],
    ['TaskParentsAdded', 'addedParents=["IEAAAAAQI4AB5FLD"]', ['IEAAAAAQI4AB5FLD']],
    ['TaskCustomFieldChanged', 'value="3"', '"3"'],
  ];
  for (const [event, set, value] of cases) {
    const ran = await send(event, set);
    assert.equal(ran.status, 0, ran.errors);
    const [payload] = JSON.parse(arrived.at(-1)?.body ?? '');
    assert.deepEqual(payload[set.slice(0, set.indexOf('='))], value, set);
  }
  const before = arrived.length;
  for (const [event, set, message] of [
    ['TaskCreated', 'title=x', /"title" is not a payload field of TaskCreated/],
    ['TaskCreated', 'taskId=a b', /taskId: "a b" is not a TaskId/],
    ['TaskCreated', 'folderId=IEAAAAAQI4AB5FLD', /"folderId" is not a payload field/],
    ['TaskCreated', 'eventAuthorId=x', /eventAuthorId: "x" is not a UserId/],
    ['TaskCreated', 'lastUpdatedDate=today', /lastUpdatedDate: "today"/],
    ['TaskImportanceChanged', 'importance=Top', /importance: "Top" is not one of/],
    ['CommentAdded', 'comment={"text":', /comment: /],
    ['TaskCustomFieldChanged', 'value=abc', /value: "abc" is not JSON/],
    ['TaskCreated', 'taskId', /"taskId" is not of the form KEY=VALUE/],
    ['TaskCreated', '=x', /"=x" is not of the form KEY=VALUE/],
  ] as const) {
    const ran = await send(event, set);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
  }
  const duplicate = await send('TaskTitleChanged', 'title=a', 'title=b');
  assert.match(duplicate.errors, /"title" is set twice/);
  assert.equal(arrived.length, before);
});

test('--count sends several events, --duplicate each twice with one key, --single-object no array', async (context) => {
  const { wm } = await emulated(context);
  const { url, arrived } = await startReceiver(context, accepting);
  const flags = ['--count', '3', '--duplicate', '--single-object'];
  const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url, ...flags], signed);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.output.trimEnd().split('\n').length, 6);
  const keys = arrived.map(({ headers }) => headers['idempotency-key']);
  assert.equal(new Set(keys).size, 3);
  for (const index of [0, 2, 4]) {
    assert.equal(keys[index], keys[index + 1]);
    assert.equal(arrived[index]?.body, arrived[index + 1]?.body);
  }
  assert.equal(JSON.parse(arrived[0]?.body ?? '').eventType, 'TaskCreated');
  for (const count of ['0', '1001', 'x']) {
    const wrong = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url, '--count', count], signed);
    assert.equal(wrong.status, 2, wrong.errors);
  }
});

for (const [status, verdict, then] of [
  [200, 'delivered', 'count it as delivered'],
  [201, 'delivered', 'count it as delivered'],
  [202, 'delivered', 'count it as delivered'],
  [204, 'delivered', 'count it as delivered'],
  [203, 'retry', 'after 3 such attempts the service suspends'],
  [302, 'retry', 'after 3 such attempts the service suspends'],
  [408, 'retry', 'after 3 such attempts the service suspends'],
  [429, 'retry', 'after 3 such attempts the service suspends'],
  [500, 'retry', 'after 3 such attempts the service suspends'],
  [400, 'suspend', 'at once'],
  [404, 'suspend', 'at once'],
  [413, 'suspend', 'at once'],
] as const) {
  test(`a response with ${status}: ${verdict}`, async (context) => {
    const { wm } = await emulated(context);
    const { url, arrived } = await startReceiver(context, () => ({
      status,
      headers: { Location: 'http://elsewhere.example/' },
    }));
    const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url], signed);
    assert.equal(ran.status, verdict === 'delivered' ? 0 : 10, ran.errors);
    assert.equal(ran.output.split('\t')[1], String(status));
    assert.equal(ran.output.split('\t')[3], verdict);
    assert.ok(ran.errors.includes(then), ran.errors);
    // The contract says nothing of these.
    assert.equal(
      / the service suspends the webhook \(an assumption\)$/m.test(ran.errors),
      [203, 302].includes(status),
      ran.errors,
    );
    assert.equal(arrived.length, 1);
    assert.equal(
      ran.errors.includes(
        'a redirect to "http://elsewhere.example/", which the service is assumed not to follow',
      ),
      status === 302,
    );
  });
}

test('the worst of several responses counts', async (context) => {
  const { wm } = await emulated(context);
  const statuses = [200, 500, 401];
  const { url } = await startReceiver(context, () => ({ status: statuses.shift() ?? 200 }));
  const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url, '--count', '3'], signed);
  assert.equal(ran.status, 10);
  assert.match(
    ran.errors,
    /^wm: 2 of 3 samples were not delivered\n {2}401: it does not accept the signature; the service suspends the webhook at once\n/,
  );
});

test('quotes the response of a receiver, and redacts the secret', async (context) => {
  const { wm } = await emulated(context);
  const { url } = await startReceiver(context, () => ({
    status: 500,
    body: `\u001b[2J${secret}${'x'.repeat(5000)}`,
  }));
  const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url], signed);
  assert.equal(ran.status, 10);
  assert.ok(!ran.errors.includes('\u001b'), ran.errors);
  assert.ok(!ran.errors.includes('3 words'), ran.errors);
  assert.ok(ran.errors.length < 600, ran.errors);
});

test('names the fault if there is no response', async (context) => {
  const { wm } = await emulated(context);
  const server = createServer((request) => request.socket.destroy());
  const url = `http://127.0.0.1:${await listening(server, context)}/hook`;
  const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url], signed);
  assert.equal(ran.status, 10, ran.errors);
  assert.deepEqual(ran.output.split('\t').slice(0, 2), ['TaskCreated', 'reset']);
  assert.match(ran.errors, /the connection was closed without a complete response; after 3 such attempts/);
});

async function createAt({ wm }: Emulated, url: string): Promise<string> {
  const created = await wm(['webhook', 'create', url, '--json']);
  assert.equal(created.status, 0, created.errors);
  return JSON.parse(created.output).id;
}

test('--to a webhook: its URL, its id in the payload, its stored secret', async (context) => {
  const service = await emulated(context, { allowLocalHooks: true });
  const { wm } = service;
  const { url, arrived } = await startReceiver(context, accepting);
  const id = await createAt(service, url);
  await wm(['webhook', 'secret', id, '--store', '--secret-stdin'], { input: secret });
  for (const to of [id, '/hook']) {
    const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', to]);
    assert.equal(ran.status, 0, ran.errors);
    const { headers, body } = arrived.at(-1) ?? assert.fail();
    assert.equal(JSON.parse(body)[0].webhookId, id);
    assert.equal(headers['x-hook-signature'], signatureOf(body));
  }
  const unsigned = await wm(['webhook', 'trigger', 'TaskCreated', '--to', id, '--unsigned']);
  assert.equal(unsigned.errors, 'The service would count it as delivered.\n');
  assert.equal(arrived.at(-1)?.headers['x-hook-signature'], undefined);
  const none = await wm(['webhook', 'trigger', 'TaskCreated', '--to', 'elsewhere.example']);
  assert.equal(none.status, 5, none.errors);
});

test('rejects a URL that no webhook can have, and conflicting flags', async (context) => {
  const { wm } = await emulated(context);
  for (const to of ['http://user:secret@example.com/', 'http://[', 'https://user@example.com']) {
    const ran = await wm(['webhook', 'trigger', 'TaskCreated', '--to', to], signed);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /is not a URL that a webhook can have/);
  }
  const both = await wm([
    'webhook',
    'trigger',
    'TaskCreated',
    '--to',
    'http://a.example',
    '--unsigned',
    '--secret-stdin',
  ]);
  assert.match(both.errors, /^wm: --unsigned cannot be combined with a secret/);
});

test('prompts for the secret on a terminal, TERM=xterm-256color', async (context) => {
  const stage = await setStage(context);
  const { url, arrived } = await startReceiver(context, accepting);
  const line = `wm webhook trigger TaskCreated --to ${url}`;
  const terminal = openInProcess(context, stage, line, { environment: { TERM: 'xterm-256color' } });
  await terminal.shows('--unsigned sends without a signature', `${secret}${key.enter}`);
  await terminal.shows('delivered');
  assert.equal(await terminal.ended, 0, terminal.text);
  const { headers, body } = arrived[0] ?? assert.fail();
  assert.equal(headers['x-hook-signature'], signatureOf(body));
});
