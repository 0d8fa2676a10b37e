// What `wm webhook verify` and `diagnose` show on a terminal of 80 columns: a line or a few for each check, none cut, with what to
// do beside what was found.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { hmac, isHandshake, type Respond, respondRightly, startReceiver } from './receivers.ts';
import { type Verifying, verifying } from './verified.ts';

/** No words of a sentence: they would be redacted in it. */
const secret = 'fictional-4711';
const right = respondRightly(secret);
const events = ['--events', 'TaskCreated,TaskDeleted,TaskTitleChanged,FolderCreated'];

const wrongSecret: Respond = ({ headers, body }) =>
  isHandshake(body)
    ? { status: 200, headers: { 'X-Hook-Secret': hmac('another', String(headers['x-hook-secret'])) } }
    : { status: 200 };

/** What a terminal of 80 columns without colour gets, and what standard error does, which is none. */
async function shown(service: Verifying, argv: readonly string[]) {
  const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
  const plain = collectStreams();
  await service.wm(['webhook', ...argv, '--within', '300', '--no-color'], {
    environment: { WM_WEBHOOK_SECRET: secret, TERM: 'dumb' },
    world: { streams: { ...streams, errors: plain.streams.errors } },
  });
  return { lines: texts.output.replaceAll(/\b\d+ ms/g, 'N ms').split('\n'), errors: plain.texts.errors };
}

async function withReceiver(context: TestContext) {
  const service = await verifying(context);
  const receiver = await startReceiver(context, right);
  const id = await service.create(receiver.url, events, secret);
  receiver.respond = wrongSecret;
  return { service, id, receiver, url: receiver.url };
}

test('verify: three columns, no broken words, the remedy after the finding', async (context) => {
  const { service, id } = await withReceiver(context);
  const { lines } = await shown(service, ['verify', id]);
  assert.ok(lines.every((line) => line.length <= 80));
  assert.match(lines[0] ?? '', /^check +result +details$/);
  const text = lines.join(' ').replaceAll(/ +/g, ' ');
  assert.match(text, / tls not checked http: deliveries are not encrypted\. Use an https URL\. /);
  assert.match(
    text,
    / handshake fail the response's X-Hook-Secret .* has another secret\. Give the receiver the webhook's secret, or give wm /,
  );
  assert.match(text, / 4 kinds accepted, N ms /);
});

test('diagnose: one line per fact, then the cause and the remedy', async (context) => {
  const { service, id, url } = await withReceiver(context);
  await service.wm(['webhook', 'suspend', id, '--yes', '--note', 'ticket 4711']);
  const { lines } = await shown(service, ['diagnose', id]);
  assert.ok(lines.every((line) => line.length <= 80));
  const names = lines.flatMap((line) => /^([a-zA-Z][a-zA-Z ]*): /.exec(line)?.[1] ?? []);
  assert.deepEqual(names.slice(0, 6), ['record', 'since', 'note', 'history', 'history', 'url']);
  // Not scrolled away from a screen of 24 lines.
  assert.deepEqual(names.slice(-2), ['likely cause', 'what to do']);
  assert.ok(names.includes('events'), lines.join('\n'));
  const text = lines.join(' ').replaceAll(/ +/g, ' ');
  assert.ok(text.includes(`record: Suspended, ${url} `), text);
  assert.match(text, /note: ticket 4711 \(Ada Fields, (now|\d+ seconds? ago)\) /);
  assert.match(text, /history: (now|\d+ seconds? ago), webhook suspend, done, ticket 4711 /);
  assert.match(text, /events: TaskCreated, TaskDeleted and 2 more: ok: 4 kinds accepted, N ms /);
});

test('prints a finding that several checks and the error share only once', async (context) => {
  const { service, id, receiver } = await withReceiver(context);
  receiver.respond = () => ({ status: 404 });
  const count = (text: string) => text.replaceAll(/\s+/g, ' ').split('nothing is at this path').length - 1;
  const { lines, errors } = await shown(service, ['verify', id]);
  assert.equal(count(lines.join(' ') + errors), 1, lines.join('\n') + errors);
  assert.match(errors, /^wm: \d of \d+ checks failed: handshake, event /);
  assert.match(lines.join('\n'), /^event .* fail +see handshake$/m);
  await service.wm(['webhook', 'suspend', id, '--yes']);
  const diagnosed = (await shown(service, ['diagnose', id])).lines.join('\n');
  assert.equal(count(diagnosed), 1, diagnosed);
  assert.match(diagnosed, /^handshake: +fail: see likely cause$/m);
});
