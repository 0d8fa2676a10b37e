// `wm webhook replay --waiting`: a running receiver retries at once; without one, nothing happens, and wm says what helps.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { deliver, listen, startTarget } from '#test/receiver/listen/running-listener.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { received, writtenJournal } from '../deliveries/written-journal.ts';

test('the receiver retries waiting deliveries in order, even before the time that the target asked for', async (context) => {
  const target = await startTarget(context, (response) =>
    response.writeHead(503, { 'Retry-After': '300' }).end('invoice table is locked'),
  );
  const listener = await listen(context, `--json --forward-to ${target.url}`);
  for (const taskId of ['A1', 'A1', 'B1']) await deliver(listener, [{ eventType: 'TaskCreated', taskId }]);
  await target.has(2);
  const stuck = await listener.wm('webhook log --stuck');
  assert.match(stuck.output, /\t503\t.*\tinvoice table is locked\t/);
  assert.match(stuck.errors, /within five minutes.* To retry now: wm /);
  target.respond(200);
  const { status, output, errors } = await listener.wm(printedCommand(stuck.errors, 'To retry now: '));
  assert.deepEqual(
    [status, output, errors],
    [0, '', 'The running receiver retries now, in order. To see what still waits: wm webhook log --stuck\n'],
  );
  await target.has(5);
  const numbers = target.numbers();
  assert.deepEqual(numbers.slice(0, 4).toSorted(), [1, 1, 3, 3]);
  assert.equal(numbers[4], 2);
  assert.ok(!(await readdir(join(listener.folder, 'state', 'deliveries'))).includes('retry-now'));
});

test('without a receiver: says so and what helps, and leaves no request behind', async (context) => {
  const { wm, folder } = await writtenJournal(context, received('TaskCreated', 'A1'));
  const ended = await wm('webhook replay --waiting');
  assert.deepEqual(
    [ended.status, ended.errors],
    [
      1,
      'wm: No receiver has responded\n  No receiver runs with this journal. To forward the waiting deliveries: wm webhook listen\n',
    ],
  );
  await writeFile(join(folder, 'lock'), '4190000\n');
  const killed = await wm(`webhook replay --waiting --journal ${folder}`);
  assert.match(killed.errors, /process 4190000 was killed.*: wm webhook listen --journal /);
  assert.equal((await readdir(folder)).includes('retry-now'), false);
  for (const more of ['1', '--dead-letters', '--last 3', '--dry-run', '--sink nats://h/N'])
    assert.equal((await wm(`webhook replay --waiting ${more}`)).status, 2, more);
});
