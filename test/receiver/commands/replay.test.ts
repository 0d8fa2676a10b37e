// `wm webhook replay`: sends what a listener stored, in order, to real targets, and records what became of it.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { storeLastTarget } from '#cli/journal-folder.ts';
import { noon } from '#test/support/clock.ts';
import { objectsIn, rowsOf } from '#test/support/program/cells.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { streamsOfFullDisk } from '#test/support/program/streams.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';
import { attempt, dead, failed, received, writtenJournal } from '../archive/deliveries/written-journal.ts';
import { diskWithRoom } from '../listen/disk-with-room.ts';
import { startTarget } from '../listen/running-listener.ts';

/** Five deliveries of two tasks: forwarded, dead, dead, waiting, forwarded. */
async function fiveDeliveries(context: TestContext) {
  const at = (minutes: number) => ({ receivedAt: noon + minutes * 60_000 });
  const written = await writtenJournal(
    context,
    received('TaskCreated', 'A1', at(0)),
    received('TaskStatusChanged', 'A2', at(1)),
    received('CommentAdded', 'A1', at(2)),
    received('TaskCreated', 'A2', at(3)),
    received('TaskDeleted', 'A1', at(4)),
    ...[attempt(1), attempt(2, dead), attempt(3, failed), attempt(3, dead), attempt(5)],
  );
  const replayed = async () => objectsIn(await readFile(join(written.folder, 'replays.ndjson'), 'utf8'));
  return { ...written, replayed, replay: (typed: string) => written.wm(`webhook replay ${typed}`) };
}

test('one delivery: byte for byte, with its headers, and a recorded outcome', async (context) => {
  const body = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256);
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Hook-Signature', 'c0ffee'],
    ['Idempotency-Key', 'key-1'],
    ['Host', 'hooks.example.com'],
  ] as const;
  const delivery = received('', '', { body, headers, idempotencyKey: 'key-1' });
  const { wm, folder } = await writtenJournal(context, delivery, attempt(1, dead));
  const { url, received: got } = await startTarget(context);
  const { status, output, errors } = await wm(`webhook replay 1 --forward-to ${url}`);
  assert.equal(status, 0, errors);
  const [request] = got;
  assert.ok(request);
  assert.ok(request.bytes.equals(body));
  assert.equal(request.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(request.headers['x-hook-signature'], 'c0ffee');
  assert.equal(request.headers['idempotency-key'], 'key-1');
  assert.equal(request.headers['x-wm-replay'], '1');
  assert.equal(request.headers['x-wm-delivery'], '1');
  assert.match(String(request.headers.host), /^127\.0\.0\.1:/);
  assert.match(output, /^1\t\t\thttp:\/\/127\.0\.0\.1:\d+\/hook\t200\t\d+\tforwarded\n$/);
  assert.equal(errors, '1 delivery replayed.\n');
  const line = JSON.parse(await readFile(join(folder, 'replays.ndjson'), 'utf8'));
  assert.deepEqual(
    { ...line, time: 0, milliseconds: 0 },
    { sequence: 1, time: 0, target: url, outcome: '200', milliseconds: 0, verdict: 'forwarded' },
  );
});

test('selects by number, range, event, task, date and the last few', async (context) => {
  const { replay } = await fiveDeliveries(context);
  const rows: readonly (readonly [string, readonly number[]])[] = [
    ['--dead-letters --task A2', [2]],
    ['1 5', [1, 5]],
    ['1-3', [1, 2, 3]],
    ['--event TaskCreated', [1]],
    ['--event comment', [3]],
    ['--task A1', [1, 3, 5]],
    ['--last 2', [5]],
    ['--since 2026-01-05T12:01:00Z --until 2026-01-05T12:02:00Z', [2, 3]],
  ];
  for (const [typed, expected] of rows) {
    const { url, numbers } = await startTarget(context);
    const { status, errors } = await replay(`${typed} --forward-to ${url} --yes`);
    assert.equal(status, 0, `${typed}: ${errors}`);
    assert.deepEqual(
      numbers().toSorted((a, b) => a - b),
      expected,
      typed,
    );
  }
});

test('a delivery that a listener still has to forward: rejected by number, not selected, sent with --force', async (context) => {
  const { replay } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const refused = await replay(`4 --forward-to ${url}`);
  assert.equal(refused.status, 2);
  assert.match(refused.errors, /Not replayed: 4\n.*would arrive twice\n.*--force/);
  const last = await replay(`--event TaskCreated --forward-to ${url}`);
  assert.equal(last.status, 0);
  assert.match(last.errors, /^Left out: wm webhook listen will still forward 4,/);
  assert.equal((await replay(`--task A2 --event TaskCreated --forward-to ${url}`)).status, 2);
  assert.equal((await replay(`4 --force --forward-to ${url}`)).status, 0);
  assert.deepEqual(numbers(), [1, 4]);
});

