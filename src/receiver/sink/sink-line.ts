// What this process does for one target: the gate in front of it, and the deliveries that it has fetched, or put back after a failure.

import type { Clock } from '../../world/world.ts';
import type { TargetState } from '../forwarding/forwarder.ts';
import type { Target } from '../forwarding/target.ts';
import type { SinkGate } from './sink-gate.ts';

export interface SinkLine {
  readonly target: Target;
  readonly gate: SinkGate;
  take(consumer: string, sequence: number, receivedAt: number): void;
  /** This process is done with it: it is settled, or another forwarder has it. */
  leave(sequence: number): void;
  /** An attempt failed here. After the delay, the servers hand the delivery out again to whichever forwarder asks. */
  failed(consumer: string, receivedAt: number, delayMs: number): void;
  held(): number;
  /** `unsettled`: how many deliveries the target has not settled, as far as the servers have said. */
  state(unsettled: number): TargetState;
}

interface Failed {
  readonly receivedAt: number;
  /** On the monotonic clock. From then on another forwarder may have it, and this one does not learn of it. */
  readonly due: number;
}

export function createSinkLine(target: Target, gate: SinkGate, clock: Pick<Clock, 'monotonic'>): SinkLine {
  const held = new Map<number, number>();
  /** By consumer: each has one delivery handed out. */
  const failed = new Map<string, Failed>();
  const retrying = () => {
    const now = clock.monotonic();
    for (const [consumer, { due }] of failed) if (due <= now) failed.delete(consumer);
    return [...failed.values()];
  };
  return {
    target,
    gate,
    take(consumer, sequence, receivedAt) {
      failed.delete(consumer);
      held.set(sequence, receivedAt);
    },
    leave: (sequence) => void held.delete(sequence),
    failed: (consumer, receivedAt, delayMs) =>
      void failed.set(consumer, { receivedAt, due: clock.monotonic() + delayMs }),
    held: () => held.size,
    state(unsettled) {
      const waiting = retrying();
      const times = [...held.values(), ...waiting.map(({ receivedAt }) => receivedAt)];
      return {
        target: target.name,
        ...gate.state(),
        retrying: waiting.length,
        isBehind: unsettled > held.size + waiting.length,
        oldest: times.length === 0 ? undefined : Math.min(...times),
      };
    },
  };
}
