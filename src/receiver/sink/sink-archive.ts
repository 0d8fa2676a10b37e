// Gives `webhook log` and `webhook replay` access to a sink. Replays are recorded there too, by one process at a time.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { DeliveryArchive, EntrySource } from '../archive/deliveries/delivery-archive.ts';
import { isoTime } from '../archive/deliveries/delivery-columns.ts';
import { formatTargetFlags, unknownTargetFlags } from '../archive/replaying/target-flags.ts';
import { type SinkUrl, type StorageFlags, storageFlagsOf } from '../archive/storage-flags.ts';
import { findOldest, readBacklog } from './jetstream/sink-consumers.ts';
import { createSinkEntries } from './jetstream/sink-entries.ts';
import { isFault } from './jetstream/sink-faults.ts';
import { openSink } from './open-sink.ts';
import {
  currentForwarders,
  forwardingOf,
  lastSinkTarget,
  lastTargetOf,
  nameProcesses,
  readSinkForwarders,
  targetsOf,
} from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';

/** @throws {Failure} if the sink cannot be reached, does not exist, or has settings that are too weak. */
export async function openSinkArchive(
  context: Context,
  url: SinkUrl,
  flags: StorageFlags,
): Promise<DeliveryArchive> {
  const { sink: _, ...connection } = flags;
  const sink = await openSink(context, url, flags, true);
  const entries = createSinkEntries(sink);
  /** Only the backlog comes from the consumers, as far as they respond. */
  const source: EntrySource = {
    async bounds() {
      const { first, delivery: last } = await entries.state();
      return {
        first,
        last,
        firstSince: entries.firstSince,
        hasNotesLast: true,
        isUnfinished: () => true,
        async backlog() {
          const backlog = await readBacklog(sink);
          if (isFault(backlog)) return { unfinished: 0, oldest: undefined };
          return { unfinished: backlog.unfinished, oldest: await findOldest(sink, backlog) };
        },
      };
    },
    read: entries.read,
  };
  const forwarders = () => readSinkForwarders(sink);
  return {
    source,
    folder: undefined,
    replays: createSinkReplays(sink),
    forwarding: async () => forwardingOf(await forwarders()),
    async describeForwarders() {
      const current = currentForwarders(await forwarders());
      const running = current.filter(({ isRunning }) => isRunning);
      if (running.length > 0)
        return `The waiting deliveries are forwarded in order, within five minutes after their target accepts them again, by ${nameProcesses(running)}.`;
      const [last] = current;
      const target = last && lastTargetOf(last);
      const targetFlags =
        target === undefined || 'problem' in target
          ? unknownTargetFlags(last ? targetsOf(last) : [])
          : formatTargetFlags({ forwardTo: target.forwardTo, route: target.routes });
      const forwardFlags = [...targetFlags, ...storageFlagsOf(flags)];
      const command = formatCommandWith(context, 'webhook forward', [], ...forwardFlags);
      const heard = last
        ? `: ${nameProcesses([last])} ${last.hasEnded ? 'ended' : 'was last heard of'} at ${isoTime(last.heardAt)}`
        : '';
      return `No forwarder of this sink runs${heard}. To forward the waiting deliveries: ${command}`;
    },
    /** Empty before the first forwarder. */
    async describeAbandoned() {
      const backlog = await readBacklog(sink);
      if (isFault(backlog)) return [];
      const current = currentForwarders(await forwarders());
      const served = new Set(current.flatMap(targetsOf));
      return backlog.targets.flatMap(({ hash, name, waiting }) => {
        if (current.length === 0 || waiting === 0 || served.has(name)) return [];
        const shown = sanitizeLine(name);
        const target = shown !== '' && shown === name ? name : hash;
        const retireFlags = ['--target', target, ...storageFlagsOf(connection)];
        const retire = formatCommandWith(context, 'webhook sink', ['retire', url.text], ...retireFlags);
        return [
          `${countOf(waiting, 'delivery waits', 'deliveries wait')} for ${shown || 'an earlier target'}, which no forwarder serves any more. Start one that does, or give that target up: ${retire}`,
        ];
      });
    },
    lastTarget: () => lastSinkTarget(sink, context),
    // A failure may be about a target of a replay, not about these servers.
    explain: async (error) => (error instanceof Failure ? error : sink.explain(error)),
    close: () => sink.nats.close(),
  };
}
