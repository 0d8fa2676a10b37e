// Whether deliveries can be stored, and if not, why: from each attempt to store one, and from each look at the stream.

import type { Clock, NatsConnection, NatsFault, NatsStream } from '../../world/world.ts';
import { JournalFull } from '../delivery-journal.ts';
import { lacksQuorum } from './sink-layout.ts';

export interface SinkHealth {
  stored(): void;
  /** The error that the receiver reports. */
  failed(fault: NatsFault): Error;
  /** `since`: when the look began, on the monotonic clock. */
  readonly look: (found: NatsStream | NatsFault, since: number) => void;
  /** `undefined` if deliveries can be stored, as far as is known. */
  fault(): string | undefined;
}

export interface HealthOptions {
  readonly nats: Pick<NatsConnection, 'outage'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly stream: string;
}

const noQuorum = 'no quorum of the NATS servers confirms it';
/** A stream that was full has room again below this share of its limit. */
const roomAgain = 0.95;
/** If it is still fuller than that, one delivery may try after this time. */
const tryAgainMs = 60_000;

export function createSinkHealth({ nats, clock, stream }: HealthOptions): SinkHealth {
  /** Why deliveries could not be stored: the first reason until one is stored again, so that an outage is reported once. */
  let tried: string | undefined;
  /** When storing one last failed. */
  let failedAt = Number.NEGATIVE_INFINITY;
  /** What the last look at the stream found: there may have been nothing to store. */
  let seen: string | undefined;
  return {
    stored() {
      tried = undefined;
    },
    failed(fault) {
      failedAt = clock.monotonic();
      if (fault.fault === 'full') {
        tried = `the stream ${stream} is full, or its servers' disks are (${fault.detail})`;
        return new JournalFull(tried);
      }
      tried ??= describeFault(fault, nats.outage());
      return new Error(tried);
    },
    /** A load balancer sends nothing to a receiver that is not ready, so the receiver must notice by itself that the sink is back. */
    look(found, since) {
      if ('fault' in found) {
        seen = describeFault(found, nats.outage());
        return;
      }
      // A leader that has lost the others does not notice at once that it no longer leads.
      seen = lacksQuorum(found) ? noQuorum : undefined;
      if (seen !== undefined) return;
      const hasRoom = found.maxBytes === 0 || found.bytes < found.maxBytes * roomAgain;
      if (failedAt < since - (hasRoom ? 0 : tryAgainMs)) tried = undefined;
    },
    fault: () => tried ?? nats.outage() ?? seen,
  };
}

/** `connection`: why there is none. */
export function describeFault({ fault, detail }: NatsFault, connection: string | undefined): string {
  if (fault === 'not-allowed') return `the NATS servers do not allow it (${detail})`;
  if (connection !== undefined) return `no connection to the NATS servers (${connection})`;
  if (fault === 'no-quorum' || fault === 'timeout') return noQuorum;
  return `the NATS servers do not store it (${detail})`;
}
