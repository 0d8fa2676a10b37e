// Why a bulk waits, as its progress tells it: because the service asked for that, or because wm thinks it better. And when
// it does not wait: where that would take longer than --max-wait, whatever kind of output it has.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock } from '#test/support/clock.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { textsOf } from '#test/support/program/json-messages.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { aroundHttp, beforeUpdate } from '#test/support/service/around-http.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import type { Clock, Output } from '#world/world.ts';

const input = `id,title\n${sample.task},a\n`;
const argv = ['task', 'update', '--from', '-', '--yes', '--concurrency', '1', '--no-undoable'];

/** Whoever sleeps is woken at once, and what is due meanwhile has been done. */
function sleepless(): Clock {
  const clock = createTestClock();
  return { ...clock, sleep: async (milliseconds) => clock.advance(milliseconds) };
}

// Progress is told every ten seconds; five pauses of our own end after 1, 3, 7, 15 and 31.
const waits: readonly [string, object, RegExp, RegExp][] = [
  [
    'asked by the service',
    { status: 429, retryAfter: 50, times: 1 },
    /0 of 1 row, 0\/s; the service asked to wait \d+ s\n/,
    /too many/,
  ],
  [
    'after a rate limit that names no time',
    { status: 429, times: 5 },
    /0 of 1 row, 0\/s; too many requests: continuing in \d+ s\n/,
    /asked/,
  ],
];

for (const [why, fault, message, not] of waits) {
  test(`a pause: ${why}`, async (context) => {
    const { wm, control } = await emulated(context);
    await control('faults', { request: 'updateTask', ...fault });
    const ran = await wm(argv, { input, world: { clock: sleepless() } });
    assert.match(ran.errors, message);
    assert.doesNotMatch(ran.errors, not);
  });
}

const refused = { fault: 'connection-refused', sent: false, detail: 'nobody listens' } as const;

test('a pause: if nothing can be sent', async (context) => {
  const { wm } = await emulated(context);
  let lost = 15;
  const http = aroundHttp(async (_, pass) => (lost-- > 0 ? refused : pass()));
  // Without jitter, three attempts before each pause take no time.
  const ran = await wm(argv, { input, world: { clock: sleepless(), http, random: () => 0 }, exit: 0 });
  assert.match(ran.errors, /0 of 1 row, 0\/s; the service is unavailable: retrying in \d+ s\n/);
  assert.doesNotMatch(ran.errors, /asked|too many/);
});

const three = `id,title\n${[sample.task, sample.backlog, sample.milestone].map((id) => `${id},a\n`).join('')}`;
const year = 31_536_000;

/** On a terminal, or into a pipe, with this as standard input; what was written to it. */
function screen(isTerminal: boolean, rows = '') {
  const raw = Readable.from([Buffer.from(rows)]);
  const { streams, texts } = collectStreams({ isTerminal, input: { raw } });
  return { streams, text: () => texts.output + texts.errors };
}

for (const [output, more, isTerminal] of [
  ['a pipe', [], false],
  ['JSON', ['--json'], false],
  ['--quiet', ['--quiet'], false],
  ['a terminal', [], true],
  ['a terminal, --undoable', ['--undoable'], true],
] as const) {
  test(`does not start a wait of a year: exit 6, and --resume sends the rest; ${output}`, async (context) => {
    const { wm, control, folder, task } = await emulated(context);
    const path = join(folder, 'tasks.csv');
    await writeFile(path, three);
    const request = more[0] === '--undoable' ? 'getTasks' : 'updateTask';
    await control('faults', { request, status: 429, retryAfter: year, times: 1 });
    const own = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', ...more];
    const clock = sleepless();
    const began = clock.now();
    const { streams, text } = screen(isTerminal);
    const ran = await wm(own, { world: { clock, streams } });
    const message = text();
    assert.equal(ran.status, 6, message);
    assert.ok(
      message.includes('waiting out the rate limit would take 365 days, longer than --max-wait (15 min)'),
    );
    assert.ok(
      message.includes('Run the same command with --resume: it sends the 3 rows that are left.'),
      message,
    );
    assert.ok(clock.now() - began < 1000, 'nobody waited');
    const resumed = await wm([...own, '--resume', '--verbose'], { exit: 0 });
    assert.equal(resumed.errors.match(/PUT /g)?.length, 3);
    assert.equal((await task(sample.milestone)).title, 'a');
  });
}

