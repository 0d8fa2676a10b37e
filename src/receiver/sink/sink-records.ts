// The records of consumers in the progress stream, as this process knows them: often no other process has written since the last look, and
// nothing has to be read. A newly elected leader that lacks the last records does not overrule what this process knows.

import type { Clock, NatsConnection, NatsFault } from '../../world/world.ts';
import {
  confirmProgress,
  type Known,
  readProgress,
  type Step,
  versionOf,
  writeProgress,
} from './sink-progress.ts';

export interface SinkRecords {
  /** `isFresh`: as it is now, not as it was last known. */
  last(consumer: string, isFresh: boolean): Promise<Known | NatsFault>;
  /** Makes the next look a fresh one. */
  forget(consumer: string): void;
  /**
   * A conflict if another process has written since `before`. If `needsLook` returns false once the record is stored, a conflict may go
   * unnoticed.
   */
  write(consumer: string, step: Step, before: Known, needsLook?: () => boolean): Promise<Known | NatsFault>;
}

export interface SinkRecordsOptions {
  readonly nats: Pick<NatsConnection, 'publish' | 'read'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
  readonly stream: string;
  /** How long records older than the known ones are doubted. After that, the stream must have been created again. */
  readonly believeMs: number;
}

export function createSinkRecords({ nats, clock, stream, believeMs }: SinkRecordsOptions): SinkRecords {
  const lastKnown = new Map<string, Known>();
  /** By consumer: the highest version seen, and since when only lower ones are seen. */
  const highest = new Map<string, { readonly version: number; readonly lowerSince: number | undefined }>();

  const keep = (consumer: string, known: Known): Known => {
    const version = versionOf(known);
    if (version >= (highest.get(consumer)?.version ?? 0))
      highest.set(consumer, { version, lowerSince: undefined });
    lastKnown.set(consumer, known);
    return known;
  };

  const read = async (consumer: string): Promise<Known | NatsFault> => {
    const found = await readProgress(nats, stream, consumer);
    if ('fault' in found) return found;
    const { version, lowerSince = clock.monotonic() } = highest.get(consumer) ?? { version: 0 };
    if (versionOf(found) < version) {
      highest.set(consumer, { version, lowerSince });
      if (clock.monotonic() - lowerSince < believeMs)
        return { fault: 'no-quorum', detail: 'its leader does not have all records yet' };
      highest.delete(consumer);
    }
    return keep(consumer, found);
  };

  return {
    async last(consumer, isFresh) {
      if (isFresh) lastKnown.delete(consumer);
      return lastKnown.get(consumer) ?? read(consumer);
    },
    forget: (consumer) => void lastKnown.delete(consumer),
    async write(consumer, step, before, needsLook = () => true) {
      lastKnown.delete(consumer);
      const written = await writeProgress(nats, stream, consumer, step, before);
      if ('fault' in written) return written;
      const known = needsLook()
        ? await confirmProgress(nats, stream, consumer, written)
        : { ...written, winner: written.at, time: clock.now() };
      return 'fault' in known ? known : keep(consumer, known);
    },
  };
}
