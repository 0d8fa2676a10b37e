// Many deliveries that wait for a target that is down.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openJournal } from '#receiver/core/journal/open-journal.ts';
import { createTestClock } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { rowsOf } from '#test/support/program/cells.ts';
import { createWorld } from '#world/create-world.ts';
import { received } from '../archive/deliveries/written-journal.ts';
import { deliver, listen, startTarget } from './running-listener.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('a target that is down delays no other, however many deliveries wait for it', async (context) => {
  const folder = await ownFolder(context);
  const { journal } = await openJournal(createWorld(), join(folder, 'state', 'deliveries'));
  // More than it reads ahead.
  const waiting = range(1, 10_100).map((number) => received('TaskCreated', `T${number}`));
  await Promise.all(waiting.map((delivery) => journal.append(delivery)));
  await journal.append(received('TaskDeleted', 'T1'));
  await journal.close();
  const target = await startTarget(context);
  const flags = `--forward-to ${target.url} --route TaskCreated=http://127.0.0.1:1/`;
  const listener = await listen(context, flags, { folder });
  await target.has(1);
  await deliver(listener, [{ eventType: 'TaskDeleted', taskId: 'T2' }]);
  await target.has(2);
  assert.deepEqual(target.numbers(), [10_101, 10_102]);
  const { errors } = await listener.stop();
  assert.match(errors, /2 forwarded, 10100 waiting/);
});

test('in a pipe, with the target down: a line per waiting delivery, up to 500 a second, then their number', async (context) => {
  const clock = createTestClock();
  const flags = '--forward-to http://127.0.0.1:1/ --drain 0';
  const listener = await listen(context, flags, { world: { clock } });
  const send = async (first: number, last: number) => {
    for (let number = first; number <= last; number++)
      assert.equal(
        await deliver(listener, [{ eventType: 'TaskCreated', taskId: `T${number}` }], { key: `${number}` }),
        200,
      );
  };
  await send(1, 1);
  await listener.prints(/cannot be reached/);
  await send(2, 504);
  clock.advance(1_000);
  await send(505, 506);
  const { output } = await listener.stop();
  const lines = rowsOf(output);
  assert.deepEqual(
    lines.map(([, what, sequence]) => `${what} ${sequence}`),
    [...range(2, 501).map((sequence) => `stored ${sequence}`), 'omitted ', 'stored 505', 'stored 506'],
  );
  assert.deepEqual(lines[500], ['2026-01-05T12:00:01.000Z', 'omitted', '', '', '', '', '', '', '3', '']);
});
