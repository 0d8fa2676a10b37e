// What `wm webhook listen` prints is a delivery's way to its reader: one that a filter fails on does not count as printed.
// printed-deliveries.deep.test.ts: one that no program reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkpoint } from '#test/support/gate.ts';
import { firstCells } from '#test/support/program/cells.ts';
import { deliver, listen } from './running-listener.ts';

const created = (title: unknown) => [{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG', title }];

test('a delivery that the --jq filter fails on is a dead letter, and the others are printed', async (context) => {
  // The first result of the second delivery is there before the filter fails.
  const filter = 'select(.kind == "delivery") | .sequence, (.payload[0].title | ascii_downcase)';
  const listener = await listen(context, ['--drain', '600', '--jq', filter]);
  for (const title of ['ONE', 2, 'THREE', 4]) assert.equal(await deliver(listener, created(title)), 200);
  await listener.prints(/^three$/m);
  assert.equal(listener.output, '1\none\n3\nthree\n');
  // Together, each about a task of its own, so that none waits for another.
  const numbers = Array.from({ length: 12 }, (_, number) => number);
  const send = (number: number) =>
    deliver(listener, [
      { eventType: 'TaskCreated', taskId: `T${number}`, title: number % 3 === 0 ? number : `N${number}` },
    ]);
  assert.deepEqual(new Set(await Promise.all(numbers.map(send))), new Set([200]));
  const { status, output, errors } = await listener.stop();
  assert.deepEqual(
    output.match(/^n\d+$/gm)?.toSorted(),
    numbers
      .filter((number) => number % 3 !== 0)
      .map((number) => `n${number}`)
      .toSorted(),
  );
  const warnings = errors.split('\n').filter((line) => line.includes('cannot be printed'));
  assert.equal(warnings.length, 1, errors);
  assert.match(
    warnings[0] ?? '',
    /^Delivery #2 cannot be printed: the filter of --jq failed after 1 result, which is not printed: .*explode input must be a string.* It is a dead letter.*To see it: wm webhook log 2$/,
  );
  assert.match(errors, /^16 received, 6 dead letters\.$/m);
  assert.equal(status, 0, errors);
  const log = await listener.wm('webhook log --dead-letters -q');
  assert.deepEqual(firstCells(log.output).slice(0, 2), ['2', '4']);
});

test('Ctrl-C ends it while its output is blocked, and the delivery waits', async (context) => {
  const reader = checkpoint();
  const write = (text: string) => {
    if (!text.includes('"kind":"delivery"')) return Promise.resolve();
    reader.reach();
    return reader.opened;
  };
  const listener = await listen(context, '--json --drain 0', { output: { write } });
  assert.equal(await deliver(listener, created('ONE')), 200);
  await reader.reached;
  const { status, errors } = await listener.stop();
  assert.equal(status, 0, errors);
  assert.match(errors, /^1 received, 1 waiting\. The next wm webhook listen forwards/m);
});