test('a failing target: the others are sent, exit status 8, with the command for the rest', async (context) => {
  const { replay, replayed } = await fiveDeliveries(context);
  const { url } = await startTarget(context, (response, { headers }) =>
    response.writeHead(headers['x-wm-delivery'] === '2' ? 500 : 200).end('no such table'),
  );
  const { status, output, errors } = await replay(`1-3 --forward-to ${url} --yes --json`);
  assert.equal(status, 8);
  const lines = objectsIn(output);
  assert.deepEqual(lines.map(({ sequence, verdict }) => `${sequence} ${verdict}`).toSorted(), [
    '1 forwarded',
    '2 failed',
    '3 forwarded',
  ]);
  assert.equal(lines.find(({ sequence }) => sequence === 2).detail, 'no such table');
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(error.message, '2 deliveries replayed, 1 failed');
  assert.equal(error.next, `wm webhook replay 2 --forward-to ${url} --yes`);
  assert.equal((await replayed()).length, 3);
});

test('an unreachable target: stops at once, records nothing, exit status 7', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const { status, errors } = await replay('1-3 --forward-to http://127.0.0.1:1/hook --yes');
  assert.equal(status, 7, errors);
  assert.match(errors, /Cannot reach http:\/\/127\.0\.0\.1:1\/hook: .*0 deliveries replayed, 3 not sent/);
  assert.match(
    errors,
    /To send the rest: wm webhook replay 1-3 --forward-to http:\/\/127\.0\.0\.1:1\/hook --yes\n$/,
  );
  assert.equal(await readFile(join(folder, 'replays.ndjson'), 'utf8'), '');
});

test('one at a time for each task, several tasks at once, never more than --concurrency', async (context) => {
  const all = Array.from({ length: 60 }, (_, at) => at + 1);
  const taskOf = (number: number) => number % 5;
  const { wm } = await writtenJournal(
    context,
    ...all.map((number) => received('TaskCreated', `A${taskOf(number)}`)),
    ...all.map((number) => attempt(number)),
  );
  const inFlight = new Set<number>();
  const atOnce: number[] = [];
  let together = 0;
  const { url, numbers } = await startTarget(context, (response, { headers }) => {
    const task = taskOf(Number(headers['x-wm-delivery']));
    if (inFlight.has(task)) together++;
    atOnce.push(inFlight.add(task).size);
    setImmediate(() => {
      inFlight.delete(task);
      response.end();
    });
  });
  const { status, errors } = await wm(`webhook replay 1-60 --forward-to ${url} --yes --concurrency 3 -q`);
  assert.equal(status, 0, errors);
  assert.equal(together, 0, 'one at a time');
  assert.ok(Math.max(...atOnce) <= 3, `${atOnce} at once`);
  for (let task = 0; task < 5; task++) {
    const own = (number: number) => taskOf(number) === task;
    assert.deepEqual(numbers().filter(own), all.filter(own), 'in order');
  }
});

test('--forward-header, --forward-host, --forward-timeout and --forward-ca', async (context) => {
  const { wm, folder } = await fiveDeliveries(context);
  const got: IncomingHttpHeaders[] = [];
  const target = createServer({ key, cert: certificate }, (request, response) => {
    got.push(request.headers);
    request.resume().on('end', () => response.end());
  });
  context.after(() => target.close());
  const to = `https://127.0.0.1:${await listening(target)}/`;
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, certificate);
  const { http } = createWorld();
  const limits: (number | undefined)[] = [];
  const recorded = (own: Http): Http => ({
    send(request, options) {
      limits.push(options.timeoutMs);
      return own.send(request, options);
    },
    withCertificates: async (text) => recorded((await own.withCertificates?.(text)) ?? own),
  });
  const replay = (...flags: readonly string[]) =>
    wm(['webhook', 'replay', '1', '--forward-to', to, ...flags], { world: { http: recorded(http) } });
  assert.notEqual((await replay()).status, 0);
  assert.equal(got.length, 0);
  limits.length = 0;
  const of = ['--forward-header', 'X-Source: wm', '--forward-host', 'service.test', '--forward-timeout', '7'];
  const ran = await replay('--forward-ca', ca, ...of);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual([got[0]?.host, got[0]?.['x-source']], ['service.test', 'wm']);
  assert.deepEqual(limits, [7_000]);
});

