// The emulator's clock, for retries, expiry and scheduled jobs: the real clock until it is frozen or advanced.

import { formatTimestamp } from '#contract/date.ts';
import type { World } from '#world/world.ts';

/** The state of the clock in a data file. */
export interface ClockState {
  /** Milliseconds ahead of the real clock. */
  readonly offset: number;
  readonly frozenAt?: number;
}

export type EmulatorClock = ReturnType<typeof createEmulatorClock>;

export function createEmulatorClock(
  world: Pick<World, 'clock'>,
  onError: (error: unknown) => void,
  state: ClockState = { offset: 0 },
) {
  let { offset, frozenAt } = state;
  let disarm: (() => void) | undefined;
  let advancing: Promise<unknown> = Promise.resolve();
  let stopCount = 0;
  const timers: { readonly due: number; readonly run: () => void }[] = [];

  /** Milliseconds since 1970. */
  const now = () => frozenAt ?? world.clock.now() + offset;

  function runDue(until: number): boolean {
    const next = timers[0];
    if (next === undefined || next.due > until) return false;
    timers.shift();
    try {
      next.run();
    } catch (error) {
      onError(error);
    }
    return true;
  }

  function arm(): void {
    disarm?.();
    disarm = undefined;
    const next = timers[0];
    if (next === undefined || frozenAt !== undefined) return;
    // Node's timers take at most 2^31 - 1 milliseconds.
    disarm = world.clock.after(Math.min(Math.max(0, next.due - now()), 86_400_000), () => {
      disarm = undefined;
      while (frozenAt === undefined && runDue(now()));
      arm();
    });
  }

  function moveTo(instant: number): void {
    if (frozenAt === undefined) offset += Math.max(0, instant - now());
    else frozenAt = Math.max(frozenAt, instant);
  }

  function stop(): void {
    stopCount++;
    timers.length = 0;
    arm();
  }

  return {
    now,
    timestamp: () => formatTimestamp(now()),
    get frozen() {
      return frozenAt !== undefined;
    },
    get state(): ClockState {
      return frozenAt === undefined ? { offset } : { offset, frozenAt };
    },
    /** Calls a function once, later. Returns a function that cancels it. */
    after(milliseconds: number, run: () => void) {
      const timer = { due: now() + milliseconds, run };
      // Timers due at the same instant run in the order they were set. Most go to the end, so search from there.
      timers.splice(timers.findLastIndex(({ due }) => due <= timer.due) + 1, 0, timer);
      if (timers[0] === timer) arm();
      return () => {
        const index = timers.indexOf(timer);
        if (index !== -1) timers.splice(index, 1);
      };
    },
    freeze(instant?: number) {
      frozenAt = instant ?? now();
      arm();
    },
    resume() {
      if (frozenAt === undefined) return;
      offset = frozenAt - world.clock.now();
      frozenAt = undefined;
      arm();
    },
    /**
     * Advances the clock and runs the timers that become due, in order. Awaits `settle` after each, so that the timers that they set
     * also run. Resolves with false if the clock was stopped or reset meanwhile.
     */
    advance(milliseconds: number, settle: () => Promise<void>) {
      const stopsBefore = stopCount;
      const move = async () => {
        await settle();
        if (stopCount !== stopsBefore) return false;
        const target = now() + milliseconds;
        for (let next = timers[0]; next !== undefined && next.due <= target; next = timers[0]) {
          moveTo(next.due);
          runDue(next.due);
          await settle();
          if (stopCount !== stopsBefore) return false;
        }
        moveTo(target);
        arm();
        return true;
      };
      const moved = advancing.then(move);
      advancing = moved.catch(() => undefined);
      return moved;
    },
    stop,
    /** Cancels all timers, and returns to the real clock. */
    reset() {
      offset = 0;
      frozenAt = undefined;
      stop();
    },
  };
}
