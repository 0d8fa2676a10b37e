// Decides when a delivery may be sent to a target: several at once, but during an outage only an occasional probe. Between probes this
// process fetches nothing, so that a forwarder that can reach the target gets the deliveries.

import type { Clock, Random } from '#world/world.ts';
import { probeDelayMs } from '../forwarding/retry-delay.ts';

/** Called once with the fault; `undefined` if the target was reached, `unused` if no attempt was made. */
type Pass = (fault: string | 'unused' | undefined) => void;

interface GateOptions {
  readonly clock: Pick<Clock, 'monotonic' | 'after' | 'sleep'>;
  readonly random: Random;
  readonly concurrency: number;
  /** Called when an outage begins, and with `undefined` when it ends. */
  readonly onOutage: (fault: string | undefined) => void;
}

interface Outage {
  readonly fault: string;
  readonly since: number;
  probes: number;
  isProbeDue: boolean;
}

/** Spreads the fetches when a probe is due, so that a different delivery can be the probe each time. */
const spreadMs = 200;

export type SinkGate = ReturnType<typeof createSinkGate>;

export function createSinkGate({ clock, random, concurrency, onOutage }: GateOptions) {
  const fetchWaiters: (() => void)[] = [];
  const sendWaiters: ((pass: Pass | undefined) => void)[] = [];
  let inFlight = 0;
  let isStopped = false;
  let outage: Outage | undefined;
  let cancelProbe = () => {};
  const isOpen = () => isStopped || outage === undefined || outage.isProbeDue;

  const pump = () => {
    while (!isStopped && isOpen() && inFlight < concurrency && sendWaiters[0]) sendWaiters.shift()?.(admit());
    if (isStopped || !isOpen()) for (const resolve of sendWaiters.splice(0)) resolve(undefined);
    if (isOpen()) for (const resolve of fetchWaiters.splice(0)) resolve();
  };
  const admit = (): Pass => {
    const outageAtStart = outage;
    if (outageAtStart) outageAtStart.isProbeDue = false;
    inFlight += 1;
    return (fault) => {
      inFlight -= 1;
      // If an outage has begun or ended since, the result is out of date.
      if (outageAtStart === outage && !isStopped) applyResult(fault);
      pump();
    };
  };
  const applyResult = (fault: string | undefined) => {
    const earlier = outage;
    if (fault === 'unused') {
      if (earlier) earlier.isProbeDue = true;
    } else if (fault === undefined) {
      outage = undefined;
      if (earlier) onOutage(undefined);
    } else {
      const current = earlier ?? { fault, since: clock.monotonic(), probes: 0, isProbeDue: false };
      outage = current;
      if (!earlier) onOutage(fault);
      current.probes += 1;
      cancelProbe = clock.after(probeDelayMs(current.probes, random), () => {
        current.isProbeDue = true;
        pump();
      });
    }
  };

  return {
    /** Resolves when a delivery should be fetched. */
    async open() {
      if (isOpen()) return;
      await new Promise<void>((resolve) => fetchWaiters.push(resolve));
      if (outage) await clock.sleep(spreadMs * random());
    },
    /** Resolves when a delivery may be sent; to `undefined` if it should be put back. */
    enter: () =>
      new Promise<Pass | undefined>((resolve) => {
        sendWaiters.push(resolve);
        pump();
      }),
    state: () => ({ inFlight, waiting: sendWaiters.length, fault: outage?.fault }),
    /** How long the target has been unreachable; 0 if it is reachable. */
    outageMs: () => (outage === undefined ? 0 : clock.monotonic() - outage.since),
    stop() {
      isStopped = true;
      cancelProbe();
      pump();
    },
  };
}
