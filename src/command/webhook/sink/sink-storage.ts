// A sink as the storage of a receiver, and of a forwarder.

import { randomBytes } from 'node:crypto';
import { usageError } from '../../../failure.ts';
import type { Forwarder } from '../../../receiver/forwarding/forwarder.ts';
import { targetName } from '../../../receiver/forwarding/target-url.ts';
import { ensureConsumers } from '../../../receiver/sink/sink-consumers.ts';
import { ackWaitMs, startSinkForwarder } from '../../../receiver/sink/sink-forwarder.ts';
import { SinkJournal } from '../../../receiver/sink/sink-journal.ts';
import { partitionsOf } from '../../../receiver/sink/sink-layout.ts';
import type { Context } from '../../context.ts';
import { toKebabCase } from '../../flag.ts';
import { placeFlagsOf } from '../deliveries/place-flags.ts';
import { formatTargetFlags } from '../deliveries/target-flags.ts';
import type { ForwardingRecord } from '../listen/forwarding-file.ts';
import { forwardingLimits } from '../listen/forwarding-options.ts';
import type { ListenFlags } from '../listen/listen-flags.ts';
import type { ReceiverStorage } from '../listen/receiver-storage.ts';
import { lastTargetOf } from './last-sink-target.ts';
import { type ForwarderRecord, recordForwarder } from './record-forwarder.ts';
import { sinkFailure } from './sink-failures.ts';
import { openSinkNamingServers } from './which-respond.ts';

/** Flags of the local journal. */
const journalFlags = ['journal', 'keepDays', 'maxSize', 'print'] as const;

/** @throws {Failure} if the sink cannot be reached, does not exist, or is weaker than it must be. */
export async function openSinkStorage(
  context: Context,
  flags: ListenFlags & { readonly sink?: string },
): Promise<ReceiverStorage> {
  const { world } = context;
  const needless = journalFlags.find((name) => flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(
      `--sink and --${toKebabCase(needless)} cannot be combined`,
      'Leave one of them out: the streams of a sink have settings of their own, and others use them too.',
    );
  const { nats, url, partitions } = await openSinkNamingServers(context, flags.sink ?? '', flags);
  const { stream } = url;
  const { clock, random } = world;
  const journal = new SinkJournal({ nats, clock, random, stream, partitions });
  const holder = randomBytes(12).toString('hex');
  const { host, pid } = world.process;
  const self = { holder, host, pid, partial: partialTargets(flags) };
  let record: ForwarderRecord | undefined;
  return {
    journal,
    name: url.text,
    folder: undefined,
    flags: placeFlagsOf(context, flags),
    isShared: true,
    async openPage(titles, by) {
      const { openSinkPage } = await import('./sink-page.ts');
      return openSinkPage(context, flags, { nats, url, journal, titles, by });
    },
    async startForwarder(targets, onActivity) {
      if (targets.all.length === 0) return noForwarder(journal);
      const create = async () => {
        const found = await nats.stream(stream);
        if ('fault' in found) return found;
        const now = partitionsOf(found);
        // The stream was created again meanwhile.
        if (now !== partitions)
          return {
            fault: 'conflict',
            detail: `the stream ${stream} has ${now ?? 'no'} partitions now, not ${partitions}: restart wm`,
          } as const;
        return ensureConsumers({
          nats,
          clock,
          stream,
          partitions,
          targets: targets.all,
          ackWaitMs,
        });
      };
      const fault = await create();
      if (fault) throw sinkFailure(fault, url);
      return startSinkForwarder({
        nats,
        journal,
        stream,
        partitions,
        holder,
        targets: targets.all,
        chooseTargets: targets.choose,
        clock,
        random,
        ...forwardingLimits(flags),
        onActivity,
        createConsumers: create,
      });
    },
    replayFlags: (routing) =>
      'problem' in lastTargetOf({ ...self, ...routing }) ? formatTargetFlags(context, flags) : [],
    recordForwarding(routing) {
      if (Object.values(routing).every((targets) => targets.length === 0)) return noRecord;
      record = recordForwarder({ nats, clock, random, stream, ...self }, routing);
      return record;
    },
    rememberTarget: async () => {},
    noteStart: async () => {},
    noteStop: async () => record?.end(),
  };
}

const noRecord: ForwardingRecord = { onActivity: () => {}, written: async () => {} };

/** Targets that would not be the same without the query or the Host header, which are not recorded. */
function partialTargets({ forwardTo, route = [], forwardHost }: ListenFlags): readonly string[] {
  const urls = [...(forwardTo === undefined ? [] : [forwardTo]), ...route.map(({ url }) => url)];
  return urls.filter((url) => forwardHost !== undefined || new URL(url).search !== '').map(targetName);
}

/** For a receiver without targets: other processes forward. */
function noForwarder(journal: SinkJournal): Forwarder {
  return {
    state: () => ({ inFlight: 0, waiting: 0, targets: [] }),
    drain: async () => journal.state().unfinished,
    stop: async () => {},
  };
}
