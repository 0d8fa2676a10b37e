// Gives `webhook log` and `webhook replay` access to a sink. Replays are recorded there too, by one process at a time.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { findOldest, readBacklog, type SinkTarget } from '#receiver/sink/sink-consumers.ts';
import { createSinkEntries } from '#receiver/sink/sink-entries.ts';
import { isFault } from '#receiver/sink/sink-faults.ts';
import type { SinkUrl } from '#receiver/sink/sink-url.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { DeliveryArchive, EntrySource } from '../deliveries/delivery-archive.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { formatTargetFlags, unknownTargetFlags } from '../deliveries/target-flags.ts';
import { type StorageFlags, storageFlagsOf } from '../listening/storage-flags.ts';
import { openSink } from './open-sink.ts';
import {
  currentForwarders,
  forwardingOf,
  lastSinkTarget,
  lastTargetOf,
  nameProcesses,
  readSinkForwarders,
  type SinkForwarder,
  targetsOf,
} from './sink-forwarders.ts';
import { createSinkReplays } from './sink-replays.ts';

/** @throws {Failure} if the sink cannot be reached, does not exist, or has settings that are too weak. */
export async function openSinkArchive(
  context: Context,
  url: SinkUrl,
  flags: StorageFlags,
): Promise<DeliveryArchive> {
  const sink = await openSink(context, url, flags, true);
  const entries = createSinkEntries(sink);
  /** Only the number of waiting deliveries comes from the consumers, as far as they respond. */
  const source: EntrySource = {
    async bounds() {
      const { first, delivery: last } = await entries.state();
      const backlog = await readBacklog(sink);
      return {
        first,
        last,
        firstSince: entries.firstSince,
        isUnfinished: () => true,
        unfinished: isFault(backlog) ? 0 : backlog.unfinished,
        oldestUnfinished: isFault(backlog) ? undefined : await findOldest(sink, backlog),
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
    describeForwarders: async () => describeForwarders(context, flags, await forwarders()),
    async describeAbandoned() {
      const backlog = await readBacklog(sink);
      if (isFault(backlog)) return [];
      return describeAbandoned(context, url, flags, backlog.targets, await forwarders());
    },
    lastTarget: () => lastSinkTarget(sink, context),
    // A failure may be about a target of a replay, not about these servers.
    explain: async (error) => (error instanceof Failure ? error : sink.explain(error)),
    close: () => sink.nats.close(),
  };
}

function describeForwarders(
  context: Pick<Context, 'world' | 'common'>,
  flags: StorageFlags,
  forwarders: readonly SinkForwarder[],
): string {
  const current = currentForwarders(forwarders);
  const running = current.filter(({ isRunning }) => isRunning);
  if (running.length > 0)
    return `The waiting deliveries are forwarded in order, as soon as their target accepts them, by ${nameProcesses(running)}.`;
  const [last] = current;
  const target = last && lastTargetOf(last);
  const targetFlags =
    target === undefined || 'problem' in target
      ? unknownTargetFlags
      : formatTargetFlags({ forwardTo: target.forwardTo, route: target.routes });
  const command = formatCommandWith(context, 'webhook forward', [], ...targetFlags, ...storageFlagsOf(flags));
  const heard = last
    ? `: ${nameProcesses([last])} ${last.hasEnded ? 'ended' : 'was last heard of'} at ${isoTime(last.heardAt)}`
    : '';
  return `No forwarder of this sink runs${heard}. To forward the waiting deliveries: ${command}`;
}

/** Describes targets with waiting deliveries that no forwarder serves any more. Empty before the first forwarder. */
function describeAbandoned(
  context: Pick<Context, 'world' | 'common'>,
  url: SinkUrl,
  { sink: _, ...connection }: StorageFlags,
  targets: readonly SinkTarget[],
  forwarders: readonly SinkForwarder[],
): readonly string[] {
  const current = currentForwarders(forwarders);
  const served = new Set(current.flatMap(targetsOf));
  return targets.flatMap(({ hash, name, waiting }) => {
    if (current.length === 0 || waiting === 0 || served.has(name)) return [];
    const shown = sanitizeLine(name);
    const retire = formatCommandWith(
      context,
      'webhook sink',
      ['retire', url.text],
      '--target',
      shown !== '' && shown === name ? name : hash,
      ...storageFlagsOf(connection),
    );
    return [
      `${countOf(waiting, 'delivery waits', 'deliveries wait')} for ${shown || 'an earlier target'}, which no forwarder serves any more. Start one that does, or give that target up: ${retire}`,
    ];
  });
}
