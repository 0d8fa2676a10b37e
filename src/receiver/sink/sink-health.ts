// Whether deliveries can be stored, and if not, why: from each attempt to store one, and from each look at the stream.

import type { Clock, NatsConnection, NatsFault, NatsStream } from '#world/world.ts';
import { JournalFull } from '../intake/delivery-journal.ts';
import { lacksQuorum } from './sink-layout.ts';

/** A stream that was full has room again below this share of its limit; if it is still fuller, one delivery may try after this time. */
const roomAgain = 0.95;
const tryAgainMs = 60_000;

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
    if ('fault' in found) this.#seen = describeFault(found, this.#nats.outage());
    // A leader that has lost the others does not notice at once that it no longer leads.
    else if (lacksQuorum(found)) this.#seen = noQuorum;
    else {
      this.#seen = undefined;
      const hasRoom = found.maxBytes === 0 || found.bytes < found.maxBytes * roomAgain;
      if (this.#failedAt < since - (hasRoom ? 0 : tryAgainMs)) this.#tried = undefined;
    }
  }

  /** `undefined` if deliveries can be stored, as far as is known. */
  fault(): string | undefined {
    return this.#tried ?? this.#nats.outage() ?? this.#seen;
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
  if (fault === 'no-quorum' || fault === 'timeout')
    return isRead ? 'no quorum of the NATS servers responds' : noQuorum;
  return isRead
    ? `the NATS servers respond with an error (${detail})`
    : `the NATS servers do not store it (${detail})`;
}
