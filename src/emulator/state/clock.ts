// The emulator's own clock: it runs with the real one until it is frozen, and can be advanced. Everything that the service
// does later (retries, expiry, scheduled jobs) uses this clock.

import { formatTimestamp } from '#contract/date.ts';
import type { World } from '#world/world.ts';

/** The state of the clock in a data file. */
export interface ClockState {
  /** Milliseconds ahead of the real clock. */
  readonly offset: number;
  readonly frozenAt?: number;
}

export interface EmulatorClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The same as a record's timestamp. */
  timestamp(): string;
  /** Runs a function once, later. Returns a function that cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  readonly frozen: boolean;
  readonly state: ClockState;
  /** Stops the clock, now or at the given instant. */
  freeze(at?: number): void;
  resume(): void;
  /**
   * Advances the clock and runs the timers that become due, in order. `settle` is awaited after each, so that timers that
   * it sets count too. Resolves with false if the clock was stopped or reset on the way.
   */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<boolean>;
  stop(): void;
  /** Cancels all timers, and runs with the real clock again. */
  reset(): void;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** Node's timers take at most 2^31 - 1 milliseconds; a day at a time is enough. */
const maxTimeoutMs = 86_400_000;

export function createEmulatorClock(
  world: Pick<World, 'clock'>,
  onError: (error: unknown) => void,
  state: ClockState = { offset: 0 },
): EmulatorClock {
  let { offset, frozenAt } = state;
  let disarm: (() => void) | undefined;
  let advancing: Promise<unknown> = Promise.resolve();
  let stopCount = 0;
  const waiting: Timer[] = [];

  const now = () => frozenAt ?? world.clock.now() + offset;
  /** The latest timestamp: thousands of records may be changed in its second. */
  const latest = { second: Number.NaN, text: '' };

  function runDue(until: number): boolean {
    const first = waiting[0];
    if (first === undefined || first.due > until) return false;
    waiting.shift();
    try {
      first.run();
    } catch (error) {
      onError(error);
    }
    return true;
  }

  function arm(): void {
    disarm?.();
    disarm = undefined;
    const first = waiting[0];
    if (first === undefined || frozenAt !== undefined) return;
    disarm = world.clock.after(Math.min(Math.max(0, first.due - now()), maxTimeoutMs), () => {
      disarm = undefined;
      while (frozenAt === undefined && runDue(now()));
      arm();
    });
  }

  function moveTo(instant: number): void {
    if (frozenAt === undefined) offset += Math.max(0, instant - now());
    else frozenAt = Math.max(frozenAt, instant);
  }

  return {
    now,
    timestamp() {
      const second = Math.floor(now() / 1_000);
      if (second !== latest.second) Object.assign(latest, { second, text: formatTimestamp(second * 1_000) });
      return latest.text;
    },
    get frozen() {
      return frozenAt !== undefined;
    },
    get state() {
      return frozenAt === undefined ? { offset } : { offset, frozenAt };
    },
    after(milliseconds, run) {
      const entry = { due: now() + milliseconds, run };
      // Timers due at the same instant run in the order they were set. Most go to the end, so search from there.
      waiting.splice(waiting.findLastIndex((one) => one.due <= entry.due) + 1, 0, entry);
      if (waiting[0] === entry) arm();
      return () => {
        const index = waiting.indexOf(entry);
        if (index !== -1) waiting.splice(index, 1);
      };
    },
    freeze(at) {
      frozenAt = at ?? now();
      arm();
    },
    resume() {
      if (frozenAt === undefined) return;
      offset = frozenAt - world.clock.now();
      frozenAt = undefined;
      arm();
    },
    advance(milliseconds, settle) {
      const before = stopCount;
      const move = async () => {
        await settle();
        if (stopCount !== before) return false;
        const target = now() + milliseconds;
        for (let first = waiting[0]; first !== undefined && first.due <= target; first = waiting[0]) {
          moveTo(first.due);
          runDue(first.due);
          await settle();
          if (stopCount !== before) return false;
        }
        moveTo(target);
        arm();
        return true;
      };
      const own = advancing.then(move);
      advancing = own.catch(() => undefined);
      return own;
    },
    stop() {
      stopCount++;
      waiting.length = 0;
      arm();
    },
    reset() {
      offset = 0;
      frozenAt = undefined;
      this.stop();
    },
  };
}
