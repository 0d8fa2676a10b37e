// Opens a sink as the storage of a receiver or a forwarder.

import { hash } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { usageError } from '#failure.ts';
import { formatTargetFlags } from '../archive/replaying/target-flags.ts';
import { type SinkUrl, storageFlagsOf } from '../archive/storage-flags.ts';
import { targetName } from '../core/forwarding/target.ts';
import { forwardingLimits, type ListenFlags } from '../listen/listen-flags.ts';
import type { ReceiverStorage } from '../listen/receiver-storage.ts';
import { ensureConsumers } from './jetstream/sink-consumers.ts';
import { SinkForwarder } from './jetstream/sink-forwarder.ts';
import { SinkJournal } from './jetstream/sink-journal.ts';
import { openSink } from './open-sink.ts';
import { sinkFailure } from './sink-failures.ts';
import { lastTargetOf, recordForwarder } from './sink-forwarders.ts';

const journalFlags = ['journal', 'keepDays', 'maxSize', 'print'] as const;

/** @throws {Failure} if the sink cannot be reached, does not exist, or has settings that are too weak. */
export async function openSinkStorage(
  context: Context,
  flags: ListenFlags & { readonly sink: SinkUrl },
): Promise<ReceiverStorage> {
  const { world } = context;
  const needless = journalFlags.find((name) => flags[name] !== undefined);
  if (needless !== undefined)
    throw usageError(
      `--sink and --${toKebabCase(needless)} cannot be combined`,
      'Leave out one of them: the streams of a sink have their own settings, which all receivers share.',
    );
  const sink = await openSink(context, flags.sink, flags, flags.ui === true);
  const { url, created } = sink;
  const journal = new SinkJournal(sink);
  const { host, pid } = world.process;
  const self = { host, pid, partial: partialTargets(flags) };
  let record: ReturnType<typeof recordForwarder> | undefined;
  return {
    journal,
    name: url.text,
    folder: undefined,
    flags: storageFlagsOf(flags),
    // Another sink may have streams of the same name.
    loop: hash('sha256', `${url.stream} ${created}`, 'hex'),
    isShared: true,
    async openPage(titles, commandName) {
      const { openSinkPage } = await import('./sink-page.ts');
      return openSinkPage(context, flags, { sink, journal, titles, commandName });
    },
    async startForwarder(targets, onActivity) {
      // Without targets, other processes forward.
      if (targets.all.length > 0) {
        const fault = await ensureConsumers(sink, targets.all);
        if (fault) throw sinkFailure(fault, url);
        record = recordForwarder(sink, self, targets.routing);
      }
      return new SinkForwarder({
        ...sink,
        ...forwardingLimits(flags),
        targets: targets.all,
        chooseTargets: targets.choose,
        onActivity(activity) {
          record?.onActivity(activity);
          onActivity(activity);
        },
      });
    },
    replayFlags: (routing) =>
      'problem' in lastTargetOf({ ...self, ...routing }) ? formatTargetFlags(flags) : [],
    noteStop: async () => record?.end(),
  };
}

/** Targets that need a query or a Host header, which are not recorded. */
function partialTargets({ forwardTo, route = [], forwardHost }: ListenFlags): readonly string[] {
  const urls = [...(forwardTo === undefined ? [] : [forwardTo]), ...route.map(({ url }) => url)];
  return urls.filter((url) => forwardHost !== undefined || new URL(url).search !== '').map(targetName);
}
