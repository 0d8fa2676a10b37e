// `wm webhook log --stuck`: what has not reached its targets, since when, why, and what to do.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sampleTarget as target } from '#test/receiver/core/intake/samples.ts';
import { deliver, listen, startTarget } from '#test/receiver/listen/running-listener.ts';
import { noon } from '#test/support/clock.ts';
import { rowsOf } from '#test/support/program/cells.ts';
import { attempt, dead, failed, received, writtenJournal } from '../deliveries/written-journal.ts';

const minute = 60_000;
const other = 'http://127.0.0.1:3001/other';

/** Two targets: one of them takes comments, and cannot be reached. */
const forwarding = {
  routes: [{ events: ['CommentAdded'], target: other }],
  rest: [target],
  every: [],
  outages: [{ target: other, fault: 'connect ECONNREFUSED', since: noon + 2 * minute }],
};

test('for each target: the counts of waiting, retried and dead; the oldest; the last failure; the outage', async (context) => {
  const { wm, open, folder } = await writtenJournal(context);
  const journal = await open();
  const types = ['TaskCreated', 'CommentAdded', 'TaskCreated', 'TaskCreated', 'CommentAdded'];
  for (const [at, event] of types.entries())
    await journal.append(received(event, `A${at}`, { receivedAt: noon + at * minute }));
  journal.record(attempt(1));
  journal.record(attempt(3, { ...failed, time: noon + 7 * minute, detail: 'no such table', delay: minute }));
  journal.record(attempt(4, { ...dead, outcome: 'timeout', time: noon + 6 * minute }));
  await writeFile(join(folder, 'forwarding.json'), JSON.stringify(forwarding));
  // Without a URL that is written down, the last of the commands would have to name one.
  assert.match(
    (await wm('webhook log --stuck')).errors,
    /again: wm webhook replay --dead-letters --forward-to URL$/m,
  );
  await writeFile(join(folder, 'target.json'), JSON.stringify({ forwardTo: target }));
  const { status, output, errors } = await wm('webhook log --stuck');
  assert.equal(status, 0, errors);
  assert.deepEqual(output.slice(0, -1).split('\n'), [
    `${other}\t2\t0\t0\t2\t2026-01-05T12:01:00.000Z\t\t\t2026-01-05T12:02:00.000Z\tconnect ECONNREFUSED\t\t`,
    `${target}\t0\t1\t1\t3\t2026-01-05T12:02:00.000Z\t500\t2026-01-05T12:07:00.000Z\t\t\tno such table\t2026-01-05T12:08:00.000Z`,
  ]);
  assert.deepEqual(errors.trimEnd().split('\n'), [
    `Process ${process.pid} forwards the waiting deliveries in order, within five minutes after their target accepts them again. To retry now: wm webhook replay --waiting`,
    'To list the waiting deliveries: wm webhook log --state waiting,retrying',
    'To list the dead letters: wm webhook log --dead-letters',
    'Once their cause is removed, to send them again: wm webhook replay --dead-letters',
  ]);
  const [first, second] = JSON.parse((await wm('webhook log --stuck --json')).output);
  assert.deepEqual(first, {
    target: other,
    waiting: 2,
    retrying: 0,
    dead: 0,
    oldest: { sequence: 2, time: '2026-01-05T12:01:00.000Z' },
    unreachable: { since: '2026-01-05T12:02:00.000Z', fault: 'connect ECONNREFUSED' },
  });
  const lastFailure = { time: '2026-01-05T12:07:00.000Z', outcome: '500', detail: 'no such table' };
  assert.deepEqual([second.lastFailure, second.next], [lastFailure, '2026-01-05T12:08:00.000Z']);
  await journal.close();
  const ended = await wm('webhook log --stuck');
  assert.match(
    ended.errors,
    /^No receiver runs with this journal\. To forward the waiting deliveries: wm webhook listen --forward-to http:\/\/127\.0\.0\.1:3000\/hook$/m,
  );
  // One that was killed leaves its number in the file, and the kernel takes the lock from it.
  await writeFile(join(folder, 'lock'), '4190000\n');
  const killed = await wm('webhook log --stuck');
  assert.match(
    killed.errors,
    /^No receiver runs with this journal: process 4190000 was killed, or the machine stopped\. To forward the waiting deliveries: wm webhook listen --forward-to http:\/\/127\.0\.0\.1:3000\/hook$/m,
  );
  assert.equal(await readFile(join(folder, 'lock'), 'utf8'), '4190000\n');
  const list = await wm('webhook log');
  assert.match(
    list.errors,
    /^3 deliveries are not forwarded yet, the oldest of 2026-01-0[56] \d\d:\d\d:00 \(UTC[+-]\d\d:\d\d\)\. To see why: wm webhook log --stuck$/m,
  );
});

test('without a recorded target: goes by the attempts, otherwise shows no target', async (context) => {
  const both = [received('TaskCreated', 'A1'), received('TaskCreated', 'A2')];
  const { wm } = await writtenJournal(context, ...both, attempt(1, failed));
  const { output } = await wm('webhook log --stuck');
  assert.deepEqual(
    rowsOf(output).map((row) => row.slice(0, 5)),
    [
      [target, '0', '1', '0', '1'],
      ['', '1', '0', '0', '2'],
    ],
  );
});

test('a delivery that one of its targets has accepted waits for the other only', async (context) => {
  const first = attempt(1, { finishes: false });
  const { wm, folder } = await writtenJournal(context, received('TaskCreated', 'A1'), first);
  const both = { routes: [], rest: [target], every: ['exec'], outages: [] };
  await writeFile(join(folder, 'forwarding.json'), JSON.stringify(both));
  const { output } = await wm('webhook log --stuck');
  assert.deepEqual(output.split('\t').slice(0, 4), ['exec', '1', '0', '0']);
});

test('nothing is stuck; and flags that cannot be combined with it', async (context) => {
  const { wm } = await writtenJournal(context, received('TaskCreated', 'A1'), attempt(1));
  const { status, output, errors } = await wm('webhook log --stuck');
  assert.deepEqual(
    [status, output, errors],
    [0, '', 'Nothing is stuck: no delivery waits, and there are no dead letters.\n'],
  );
  for (const more of ['1', '--last 3', '--gaps', '--follow'])
    assert.equal((await wm(`webhook log --stuck ${more}`)).status, 2, more);
});

test('a receiver records which of its targets are unreachable; the next one tries again', async (context) => {
  // Port 1: nothing listens there.
  const url = 'http://127.0.0.1:1/';
  const listener = await listen(context, `--forward-to ${url}`);
  await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A1' }]);
  await listener.prints(/cannot be reached/);
  await listener.stop();
  const stuck = async () => JSON.parse((await listener.wm('webhook log --stuck --json')).output);
  const [{ target, waiting, unreachable }] = await stuck();
  assert.deepEqual([target, waiting], [url, 1]);
  assert.match(unreachable.fault, /ECONNREFUSED/);
  const { url: elsewhere } = await startTarget(context);
  const next = await listen(context, `--forward-to ${elsewhere}`, { folder: listener.folder });
  await next.prints(/\tforwarded\t/);
  await next.stop();
  assert.deepEqual(await stuck(), []);
});
