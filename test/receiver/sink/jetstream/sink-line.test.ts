// When a forwarder of a sink may fetch a delivery, and send it to a target; and how requests to NATS are retried: not by all receivers
// at the same moments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilQuorum } from '#receiver/sink/jetstream/sink-faults.ts';
import { createSinkLine } from '#receiver/sink/jetstream/sink-line.ts';
import { createScriptedTarget, forwarded, unavailable } from '#test/receiver/core/forwarding/scripted.ts';
import { createTestClock } from '#test/support/clock.ts';

function createLine(concurrency: number) {
  const clock = createTestClock();
  const faults: (string | undefined)[] = [];
  const line = createSinkLine(
    createScriptedTarget(clock, () => forwarded()),
    {
      clock,
      random: () => 0.5,
      concurrency,
      giveUpAfterMs: 60_000,
      onActivity(activity) {
        if (activity.kind === 'target') faults.push(activity.fault);
      },
    },
  );
  return { clock, line, faults };
}

test('one delivery probes during an outage; a late result from before neither ends it nor starts another', async () => {
  const { clock, line, faults } = createLine(3);
  const [first, second, third] = [await line.enter(), await line.enter(), await line.enter()];
  first?.(unavailable);
  second?.(forwarded());
  assert.deepEqual(faults, ['connect ECONNREFUSED']);
  assert.equal(await line.enter(), undefined);
  const opened = line.open();
  clock.advance(1_000);
  const probe = await line.enter();
  assert.equal(await line.enter(), undefined);
  // A delivery that was not sent after all leaves the attempt to the next one.
  probe?.();
  (await line.enter())?.(forwarded());
  clock.advance(1_000);
  await opened;
  third?.(unavailable);
  assert.deepEqual(faults, ['connect ECONNREFUSED', undefined]);
});

test('sends no more deliveries at once than the limit allows; a stop puts back the others', async () => {
  const { line } = createLine(1);
  const first = await line.enter();
  const [second, third] = [line.enter(), line.enter()];
  assert.deepEqual([line.state().inFlight, line.state().waiting], [1, 2]);
  first?.(forwarded());
  assert.ok(await second);
  line.stop();
  assert.equal(await third, undefined);
});

const noQuorum = { fault: 'no-quorum', detail: 'no leader' } as const;

test('the waits between retries differ from one receiver to the next, and end at the limit', async () => {
  for (const [chance, expected] of [
    [0, [150, 150, 150]],
    [0.5, [225, 225]],
    [1, [300, 300]],
  ] as const) {
    const clock = createTestClock((milliseconds) => clock.advance(milliseconds));
    const result = await untilQuorum({ clock, random: () => chance }, 700, async () => noQuorum);
    assert.deepEqual(result, noQuorum);
    assert.deepEqual(clock.waits, expected);
  }
});