for (const [output, more, isTerminal, message] of [
  ['a pipe', [], false, /^The service asks to wait 50 s \(up to 15 min; change with --max-wait\)\.$/m],
  ['JSON', ['--json'], false, /^The service asks to wait 50 s \(/m],
  ['--quiet', ['--quiet'], false, /^The service asks to wait 50 s \(/m],
  ['a terminal', [], true, /0 of 1 row, 0\/s; the service asked to wait \d\d s/],
  ['a terminal, --quiet', ['--quiet'], true, /The service asks to wait 50 s \(/],
] as const) {
  test(`reports a wait when it starts; ${output}`, async (context) => {
    const { wm, control } = await emulated(context);
    await control('faults', { request: 'updateTask', status: 429, retryAfter: 50, times: 1 });
    const { streams, text } = screen(isTerminal, input);
    const world = { clock: sleepless(), streams };
    const ran = await wm([...argv, ...more], { world });
    assert.equal(ran.status, 0, text());
    assert.match(textsOf(text()), message);
  });
}

test('a service that rejects a row again and again, however long the wait: the run ends, and does not blame a wait', async (context) => {
  const server = await startRawServer(() =>
    jsonReply(429, { error: 'rate_limit_exceeded' }, ['Retry-After: 0']),
  );
  context.after(() => server.close());
  const { wm } = await emulated(context);
  const environment = { WM_HOST: server.host };
  const line = [...argv, '--max-wait', '60m'];
  const ran = await wm(line, { input: three, environment, world: { clock: sleepless() }, exit: 6 });
  assert.equal(server.requests.length, 30);
  assert.match(ran.errors, /^wm: 3 of 3 rows were not sent\n/m);
  assert.doesNotMatch(ran.errors, /waiting out|longer than --max-wait/);
});

test('the progress says how long the remaining rows will take', async (context) => {
  const server = await startRawServer((request, count) =>
    count === 2
      ? jsonReply(429, { error: 'rate_limit_exceeded' }, ['Retry-After: 50'])
      : jsonReply(200, { kind: 'tasks', data: [{ id: /tasks\/(\w+)/.exec(request)?.[1] }] }),
  );
  context.after(() => server.close());
  const { wm } = await emulated(context);
  const { streams, text } = screen(false, three);
  // The second row is sent once the first is listed.
  const listed = gate();
  const http = beforeUpdate(2, () => listed.opened);
  const output: Output = { ...streams.output, write: async () => listed.open() };
  const ran = await wm(argv, {
    environment: { WM_HOST: server.host },
    world: { clock: sleepless(), http, streams: { ...streams, output } },
  });
  assert.equal(ran.status, 0, text());
  // One row in 10 s: 20 s for two.
  assert.match(text(), /^1 of 3 rows, 0\/s, 20 s left; the service asked to wait \d+ s$/m);
});

for (const environment of [{}, { TERM: 'dumb' }, { ACCESSIBLE: '1' }])
  test(`a failed row is not in the progress line, which only some terminals redraw; ${JSON.stringify(environment)}`, async (context) => {
    const server = await startRawServer((_, count) =>
      count === 1
        ? jsonReply(429, { error: 'rate_limit_exceeded' }, ['Retry-After: 50'])
        : jsonReply(404, { error: 'resource_not_found', errorDescription: 'A fault of the test' }),
    );
    context.after(() => server.close());
    const { wm } = await emulated(context);
    const { streams, text } = screen(true, three);
    const ran = await wm(argv, {
      environment: { WM_HOST: server.host, ...environment },
      world: { clock: sleepless(), streams },
    });
    assert.equal(ran.status, 8, text());
    assert.match(text().replaceAll('\r\x1b[K', '\n'), /^2 \S+ failed /m);
    assert.match(text(), /0 of 3 rows, 0\/s; the service asked to wait \d+ s/);
    assert.equal(text().includes('\x1b[K'), !('TERM' in environment || 'ACCESSIBLE' in environment), text());
  });

test('the service is unreachable after the first row: some rows were updated, and the exit status says so', async (context) => {
  const { wm } = await emulated(context);
  let count = 0;
  const http = aroundHttp(async (_, pass) => (++count === 1 ? pass() : refused));
  const ran = await wm(argv, { input: three, world: { clock: sleepless(), http, random: () => 0 }, exit: 8 });
  assert.match(ran.errors, /^wm: 2 of 3 rows were not sent\n {2}\S[^\n]*(?:nobody listens|refused)/m);
});

test('consecutive waits add up', async (context) => {
  const { wm, control } = await emulated(context);
  const limited = (times: number) => ({ request: 'updateTask', status: 429, retryAfter: 400, times });
  await control('faults', limited(3));
  const own = argv.with(3, '-');
  const ran = await wm(own, { input: three, world: { clock: sleepless() }, exit: 6 });
  assert.match(ran.errors, /waiting out the rate limit would take 20 min, longer than --max-wait \(15 min\)/);
  const longer = await control('faults', limited(3)).then(() =>
    wm([...own, '--resume', '--max-wait', '20m'], { input: three, world: { clock: sleepless() } }),
  );
  assert.equal(longer.status, 0, longer.errors);
});

for (const [given, message] of [
  ['0', /would take 1 s, longer than --max-wait \(0 s\)/],
  ['2', /would take 3 s, longer than --max-wait \(2 s\)/],
  ['2h', /would take 3\.0 h, longer than --max-wait \(2\.0 h\)/],
] as const) {
  test(`--max-wait ${given}`, async (context) => {
    const { wm, control } = await emulated(context);
    const retryAfter = Number(/would take (\d+)/.exec(message.source)?.[1]) * (given === '2h' ? 3600 : 1);
    await control('faults', { request: 'updateTask', status: 429, retryAfter, times: 1 });
    const ran = await wm([...argv, '--max-wait', given], { input, world: { clock: sleepless() }, exit: 6 });
    assert.match(ran.errors, message);
  });
}

test('--max-wait accepts a duration', async (context) => {
  const { wm } = await emulated(context);
  for (const wrong of ['soon', '-1', '1.5h', '2d', '']) {
    const ran = await wm([...argv, `--max-wait=${wrong}`], { input, exit: 2 });
    assert.match(ran.errors, /--max-wait/);
  }
});
