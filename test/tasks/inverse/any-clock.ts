// Property: undo is of the last update, whatever the clock said. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';

const id = sample.task;
const day = 86_400_000;
const noon = Date.UTC(2026, 10, 15, 12);
const at = (milliseconds: number) => ({ world: { clock: clockAt(milliseconds) } });
const update = (task: string, title: string) => ['task', 'update', task, '--title', title, '--undoable'];
const undo = (task: string) => ['task', 'undo', task, '--yes'];

/** Where the clock stands beside the right time. Within one case, the month ahead is one and the same. */
const wrongBy = fc.constantFrom(0, -3_600_000, 3_600_000, -40 * day, 382 * day);
const tasks = [id, sample.backlog] as const;
const step = fc.record({
  wrongBy,
  /** Hours of the right time since the step before. */
  hours: fc.nat(24 * 3),
  does: fc.constantFrom('update', 'bulk', 'undo'),
  task: fc.constantFrom(...tasks),
});

/** Declares the test, with so many runs. */
export function testAnyClock(runs: number): void {
  test('any updates, bulk runs and undos, with the clock set before each: undo reverts the last', async (context) => {
    const { wm, task } = await emulated(context);
    let name = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        let time = noon;
        /** By task: the title before its last update, and now. */
        const titles = new Map<string, readonly [before: string | undefined, now: string]>();
        for (const one of tasks) titles.set(one, [undefined, (await task(one)).title]);
        const set = (one: string, now: string) => titles.set(one, [titles.get(one)?.[1], now]);
        for (const { wrongBy, hours, does, task: one } of steps) {
          time += hours * 3_600_000;
          const clock = at(time + wrongBy);
          const title = `title ${++name}`;
          if (does === 'update') {
            await wm(update(one, title), { ...clock, exit: 0 });
            set(one, title);
          } else if (does === 'bulk') {
            await wm(['task', 'update', ...tasks, '--title', title, '--undoable', '--yes', '--restart'], {
              ...clock,
              exit: 0,
            });
            for (const each of tasks) set(each, title);
          } else {
            const [before] = titles.get(one) ?? [];
            if (before === undefined) continue;
            await wm(undo(one), { ...clock, exit: 0 });
            set(one, before);
          }
        }
        for (const [one, [, now]] of titles) assert.equal((await task(one)).title, now);
      }),
      { numRuns: runs },
    );
  });
}
