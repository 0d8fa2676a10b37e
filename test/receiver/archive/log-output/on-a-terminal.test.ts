// What `wm webhook log` and `wm webhook replay` show on a terminal: a table, or a delivery whole, where no text of it may do harm; and the
// body of a delivery for a program.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { bodyOf, sampleTarget as target } from '#test/receiver/core/intake/samples.ts';
import { startTarget } from '#test/receiver/listen/running-listener.ts';
import { noon } from '#test/support/clock.ts';
import { attempt, dead, failed, received, writtenJournal } from '../deliveries/written-journal.ts';
import { showOutput } from './shown-output.ts';

test('on a terminal: the known details, each attempt, headers, and the body indented', async (context) => {
  const { shows } = await writtenJournal(
    context,
    received('TaskCreated', 'A1', { idempotencyKey: 'key-1' }),
    attempt(1, failed),
    attempt(1, { ...dead, attempt: 2 }),
  );
  const { status, output } = await shows(120, 'webhook log 1');
  assert.equal(status, 0);
  for (const line of [/^#: +1$/m, /^state: +dead$/m, /^key: +key-1$/m, /^signature: +valid$/m])
    assert.match(output, line);
  for (const expected of [
    `attempt 1 at ${target}: 500, 12 ms (retry)`,
    `attempt 2 at ${target}: 500, 12 ms (dead)`,
    'POST /hook\nContent-Type: application/json\nX-Hook-Signature: c0ffee\n',
    '[\n  {\n    "eventType": "TaskCreated",\n    "taskId": "A1",',
  ])
    assert.ok(output.replace(/\s+/g, ' ').includes(expected.replace(/\s+/g, ' ')), output);
});

test('the first line of each response, and the time of the next attempt', async (context) => {
  const { wm, shows } = await writtenJournal(
    context,
    received('TaskCreated', 'A1'),
    attempt(1, { ...failed, detail: '{"error":"invoice table is locked"}', delay: 60_000 }),
  );
  const details = (await shows(200, 'webhook log 1')).output;
  assert.match(details, /: 500: \{"error":"invoice table is locked"\}, 12 ms \(retry\)$/m);
  assert.match(details, /^ {2}2026-01-0[56] \d\d:\d\d:00 \(\S+\) {2}next attempt at \S+$/m);
  const stuck = (await shows(200, 'webhook log --stuck')).output;
  assert.match(
    stuck,
    /^last failure: +500: \{"error":"invoice table is locked"\}, at 2026-01-0[56] \d\d:\d\d:00 /m,
  );
  assert.match(stuck, /^next attempt: +2026-01-0[56] \d\d:\d\d:00 \(UTC[+-]\d\d:\d\d\)$/m);
  const [{ detail, next }] = JSON.parse((await wm('webhook log 1 --json')).output).attempts;
  assert.deepEqual([detail, next], ['{"error":"invoice table is locked"}', '2026-01-05T12:01:00.100Z']);
});

test('shows people local times with their zone, and programs UTC', async (context) => {
  const { home } = await writtenJournal(context, received('TaskCreated', 'A1'));
  const env = { PATH: process.env['PATH'], WM_CONFIG_DIR: home, TZ: 'Asia/Kolkata' };
  const log = [resolve('bin/wm.js'), 'webhook', 'log'];
  const { stdout, stderr } = spawnSync(process.execPath, log, { env, encoding: 'utf8' });
  assert.match(stdout, /^1\t2026-01-05T12:00:00\.000Z\t/);
  assert.match(stderr, /the oldest of 2026-01-05 17:30:00 \(UTC\+05:30\)\./);
});

test('hostile text in a body, a header or an event never reaches a terminal unescaped', async (context) => {
  const evil = '\u001b[2J\u001b]0;owned\u0007\u202egnp.exe';
  const { shows } = await writtenJournal(
    context,
    received(evil, evil, { headers: [['X-Evil', evil]], path: `/${evil}`, idempotencyKey: evil }),
    received('', '', { body: bodyOf(`not JSON ${evil}\r\nsecond line`) }),
    received('', '', { body: Uint8Array.of(0xff, 0x1b, 0x5b) }),
    attempt(1, { ...failed, outcome: evil, target: evil, detail: evil, delay: 1 }),
  );
  for (const typed of ['', '1', '1-3', '2 --body', '1 --json', '--json']) {
    const { status, output, errors } = await shows(80, `webhook log ${typed}`);
    assert.equal(status, 0, errors);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
    assert.doesNotMatch(output + errors, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  }
  assert.equal((await shows(80, 'webhook log 3 --body')).status, 1);
});

test('--body prints the bytes exactly as received', async (context) => {
  const body = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 256);
  const { wm } = await writtenJournal(context, received('', '', { body }));
  // They are no JSON that a filter could read.
  for (const typed of ['webhook log 1 --body', 'webhook log 1 --body --jq .']) {
    const shown = showOutput();
    assert.equal((await wm(typed, { world: { streams: shown.streams } })).status, 0, shown.errors());
    assert.ok(Buffer.from(body).equals(shown.bytes()));
    assert.equal(shown.text(), '');
  }
  const { output } = await wm('webhook log 1 --json');
  assert.equal(JSON.parse(output).bodyBase64, Buffer.from(body).toString('base64'));
});

test('--body cut short by a full disk is an error; a reader that closes the pipe is not', {
  skip: process.platform === 'win32' && 'no ulimit there',
}, async (context) => {
  const body = new Uint8Array(300_000).fill(0xff);
  const { home } = await writtenJournal(context, received('', '', { body }));
  const printed = (script: string) => {
    const wm = [process.execPath, resolve('bin/wm.js'), 'webhook', 'log', '1', '--body'];
    const env = { PATH: process.env['PATH'], WM_CONFIG_DIR: home };
    return spawnSync('sh', ['-c', script, 'sh', ...wm], { env, encoding: 'utf8' });
  };
  const full = printed(`trap '' XFSZ; ulimit -f 8; exec "$@" > '${join(home, 'body')}'`);
  assert.match(full.stderr, /^wm: Cannot write the result\n/);
  assert.equal(full.status, 1);
  assert.equal(printed('{ "$@"; echo "status $?" >&2; } | head -c 1').stderr, 'status 0\n');
});

test('titles come from events', async (context) => {
  const event = { eventType: 'TaskTitleChanged', taskId: 'A1', oldValue: 'Old', title: 'Launch \u001b[1m' };
  const { wm, shows } = await writtenJournal(
    context,
    received('', '', { body: bodyOf([event]) }),
    received('TaskCreated', 'A1'),
  );
  const { output } = await wm('webhook log --event TaskCreated --json');
  assert.equal(JSON.parse(output)[0].title, 'Launch \u001b[1m');
  assert.match((await shows(200, 'webhook log')).output, /TaskCreated +Launch \ufffd\[1m/);
});

test('attempts and replays: one line each, in order', async (context) => {
  const once = attempt(1, { ...dead, attempt: 1 });
  const { wm, shows, folder } = await writtenJournal(context, received('TaskCreated', 'A1'), once);
  await wm(`webhook replay 1 --exec true --yes --journal ${folder}`);
  const { output } = await shows(80, 'webhook log 1');
  const [first, second] = output.slice(output.indexOf('Attempts:\n')).split('\n').slice(1);
  assert.match(first ?? '', /^ {2}\S+ \S+ \(\S+\) {2}attempt 1 at \S+: 500, 12 ms \(dead\)$/);
  assert.match(second ?? '', /^ {2}\S+ \S+ \(\S+\) {2}replay to .*: exit 0, [\d.]+ m?s \(forwarded\)$/);
});

test('a table: many events in one body, an unsigned delivery, duplicates; without a target', async (context) => {
  const types = ['TaskCreated', 'TaskDeleted', 'CommentAdded', 'CommentDeleted', 'TaskCreated'];
  const body = bodyOf(types.map((eventType) => ({ eventType, taskId: 'A1' })));
  const { shows } = await writtenJournal(
    context,
    received('', '', { body, signature: 'unsigned' }),
    attempt(1, { target: '', outcome: 'no-target', milliseconds: 0 }),
    { kind: 'duplicate', sequence: 1, time: noon },
  );
  assert.match(
    (await shows(160, 'webhook log')).output,
    /TaskCreated, TaskDeleted, CommentAdded and 1 more +A1 +no-target, unsigned, sent 2 times$/m,
  );
  assert.match(
    (await shows(160, 'webhook log 1')).output,
    /^Attempts:\n {2}\S+ \S+ \(\S+\) {2}no-target, 0 ms \(forwarded\)\n\nPOST /m,
  );
});

test('at 80 columns, each delivery is a row of a table; --long prints each whole on a narrower terminal', async (context) => {
  const { shows } = await writtenJournal(
    context,
    received('TaskStatusChanged', 'IEAAAAAQKQAB5BNG'),
    received('TaskStatusChanged', 'IEAAAAAQKQAB5BNH'),
    ...[attempt(1), attempt(2)],
  );
  const [titles = '', first = '', second = '', ...rest] = (await shows(80, 'webhook log')).output.split('\n');
  assert.match(titles, /^# +local time +events +subject +state$/);
  assert.match(first, /^1 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNG +forwarded, 200$/);
  assert.match(second, /^2 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNH +forwarded, 200$/);
  assert.deepEqual(rest, ['']);
  const long = (await shows(60, 'webhook log --long')).output;
  assert.notEqual(long, (await shows(60, 'webhook log')).output);
  assert.doesNotMatch(long, /…/);
});

test('a replay: one sentence each, with the response of a target that rejects it', async (context) => {
  const { shows } = await writtenJournal(
    context,
    ...[received('TaskCreated', 'A1'), received('TaskCreated', 'A1'), attempt(1), attempt(2)],
  );
  const { url } = await startTarget(context, (response, { headers }) =>
    response.writeHead(headers['x-wm-delivery'] === '1' ? 200 : 500).end('no \u001b[1mtable'),
  );
  const { status, output } = await shows(160, `webhook replay 1-2 --forward-to ${url} --yes`);
  assert.equal(status, 8);
  const [first, second] = output.split('\n');
  assert.match(first ?? '', /^#1 TaskCreated {2}http:\/\/127\.0\.0\.1:\d+\/hook {2}200 in [\d.]+ m?s$/);
  assert.match(second ?? '', /^#2 TaskCreated .*500 in [\d.]+ m?s: no \ufffd\[1mtable$/);
  const planned = await shows(160, `webhook replay 1-2 --forward-to ${url} --dry-run`);
  assert.match(planned.output, /^1 .*TaskCreated/m);
});

test('hints name the given journal; an empty journal has no gaps', async (context) => {
  const { wm, folder } = await writtenJournal(context, received('TaskCreated', 'A1'));
  for (const typed of ['7', '7 --body']) {
    const { status, errors } = await wm(`webhook log ${typed} --journal ${folder}`);
    assert.equal(status, 5);
    assert.ok(errors.endsWith(`To list the last ones: wm webhook log --journal ${folder}\n`), errors);
  }
  await mkdir(`${folder}-empty`);
  const { status, errors } = await wm(`webhook log --gaps --journal ${folder}-empty`);
  assert.deepEqual([status, errors], [0, 'No time without a receiver is recorded.\n']);
});
