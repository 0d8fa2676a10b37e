// A sink as the source for `webhook log` and `webhook replay`. Replays are recorded there too; only one process at a time may replay.

import type { Context } from '#cli/context.ts';
import type { Failure } from '#failure.ts';
import { findOldest, readBacklog } from '#receiver/sink/sink-consumers.ts';
import { SinkEntries } from '#receiver/sink/sink-entries.ts';
import { isFault } from '#receiver/sink/sink-faults.ts';
import type { NatsConnection } from '#world/world.ts';
import type { DeliveryPlace } from '../deliveries/delivery-place.ts';
import type { EntrySource } from '../deliveries/entry-source.ts';
import type { PlaceFlags } from '../deliveries/place-flags.ts';
import { unknownTarget } from '../deliveries/unknown-target.ts';
import { describeAbandoned, describeForwarders } from './describe-forwarders.ts';
import { lastSinkTarget } from './last-sink-target.ts';
import { nameServers, openSink } from './open-sink.ts';
import { toSinkFailure } from './sink-failures.ts';
import { forwardingOf, readSinkForwarders } from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';

/** @throws {Failure} if it cannot be reached, does not exist, or is weaker than it must be. */
export async function openSinkPlace(
  context: Context,
  sink: string,
  flags: PlaceFlags,
): Promise<DeliveryPlace> {
  const { url, nats } = await openSink(context, sink, flags);
  const { clock, process: self } = context.world;
  const toFailure = (error: unknown) => nameServers(context, url, flags, toSinkFailure(error, url));
  const orFailure = <T>(result: Promise<T>) =>
    result.catch(async (error: unknown) => {
      throw await toFailure(error);
    });
  const replays = createSinkReplays(context.world, nats, url);
  const entries = new SinkEntries(nats, clock, url.stream);
  const forwarders = () => orFailure(readSinkForwarders(nats, url.stream, clock.now()));
  return {
    source: createSinkSource(nats, url.stream, entries, toFailure),
    folder: undefined,
    replays: { ...replays, read: () => orFailure(replays.read()) },
    forwarding: async () => forwardingOf(await forwarders()),
    describeForwarders: async () => describeForwarders(context, flags, await forwarders()),
    async describeAbandoned() {
      const backlog = await readBacklog(nats, url.stream);
      if (isFault(backlog)) return [];
      return describeAbandoned(context, { sink: url.text, flags }, backlog.targets, await forwarders());
    },
    async lastTarget() {
      const last = lastSinkTarget(await forwarders(), self.host);
      if ('problem' in last) throw unknownTarget(last.problem);
      return last;
    },
    close: () => nats.close(),
  };
}

/** What waits is asked of the consumers, as far as they respond: nothing else depends on them. */
function createSinkSource(
  nats: NatsConnection,
  stream: string,
  entries: SinkEntries,
  toFailure: (error: unknown) => Promise<Failure>,
): EntrySource {
  return {
    async bounds() {
      try {
        const { first, delivery: last } = await entries.state();
        const backlog = await readBacklog(nats, stream);
        return {
          first,
          last,
          firstSince: (time) => entries.firstSince(time),
          isUnfinished: () => true,
          unfinished: isFault(backlog) ? 0 : backlog.unfinished,
          oldestUnfinished: isFault(backlog) ? undefined : await findOldest(nats, backlog),
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
