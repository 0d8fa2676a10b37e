// One queue of events and one clock. What happens in a simulation, and in which order, follows from its seed alone.

import { createHash } from 'node:crypto';
import { noon, sleepingBy } from '#test/support/clock.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { FreezeTolerantTimeLimit } from '#world/clock.ts';
import type { Clock } from '#world/world.ts';

/** A promise of the program, or of wm's users, that does not hold. */
export class Violation extends Error {}

/** Whose event it is: what has ended takes no part any more, and what is frozen does so later. */
interface Owner {
  readonly isAlive: boolean;
  readonly frozenUntil: number;
}

interface Event {
  at: number;
  /** Decides between events of one moment. */
  readonly order: number;
  readonly owner: Owner | undefined;
  run: (() => void) | undefined;
}

/** Far more than any scenario needs: then something goes round in circles. */
const mostEvents = 400_000;

/** The only thing that does not come from the seed: how world/ names a file that will replace another. */
const temporaryName = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

export class Simulation {
  /** Milliseconds since the start. */
  now = 0;
  /** How far somebody has set the time of day. */
  skew = 0;
  events = 0;
  readonly seed: number;
  readonly keepsTrace: boolean;
  readonly random: Random;
  readonly trace: string[] = [];
  /** The first violation, or error of the simulation itself. */
  failure: unknown;
  readonly #queue: Event[] = [];
  readonly #digest = createHash('sha256');

  constructor(seed: number, keepsTrace = false) {
    this.seed = seed;
    this.keepsTrace = keepsTrace;
    this.random = createRandom(Math.imul(seed, 2_654_435_761));
  }

  /** Numbers of its own for each process: how often another one draws does not change them. */
  randomOf(name: string): Random {
    return createRandom(createHash('sha256').update(`${this.seed} ${name}`).digest().readUInt32LE());
  }

  timeOfDay(): number {
    return Math.floor(noon + this.now + this.skew);
  }

  log(who: string, text: string): void {
    const line = `${this.now.toFixed(1).padStart(10)} ${who}: ${text.replaceAll(temporaryName, '.*')}`;
    this.#digest.update(line);
    if (this.keepsTrace) this.trace.push(line);
  }

  /** Two runs, or two series of them, that did the same have the same one. `before`: that of the earlier runs. */
  digest(before: string): string {
    return this.#digest.copy().update(before).digest('hex').slice(0, 16);
  }

  /** Returns a function that cancels it. */
  after(delayMs: number, run: () => void, owner?: Owner): () => void {
    const event: Event = { at: this.now + Math.max(0, delayMs), order: this.random.next(), owner, run };
    this.#enqueue(event);
    return () => {
      event.run = undefined;
    };
  }

  #enqueue(event: Event): void {
    let at = this.#queue.length;
    while (at > 0 && isLater(event, this.#queue[at - 1])) at--;
    this.#queue.splice(at, 0, event);
  }

  pass(milliseconds: number): Promise<void> {
    return new Promise((resolve) => void this.after(milliseconds, resolve));
  }

  /** Runs events until the work is done. Throws the first failure. */
  async run(work: Promise<void>): Promise<void> {
    let isDone = false;
    work
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        isDone = true;
      });
    for (;;) {
      // Whatever the last event set off runs to its end, or to its next call.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (this.failure !== undefined) throw this.failure;
      if (isDone) return;
      const event = this.#queue.pop();
      if (!event) throw new Violation('Nothing happens any more');
      if (!event.run || event.owner?.isAlive === false) continue;
      const { frozenUntil = 0 } = event.owner ?? {};
      if (frozenUntil > event.at) {
        event.at = frozenUntil;
        this.#enqueue(event);
        continue;
      }
      if (++this.events > mostEvents) throw new Violation('It never ends');
      this.now = event.at;
      try {
        event.run();
      } catch (error) {
        this.fail(error);
      }
    }
  }

  fail(error: unknown): void {
    this.failure ??= error;
  }
}

/** `bootedAt`: where its monotonic time begins. */
export function clockOf(simulation: Simulation, owner?: Owner, bootedAt = 0): Clock {
  // Node's timers take a millisecond at least.
  const after = (milliseconds: number, run: () => void) =>
    simulation.after(Math.max(1, milliseconds), run, owner);
  const clock: Clock = {
    now: () => simulation.timeOfDay(),
    monotonic: () => simulation.now - bootedAt,
    limit: (milliseconds, onEnd) => new FreezeTolerantTimeLimit(clock, after, milliseconds, onEnd),
    after,
    sleep: sleepingBy(after),
    nextTurn: () => new Promise((resolve) => void simulation.after(0, resolve, owner)),
  };
  return clock;
}

/** The next event is the last of the queue. */
function isLater(event: Event, other: Event | undefined): boolean {
  return other !== undefined && (other.at < event.at || (other.at === event.at && other.order < event.order));
}

/** Throws a {@link Violation} that says what does not hold. */
export function hold(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Violation(promise);
}
