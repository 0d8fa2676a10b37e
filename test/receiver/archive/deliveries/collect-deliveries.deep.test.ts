// More deliveries than a function takes arguments.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { createWorld } from '#world/create-world.ts';
import { received, writtenJournal } from './written-journal.ts';

test('the last 130,000 deliveries are listed before following', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  const count = 130_000;
  const delivery = received('TaskCreated', 'A1');
  for (let at = 0; at < count; at += 1_000)
    await Promise.all(Array.from({ length: 1_000 }, () => journal.append(delivery)));
  await journal.close();
  const signals = handSignals();
  // Following ends once what is there was read.
  const sleep = async () => {
    signals.interrupt();
    return new Promise<void>(() => {});
  };
  const { status, output, errors } = await wm(`webhook log --follow --last ${count}`, {
    world: {
      process: { ...signals.process, self: ['node'] },
      clock: { ...createWorld().clock, sleep },
    },
  });
  assert.equal(status, 130, errors);
  assert.equal(output.trimEnd().split('\n').length, count);
});
