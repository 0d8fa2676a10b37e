// The work of one process for one target of a sink: what it holds for the target, and when it may fetch and send more. Several deliveries
// are sent at once, but during an outage only an occasional probe. Between probes this process fetches nothing, so that a forwarder that
// can reach the target gets the deliveries.

import type { AttemptResult, Target } from '#receiver/core/forwarding/target.ts';
import { createTargetGate, type GateOptions } from '#receiver/core/forwarding/target-gate.ts';
import type { TargetState } from '#receiver/core/forwarding/target-line.ts';
import type { Clock } from '#world/world.ts';

interface LineOptions extends GateOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after' | 'sleep'>;
  readonly concurrency: number;
}

/** Spreads the fetches when a probe is due, so that a different delivery can be the probe each time. */
const spreadMs = 200;

export type SinkLine = ReturnType<typeof createSinkLine>;

export function createSinkLine(target: Target, options: LineOptions) {
  const { clock, random, concurrency } = options;
  /** When each held delivery was received, by sequence number. */
  const held = new Map<number, number>();
  /** Deliveries that were put back after a failure, by consumer. */
  const failed = new Map<string, { readonly receivedAt: number; readonly due: number }>();
  const waiters: (() => void)[] = [];
  let inFlight = 0;
  let waiting = 0;
  let isStopped = false;
  const nextChange = () => new Promise<void>((resolve) => waiters.push(resolve));
  const changed = () => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const gate = createTargetGate(target, options, changed);
  return {
    target,
    held,
    failed,
    /** When this process last forwarded a delivery there, in milliseconds since 1970. */
    forwardedAt: 0,
    givesUp: gate.givesUp,
    /** Resolves when a delivery should be fetched. */
    async open() {
      if (gate.isOpen()) return;
      while (!isStopped && !gate.isOpen()) await nextChange();
      if (gate.outage()) await clock.sleep(spreadMs * random());
    },
    /** Resolves when a delivery may be sent; to `undefined` if it should be put back. Otherwise as the gate's `enter`. */
    async enter() {
      waiting += 1;
      while (!isStopped && gate.isOpen() && inFlight >= concurrency) await nextChange();
      waiting -= 1;
      if (isStopped || !gate.isOpen()) return undefined;
      const leave = gate.enter();
      inFlight += 1;
      return (result?: AttemptResult) => {
        inFlight -= 1;
        leave(result);
        changed();
      };
    },
    state(): TargetState {
      const now = clock.monotonic();
      // Once it is due, another forwarder may have it, without this process knowing.
      for (const [consumer, { due }] of failed) if (due <= now) failed.delete(consumer);
      const times = [...held.values(), ...[...failed.values()].map(({ receivedAt }) => receivedAt)];
      return {
        target: target.name,
        inFlight,
        waiting,
        retrying: failed.size,
        fault: gate.outage()?.fault,
        // The page of a sink asks the servers how much waits.
        isBehind: false,
        oldest: times.length === 0 ? undefined : Math.min(...times),
      };
    },
    stop() {
      isStopped = true;
      gate.stop();
      changed();
    },
  };
}
