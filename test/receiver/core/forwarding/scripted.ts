// Targets that do as the test says, and a forwarder over a journal in memory, on a clock that the test moves.

import assert from 'node:assert/strict';
import { type ForwarderOptions, JournalForwarder } from '#receiver/core/forwarding/forwarder.ts';
import type { AttemptResult, Target } from '#receiver/core/forwarding/target.ts';
import type { Activity } from '#receiver/core/intake/delivery-journal.ts';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { createMemoryJournal, type MemoryJournal } from './memory-journal.ts';

const mostMs = 4 * 86_400_000;

export const forwarded = (outcome = '200'): AttemptResult => ({
  verdict: 'forwarded',
  outcome,
  milliseconds: 1,
});
export const failed = (outcome = '500'): AttemptResult => ({ verdict: 'retry', outcome, milliseconds: 1 });
export const unavailable: AttemptResult = {
  verdict: 'unavailable',
  outcome: 'connection-refused',
  milliseconds: 1,
  detail: 'connect ECONNREFUSED',
};

export interface Sent {
  readonly sequence: number;
  readonly attempt: number;
  readonly at: number;
  readonly target: string;
}

/** `decide` may return a promise, to hold the attempt. What was sent is in the order in which the attempts began. */
export function createScriptedTarget(
  clock: Pick<TestClock, 'monotonic'>,
  decide: (sent: Sent, signal: AbortSignal) => AttemptResult | Promise<AttemptResult>,
  name = 'http://target/',
): Target & { readonly sent: readonly Sent[] } {
  const sent: Sent[] = [];
  return {
    name,
    sent,
    async send({ sequence }, attempt, signal) {
      const request = { sequence, attempt, at: clock.monotonic(), target: name };
      sent.push(request);
      return decide(request, signal);
    },
  };
}

/** As a target that hangs: until the forwarder stops. */
export const untilAborted = (signal: AbortSignal): Promise<AttemptResult> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(failed('aborted')), { once: true });
  });

export interface Bench {
  readonly clock: TestClock;
  readonly journal: MemoryJournal;
  readonly activity: Activity[];
  start(targets: readonly Target[], options?: Partial<ForwarderOptions>): JournalForwarder;
  /** Everything that is ready now has happened. */
  settle(): Promise<void>;
  /** Moves the clock on, a second at a time or in longer steps, until it is true. Fails after 4 days. */
  runUntil(isDone: () => boolean, stepMs?: number): Promise<void>;
}

export function createBench(): Bench {
  const clock = createTestClock();
  const journal = createMemoryJournal(clock.now);
  const activity: Activity[] = [];
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await clock.nextTurn();
  };
  return {
    clock,
    journal,
    activity,
    settle,
    start: (targets, options) =>
      new JournalForwarder({
        journal,
        targets,
        chooseTargets: () => targets,
        clock,
        random: () => 0.5,
        concurrency: 10,
        maxAttempts: 12,
        retryForMs: options?.maxAttempts === undefined ? 86_400_000 : undefined,
        giveUpAfterMs: 3 * 86_400_000,
        onActivity: (reported) => activity.push(reported),
        ...options,
      }),
    async runUntil(isDone, stepMs = 1000) {
      for (let at = 0; !isDone(); at += stepMs) {
        assert.ok(at < mostMs, 'it does not come to an end');
        await settle();
        if (isDone()) return;
        clock.advance(stepMs);
      }
    },
  };
}
