// What NATS servers do not do: which faults pass by themselves while a leader is elected, which takes seconds, how each is described, and
// whether deliveries can be stored.

import type { Clock, NatsConnection, NatsFault, NatsStream } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import { lacksQuorum } from './sink-layout.ts';

const againMs = 500;
const passing: readonly NatsFault['fault'][] = ['no-quorum', 'timeout'];

export const isFault = (value: unknown): value is NatsFault =>
  typeof value === 'object' && value !== null && 'fault' in value && typeof value.fault === 'string';

/** Returns the last fault if it has not passed within the limit. `more`: further faults that may pass. */
export async function untilQuorum<T>(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  limitMs: number,
  ask: () => Promise<T | NatsFault>,
  more: readonly NatsFault['fault'][] = [],
): Promise<T | NatsFault> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const result = await ask();
    if (!isFault(result) || ![...passing, ...more].includes(result.fault) || clock.monotonic() >= end)
      return result;
    await clock.sleep(againMs);
  }
}

const noQuorum = 'no quorum of the NATS servers confirms it';

/** `connection`: why there is none. */
export function describeFault(
  { fault, detail }: NatsFault,
  connection: string | undefined,
  isRead = false,
): string {
  if (fault === 'not-allowed') return `the NATS servers do not allow it (${detail})`;
  if (connection !== undefined) return `no connection to the NATS servers (${connection})`;
  if (passing.includes(fault)) return isRead ? 'no quorum of the NATS servers responds' : noQuorum;
  return `the NATS servers ${isRead ? 'respond with an error' : 'do not store it'} (${detail})`;
}

/** A stream that was full has room again below this share of its limit; if it is still fuller, one delivery may try after this time. */
const roomAgain = 0.95;
const tryAgainMs = 60_000;

/** From each attempt to store a delivery, and from each look at the stream. */
export class SinkHealth {
  readonly #nats: Pick<NatsConnection, 'outage'>;
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Why deliveries could not be stored: the first reason until one is stored again, so that an outage is reported once. */
  #tried: string | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** What the last look at the stream found: there may have been nothing to store. */
  #seen: string | undefined;

  constructor(nats: Pick<NatsConnection, 'outage'>, clock: Pick<Clock, 'monotonic'>) {
    this.#nats = nats;
    this.#clock = clock;
  }

  stored(): void {
    this.#tried = undefined;
  }

  /** The error that the receiver reports. */
  failed(fault: NatsFault, stream: string): Error {
    this.#failedAt = this.#clock.monotonic();
    const isFull = fault.fault === 'full';
    if (isFull) this.#tried = `the stream ${stream} is full, or its servers' disks are (${fault.detail})`;
    this.#tried ??= describeFault(fault, this.#nats.outage());
    return isFull ? new JournalFull(this.#tried) : new Error(this.#tried);
  }

  /**
   * A load balancer sends nothing to a receiver that is not ready, so the receiver must notice by itself that the sink is back.
   * `since`: when the look began, on the monotonic clock.
   */
  look(found: NatsStream | NatsFault, since: number): void {
    // A leader that has lost the others does not notice at once that it no longer leads.
    if (isFault(found)) this.#seen = describeFault(found, this.#nats.outage());
    else this.#seen = lacksQuorum(found) ? noQuorum : undefined;
    if (isFault(found) || this.#seen !== undefined) return;
    const { max_bytes } = found.config;
    const hasRoom = max_bytes <= 0 || found.state.bytes < max_bytes * roomAgain;
    if (this.#failedAt < since - (hasRoom ? 0 : tryAgainMs)) this.#tried = undefined;
  }

  /** `undefined` if deliveries can be stored, as far as is known. */
  fault(): string | undefined {
    return this.#tried ?? this.#nats.outage() ?? this.#seen;
  }
}
