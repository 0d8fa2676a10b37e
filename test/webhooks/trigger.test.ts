// What `wm webhook trigger` sends, as a receiver gets it, and what it makes of the responses.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
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