test('routes; and the last targets of listen', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const comments = await startTarget(context);
  const rest = await startTarget(context);
  const missing = await replay('1');
  assert.equal(missing.status, 2);
  assert.match(missing.errors, /Missing: where to send the deliveries\n.*\n {2}Give --forward-to URL/);
  const routed = await replay(`1-3 --route comment=${comments.url} --yes`);
  assert.equal(routed.status, 0, routed.errors);
  assert.match(routed.errors, /^1 delivery replayed, 2 without a target\.$/m);
  await storeLastTarget(createWorld(), folder, {
    forwardTo: rest.url,
    routes: [{ events: ['CommentAdded'], url: comments.url }],
  });
  assert.equal((await replay('1-3 --yes')).status, 0);
  assert.deepEqual(comments.numbers(), [3, 3]);
  assert.deepEqual(rest.numbers().toSorted(), [1, 2]);
  for (const damaged of ['{"forwardTo":7,"routes":{}}', '[]', 'no JSON', '']) {
    await writeFile(join(folder, 'target.json'), damaged);
    assert.equal((await replay('1')).status, 2, damaged);
  }
});

test('Ctrl-C: says what was sent, what is unknown and what was not sent, and how to continue', async (context) => {
  const { wm, replayed } = await fiveDeliveries(context);
  const signals = handSignals();
  const { url, numbers } = await startTarget(context, (response, { headers }) => {
    if (headers['x-wm-delivery'] === '1') response.end();
    else signals.interrupt();
  });
  const { status, errors } = await wm(`webhook replay 1-3 5 --forward-to ${url} --yes --concurrency 1`, {
    world: { process: { ...signals.process, self: ['node'] } },
  });
  assert.equal(status, 130);
  assert.deepEqual(numbers(), [1, 2]);
  assert.match(
    errors,
    /Interrupted: 1 delivery replayed, 1 with an unknown outcome, 2 not sent\n.*: wm webhook replay 2-3 5 --forward-to \S+ --yes --concurrency 1\n$/,
  );
  assert.deepEqual(
    (await replayed()).map(({ sequence, verdict }) => [sequence, verdict]),
    [
      [1, 'forwarded'],
      [2, 'failed'],
    ],
  );
});

test('usage: nothing selected, unknown numbers, another replay running, a disk that cannot record', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  assert.match((await replay(`--forward-to ${url}`)).errors, /Missing: which deliveries to replay/);
  const missing = await replay(`1 7 --forward-to ${url} --yes`);
  assert.equal(missing.status, 5);
  assert.match(missing.errors, /Delivery not found: 7\n {2}nothing was sent/);
  const { lock } = createWorld();
  const held = await lock.acquire(join(folder, 'replays.lock'), { timeoutMs: 0 });
  const second = await replay(`1 --forward-to ${url}`);
  assert.equal(second.status, 1);
  assert.match(second.errors, /Another wm webhook replay is sending/);
  await held?.release();
  await mkdir(join(folder, 'replays.ndjson'));
  assert.equal((await replay(`1 --forward-to ${url}`)).status, 1);
  assert.deepEqual(numbers(), []);
});

test('a full disk: nothing is sent', async (context) => {
  const { wm, home } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const files = diskWithRoom(home, (path) => !path.endsWith('trial'));
  const { status, errors } = await wm(`webhook replay 1 --forward-to ${url}`, { world: { files } });
  assert.equal(status, 1);
  assert.match(
    errors,
    /^wm: Cannot write \S+\n {2}no space is left on the disk \(ENOSPC\)\n {2}Nothing was sent, /,
  );
  assert.deepEqual(numbers(), []);
});

test('a disk that fills up meanwhile: says what was sent without a record, and how to send the rest', async (context) => {
  const { wm, home, replayed } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  let room = 1;
  const files = diskWithRoom(home, (path) => !path.endsWith('replays.ndjson') || room-- > 0);
  const typed = `webhook replay 1-3 5 --forward-to ${url} --yes --concurrency 1`;
  const { status, output, errors } = await wm(typed, { world: { files } });
  assert.equal(status, 1, errors);
  assert.deepEqual(numbers(), [1, 2]);
  assert.deepEqual(
    (await replayed()).map(({ sequence }) => sequence),
    [1],
  );
  assert.deepEqual(
    rowsOf(output).map((row) => `${row[0]} ${row.at(-1)}`),
    ['1 forwarded', '2 forwarded'],
  );
  assert.match(
    errors,
    /^wm: #?2 was sent, but could not be recorded; 2 deliveries replayed, 2 not sent\n {2}Cannot write \S+replays\.ndjson: no space is left on the disk \(ENOSPC\)\n {2}The outcome is only in the lines above: .*\n {2}To send the rest: wm webhook replay 3 5 --forward-to \S+ --yes --concurrency 1$/m,
  );
});

test('output that cannot be written: all are sent, and the exit status is 1', async (context) => {
  const { wm, replayed } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const { streams, texts } = streamsOfFullDisk();
  const { status } = await wm(`webhook replay 1 3 5 --forward-to ${url} --yes`, { world: { streams } });
  assert.equal(status, 1);
  assert.deepEqual(numbers(), [1, 3, 5]);
  assert.equal((await replayed()).length, 3);
  assert.match(texts.errors, /^wm: Cannot write the result\n {2}ENOSPC\n {2}The command did its work; /m);
});
