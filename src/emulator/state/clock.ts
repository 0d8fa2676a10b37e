// The emulator's own time: it runs with the world's clock until it is frozen, and can be moved forward. Everything that
// the service does later (retries, expiry, the late description event) waits on this clock.

import type { World } from '../../world/world.ts';

/** Where it stands, as a file keeps it. */
export interface ClockState {
  /** How far it is before the world's clock. */
  readonly offset: number;
  readonly frozenAt?: number;
}

export interface EmulatorClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Runs once, later; the result cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  readonly frozen: boolean;
  readonly state: ClockState;
  /** Stops time, at the given instant where there is one. */
  freeze(at?: number): void;
  resume(): void;
  /**
   * Moves on, running what falls due in its order; `settle` is awaited after each so that its consequences count. False
   * where it ended on the way, since what waits was forgotten.
   */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<boolean>;
  /** Forgets everything that waits. */
  stop(): void;
  /** The same, and runs with the world's time again. */
  reset(): void;
}

interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/** Timers of the world may not hold more than 31 bits of milliseconds; a day at a time is enough. */
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
    get frozen() {
      return frozenAt !== undefined;
    },
    get state() {
      return frozenAt === undefined ? { offset } : { offset, frozenAt };
    },
    after(milliseconds, run) {
      const entry = { due: now() + milliseconds, run };
      // Later ones of the same instant come later; most go to the end, so the place is looked for from there.
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
