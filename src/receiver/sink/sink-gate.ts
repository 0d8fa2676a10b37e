// Decides when a delivery may be sent to a target: up to a number at once, and during an outage of the target only one now and then, as a
// probe. Deliveries that would only wait during an outage are turned away, so that another forwarder, which may reach the target, gets them.

import type { Clock, Random } from '../../world/world.ts';
import { probeDelayMs } from '../forwarding/retry-delay.ts';

export interface SinkGate {
  /** Resolves when a delivery may be sent, or with `undefined` if it should not wait here. */
  enter(): Promise<Pass | undefined>;
  /** Resolves when another delivery should be fetched. */
  room(): Promise<void>;
  state(): GateState;
  /** How long nothing has reached the target; `undefined` if something does. */
  outageMs(): number | undefined;
  stop(): void;
}

/** Returned once, with what the attempt showed about the target. */
export interface Pass {
  reached(): void;
  unreachable(fault: string): void;
  /** There was no attempt. */
  unused(): void;
}

export interface GateState {
  readonly inFlight: number;
  readonly waiting: number;
  readonly fault: string | undefined;
}

export interface GateOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  readonly random: Random;
  readonly concurrency: number;
  /** `undefined`: the outage is over. */
  readonly onOutage: (fault: string | undefined) => void;
}

interface Outage {
  readonly fault: string;
  readonly since: number;
  probes: number;
  isProbeDue: boolean;
}

/** More than one delivery is kept during an outage, so that a single bad delivery does not look like an outage. */
const keptInOutage = 3;

export function createSinkGate({ clock, random, concurrency, onOutage }: GateOptions): SinkGate {
  const waiting: ((pass: Pass | undefined) => void)[] = [];
  const wanting: (() => void)[] = [];
  let inFlight = 0;
  let isStopped = false;
  let outage: Outage | undefined;
  /** Changes when an outage begins or ends. What an attempt from before shows about the target is out of date. */
  let era = 0;
  let cancelProbe = () => {};

  const isFull = () => outage !== undefined && waiting.length + inFlight >= keptInOutage;

  const pump = () => {
    while (waiting.length > 0 && !isStopped && (outage ? outage.isProbeDue : inFlight < concurrency))
      waiting.shift()?.(admit());
    if (outage) for (const resolve of waiting.splice(keptInOutage)) resolve(undefined);
    if (!isFull()) for (const resolve of wanting.splice(0)) resolve();
  };

  const probeLater = (current: Outage) => {
    current.probes += 1;
    cancelProbe = clock.after(probeDelayMs(current.probes, random), () => {
      current.isProbeDue = true;
      pump();
    });
  };

  const admit = (): Pass => {
    const [probed, started] = [outage, era];
    if (probed) probed.isProbeDue = false;
    inFlight += 1;
    const leave = (learn: () => void) => {
      inFlight -= 1;
      if (!isStopped) learn();
      pump();
    };
    return {
      reached: () =>
        leave(() => {
          if (!probed || probed !== outage) return;
          outage = undefined;
          era += 1;
          onOutage(undefined);
        }),
      unreachable: (fault) =>
        leave(() => {
          if (probed && probed === outage) probeLater(probed);
          else if (!outage && started === era) {
            outage = { fault, since: clock.monotonic(), probes: 0, isProbeDue: false };
            era += 1;
            onOutage(fault);
            probeLater(outage);
          }
        }),
      unused: () =>
        leave(() => {
          if (probed && probed === outage) probed.isProbeDue = true;
        }),
    };
  };

  return {
    enter: () =>
      new Promise((resolve) => {
        if (isStopped || isFull()) return resolve(undefined);
        waiting.push(resolve);
        pump();
      }),
    room: () =>
      new Promise((resolve) => {
        if (isStopped || !isFull()) return resolve();
        wanting.push(resolve);
      }),
    state: () => ({ inFlight, waiting: waiting.length, fault: outage?.fault }),
    outageMs: () => (outage === undefined ? undefined : clock.monotonic() - outage.since),
    stop() {
      isStopped = true;
      cancelProbe();
      for (const resolve of waiting.splice(0)) resolve(undefined);
      for (const resolve of wanting.splice(0)) resolve();
    },
  };
}
