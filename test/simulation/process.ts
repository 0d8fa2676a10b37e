// One process of the simulated machine. Each of its calls takes time of its own and may fail; at each step it may die, and then
// nothing that its code still does has an effect.

import { fault, OpenFiles, type PowerCut, type Share } from '#test/support/disk/memory-disk.ts';
import type { Random } from '#test/support/random.ts';
import type { Simulation } from './events.ts';
import { type Blow, type Fates, isPowerCut, type Step } from './fates.ts';

/** Ends the code of a process that is dead. */
export class Killed extends Error {}

/** What the processes of a machine share. */
export interface Surroundings {
  readonly simulation: Simulation;
  readonly fates: Fates;
  /** Ends every process, and loses what was not synced. */
  cutPower(cut: PowerCut): void;
}

export class SimulatedProcess {
  readonly surroundings: Surroundings;
  readonly name: string;
  readonly pid: number;
  isAlive = true;
  frozenUntil = 0;
  /** Nothing strikes it, and its steps do not count. */
  isSpared = false;
  readonly random: Random;
  readonly ended: Promise<number>;
  /** Run when it ends, however it does. */
  readonly onEnd = new Set<(status: number) => void>();
  readonly interruptions = new Set<(signal: 'SIGINT' | 'SIGTERM') => void>();
  readonly files = new OpenFiles();

  constructor(surroundings: Surroundings, name: string, pid: number) {
    this.surroundings = surroundings;
    this.name = name;
    this.pid = pid;
    this.random = surroundings.simulation.randomOf(name);
    this.ended = new Promise((resolve) => this.onEnd.add(resolve));
  }

  log(text: string): void {
    this.surroundings.simulation.log(this.name, text);
  }

  /** An asynchronous call: its effect has a moment of its own, `leastMs` from now, and its result may arrive later still. */
  call<T>(step: Step | undefined, effect: (share: Share) => T, leastMs = 0): Promise<T> {
    const { simulation } = this.surroundings;
    const delay = leastMs + this.random.next() * (this.random.chance(0.8) ? 0.3 : 8);
    return new Promise((resolve, reject) => {
      const run = () => {
        let settle: () => void;
        try {
          const value = this.now(step, effect);
          settle = () => resolve(value);
        } catch (error) {
          if (error instanceof Killed) return;
          settle = () => reject(error);
        }
        if (this.random.chance(0.3)) simulation.after(this.random.next() * 3, settle, this);
        else settle();
      };
      if (this.isAlive) simulation.after(delay, run, this);
    });
  }

  /** A synchronous call. Throws {@link Killed} if the process is dead or dies. */
  now<T>(step: Step | undefined, effect: (share: Share) => T): T {
    const blow = step && this.strike(step);
    if (!this.isAlive) throw new Killed();
    if (step && (blow === 'EIO' || blow === 'ENOSPC')) throw fault(blow, step.name);
    let value: T;
    try {
      value = effect((length) => (blow === 'short' ? Math.ceil(length / 2) : length));
    } finally {
      this.suffer(blow);
    }
    if (!this.isAlive) throw new Killed();
    return value;
  }

  /** Counts the step. `dies` has happened when this returns. */
  strike(step: Step): Blow | undefined {
    if (!this.isAlive) return undefined;
    const blow = this.isSpared
      ? undefined
      : this.surroundings.fates.next({ ...step, name: `${this.name}: ${step.name}` });
    this.log(blow ? `${step.name}, ${blow}` : step.name);
    if (blow === 'dies') this.kill();
    return blow;
  }

  /** What a blow does after the effect of its step. */
  suffer(blow: Blow | undefined): void {
    if (blow === 'dies after') this.kill();
    if (isPowerCut(blow)) this.surroundings.cutPower(blow);
    // Shorter and longer than others wait for it.
    if (blow === 'freezes')
      this.frozenUntil = this.surroundings.simulation.now + this.random.one([30_000, 90_000, 300_000]);
  }

  interrupt(signal: 'SIGINT' | 'SIGTERM'): void {
    this.log(signal);
    if (this.interruptions.size === 0) this.end(signal === 'SIGINT' ? 130 : 143);
    for (const listener of [...this.interruptions]) listener(signal);
  }

  /** As SIGKILL does. */
  kill(): void {
    this.end(137);
  }

  end(status: number): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.log(`ends with ${status}`);
    this.files.closeAll();
    for (const run of [...this.onEnd]) run(status);
  }
}
