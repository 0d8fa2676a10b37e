// What goes wrong: at random, as often as a seed decides, or exactly what a plan says, step by step.

import { type PowerCut, powerCuts } from '#test/support/disk/memory-disk.ts';
import type { Random } from '#test/support/random.ts';

/** A process ends before the effect of its step, or after it. */
const deaths = ['dies', 'dies after'] as const;
const diskFaults = ['EIO', 'ENOSPC', 'short'] as const;
const networkFaults = ['refused', 'request lost', 'response lost'] as const;
/** After the effect: the process stands still for a while, as when it is stopped or its container is paused. */
const freeze = 'freezes';

export type Blow =
  | (typeof deaths | typeof powerCuts | typeof diskFaults | typeof networkFaults)[number]
  | typeof freeze;

/** What else can strike at a step of this kind. `room`: takes room on the disk, so that a full one fails it. */
const faultsOf = {
  write: diskFaults,
  room: ['EIO', 'ENOSPC'],
  disk: ['EIO'],
  request: networkFaults,
  /** A request from outside the machine. */
  outside: networkFaults,
  other: [],
} as const satisfies Record<string, readonly Blow[]>;

/** A call with an effect: on the disk, in the keychain, on the network or on an output. */
export interface Step {
  readonly name: string;
  readonly kind: keyof typeof faultsOf;
  readonly mayFreeze?: boolean;
}

export interface Strike {
  readonly step: Step;
  readonly blow: Blow;
}

export const isPowerCut = (blow: Blow | undefined): blow is PowerCut =>
  blow?.startsWith('power cut') ?? false;

export const isDeath = (blow: Blow): boolean => deaths.some((death) => death === blow);

export function blowsFor({ kind, mayFreeze }: Step): readonly Blow[] {
  if (kind === 'outside') return networkFaults;
  return [...deaths, ...powerCuts, ...faultsOf[kind], ...(mayFreeze ? ([freeze] as const) : [])];
}

export class Fates {
  /** Set by a scenario. The steps of calm times are not counted. */
  isHarsh = false;
  /** Set by a scenario that lets processes freeze: when they send a request or write. */
  mayFreeze = false;
  /** The steps taken so far. */
  readonly steps: Step[] = [];
  readonly #random: Random;
  readonly #plan: ReadonlyMap<number, Blow> | undefined;
  readonly struck: Strike[] = [];
  readonly #rates: ReadonlyMap<Blow, number>;

  /** `plan`: the blows by the number of their step. */
  constructor(random: Random, plan?: ReadonlyMap<number, Blow>) {
    this.#random = random;
    this.#plan = plan;
    this.#rates = new Map(plan ? [] : chooseRates(random));
  }

  /** Whether a plan says what strikes, so that the rest should be short, and the same each time. */
  get isPlanned(): boolean {
    return this.#plan !== undefined;
  }

  /** What strikes at this step, if anything. */
  next(call: Step): Blow | undefined {
    if (!this.isHarsh) return undefined;
    const mayFreeze = this.mayFreeze && (call.kind === 'request' || call.kind === 'write');
    const step = { ...call, mayFreeze };
    const number = this.steps.push(step) - 1;
    const blow = this.#plan
      ? this.#plan.get(number)
      : blowsFor(step).find((one) => this.#random.chance(this.#rates.get(one) ?? 0));
    if (blow) this.struck.push({ step, blow });
    return blow;
  }

  /** What has struck so far, by its kind. */
  get counts(): Record<'deaths' | 'powerCuts' | 'diskFaults' | 'networkFaults', number> {
    const count = (which: readonly Blow[]) => this.struck.filter(({ blow }) => which.includes(blow)).length;
    return {
      deaths: count(deaths) + count(powerCuts),
      powerCuts: count(powerCuts),
      diskFaults: count(diskFaults),
      networkFaults: count(networkFaults),
    };
  }
}

/** Each seed has some kinds of harm and not others, so that one does not hide what another would show. */
function* chooseRates(random: Random): Iterable<readonly [Blow, number]> {
  const often = random.one([0.08, 0.02, 0.006]);
  if (random.chance(0.8)) for (const blow of deaths) yield [blow, often / 2];
  if (random.chance(0.5)) for (const blow of powerCuts) yield [blow, often / 4];
  if (random.chance(0.4)) for (const blow of diskFaults) yield [blow, 0.02];
  if (random.chance(0.6)) for (const blow of networkFaults) yield [blow, 0.06];
  yield [freeze, 0.01];
}
