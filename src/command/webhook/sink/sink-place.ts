// A sink as the source for `webhook log` and `webhook replay`. Replays are recorded there too; only one process at a time may replay.

import type { Failure } from '../../../failure.ts';
import { createRetriedReads } from '../../../receiver/sink/retried-reads.ts';
import { createSinkEntries, type SinkEntries } from '../../../receiver/sink/sink-entries.ts';
import type { Context } from '../../context.ts';
import type { DeliveryPlace } from '../deliveries/delivery-place.ts';
import type { EntrySource } from '../deliveries/entry-source.ts';
import type { PlaceFlags } from '../deliveries/place-flags.ts';
import { unknownTarget } from '../deliveries/unknown-target.ts';
import { describeAbandoned } from './describe-abandoned.ts';
import { describeForwarders } from './describe-forwarders.ts';
import { lastSinkTarget } from './last-sink-target.ts';
import { toSinkFailure } from './sink-failures.ts';
import { forwardingOf, readSinkForwarders } from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';
import { nameServers, openSinkNamingServers } from './which-respond.ts';

/** @throws {Failure} if it cannot be reached, does not exist, or is weaker than it must be. */
export async function openSinkPlace(
  context: Context,
  sink: string,
  flags: PlaceFlags,
): Promise<DeliveryPlace> {
  const opened = await openSinkNamingServers(context, sink, flags);
  const { url } = opened;
  const nats = { ...opened.nats, ...createRetriedReads(opened.nats, context.world.clock) };
  const toFailure = (error: unknown) => nameServers(context, url, flags, toSinkFailure(error, url));
  const replays = createSinkReplays(context.world, nats, url);
  const entries = createSinkEntries(nats, url.stream);
  const forwarders = () =>
    readSinkForwarders(nats, url.stream, context.world.clock.now()).catch(async (error: unknown) => {
      throw await toFailure(error);
    });
  return {
    source: createSinkSource(entries, toFailure),
    folder: undefined,
    replays: {
      ...replays,
      read: () =>
        replays.read().catch(async (error: unknown) => {
          throw await toFailure(error);
        }),
    },
    forwarding: async () => forwardingOf(await forwarders()),
    describeForwarders: async () => describeForwarders(context, flags, await forwarders()),
    async describeAbandoned() {
      const { consumers } = await entries.backlog().catch(async (error: unknown) => {
        throw await toFailure(error);
      });
      return describeAbandoned(context, { sink: url.text, flags }, consumers, await forwarders());
    },
    async lastTarget() {
      const last = lastSinkTarget(await forwarders(), context.world.process.host);
      if ('problem' in last) throw unknownTarget(last.problem);
      return last;
    },
    close: () => nats.close(),
  };
}

function createSinkSource(
  entries: SinkEntries,
  toFailure: (error: unknown) => Promise<Failure>,
): EntrySource {
  return {
    async bounds() {
      try {
        const { stream, unfinished, oldestUnfinished, settledTo, isUnfinished } = await entries.backlog();
        return {
          first: Math.max(1, stream.firstSequence),
          last: stream.lastSequence,
          firstSince: async (time) => (await entries.firstSince(time)) ?? 1,
          isUnfinished(sequence) {
            const partition = entries.partitionOf(sequence);
            return sequence > settledTo && (partition === undefined || isUnfinished(partition, sequence));
          },
          unfinished,
          oldestUnfinished,
        };
      } catch (error) {
        throw await toFailure(error);
      }
    },
    async *read(options) {
      try {
        yield* entries.read(options);
      } catch (error) {
        throw await toFailure(error);
      }
    },
  };
}
