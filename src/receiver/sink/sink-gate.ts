// Decides when a delivery may be sent to a target: several at once, but during an outage only an occasional probe. Between probes this
// process fetches nothing, so that a forwarder that can reach the target gets the deliveries.

import type { ForwarderOptions } from '../forwarding/forwarder.ts';
import { probeDelayMs } from '../forwarding/retry-delay.ts';

interface GateOptions extends Pick<ForwarderOptions, 'clock' | 'random' | 'concurrency'> {
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
  const waiters: (() => void)[] = [];
  let inFlight = 0;
  let waiting = 0;
  let isStopped = false;
  let outage: Outage | undefined;
  let cancelProbe = () => {};
  const isOpen = () => outage === undefined || outage.isProbeDue;
  const nextChange = () => new Promise<void>((resolve) => waiters.push(resolve));
  const changed = () => {
    for (const resolve of waiters.splice(0)) resolve();
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
        changed();
      });
    }
  };

  return {
    /** Resolves when a delivery should be fetched. */
    async open() {
      if (isOpen()) return;
      while (!isStopped && !isOpen()) await nextChange();
      if (outage) await clock.sleep(spreadMs * random());
    },
    /**
     * Resolves when a delivery may be sent; to `undefined` if it should be put back. Call the function once with the fault; with
     * `undefined` if the target was reached, with `unused` if no attempt was made.
     */
    async enter() {
      waiting += 1;
      while (!isStopped && isOpen() && inFlight >= concurrency) await nextChange();
      waiting -= 1;
      if (isStopped || !isOpen()) return undefined;
      const outageAtStart = outage;
      if (outage) outage.isProbeDue = false;
      inFlight += 1;
      return (fault: string | undefined) => {
        inFlight -= 1;
        // If an outage has begun or ended since, the result is out of date.
        if (outageAtStart === outage && !isStopped) applyResult(fault);
        changed();
      };
    },
    state: () => ({ inFlight, waiting, fault: outage?.fault }),
    /** How long the target has been unreachable; 0 if it is reachable. */
    outageMs: () => (outage === undefined ? 0 : clock.monotonic() - outage.since),
    stop() {
      isStopped = true;
      cancelProbe();
      changed();
    },
  };
}
