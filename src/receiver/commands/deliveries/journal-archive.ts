// Gives `webhook log` and `webhook replay` access to the journal on this machine.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { journalFlagOf, journalFolder, readLastTarget } from '#cli/journal-folder.ts';
import { commandHint, Failure, toFailure } from '#failure.ts';
import { readEntries } from '#receiver/journal/read-entries.ts';
import { lockName, parseNames } from '#receiver/journal/segment-names.ts';
import { readContents } from '#receiver/journal/start-up.ts';
import type { World } from '#world/world.ts';
import { readForwarding } from '../listening/forwarding-file.ts';
import type { DeliveryArchive, EntrySource, ReplayStore } from './delivery-archive.ts';
import { openReplays, readReplays, replaysPath } from './replays-file.ts';
import { unknownTarget } from './target-flags.ts';

export async function openJournalArchive(
  context: Context,
  journal: string | undefined,
): Promise<DeliveryArchive> {
  const { world } = context;
  const folder = await findJournal(context, journal);
  return {
    source: createEntrySource(world, folder),
    folder,
    replays: createJournalReplays(context, folder),
    forwarding: () => readForwarding(world, folder),
    // A receiver that drops a target leaves nothing waiting for it.
    describeAbandoned: async () => [],
    describeForwarders: () => describeReceiver(world, folder, listenCommand(context, journal)),
    async lastTarget() {
      const last = (await readLastTarget(world, folder)) ?? {};
      if (last.forwardTo !== undefined || (last.routes ?? []).length > 0) return last;
      throw unknownTarget('wm webhook listen has not forwarded any to a URL from this journal');
    },
    explain: async (error) => error,
    close: async () => {},
  };
}

/** Reads the journal without its lock, while a listener may be writing. */
function createEntrySource(world: Pick<World, 'files' | 'clock'>, folder: string): EntrySource {
  const { files } = world;
  return {
    async bounds() {
      const { segments } = parseNames(await files.list(folder));
      const { contents, expected } = await readContents(files, folder, segments);
      return {
        first: expected[0]?.first ?? 1,
        last: contents.current.end - 1,
        firstSince: async (time) => (expected.find(({ newest }) => newest >= time) ?? contents.current).first,
        isUnfinished: (sequence) => contents.segmentOf(sequence)?.isUnfinished(sequence) === true,
        unfinished: contents.unfinished,
        oldestUnfinished: contents.oldestUnfinished(),
      };
    },
    read: (options) => readEntries(world, folder, options),
  };
}

function createJournalReplays({ world }: Pick<Context, 'world'>, folder: string): ReplayStore {
  return {
    name: replaysPath(folder),
    read: () => readReplays(world, folder),
    version: () => world.files.size(replaysPath(folder)),
    open: () =>
      openReplays(world, folder).catch((error: unknown) => {
        const failure = toFailure(error);
        if (failure === error || failure.code === 'internal') throw error;
        throw failure.with({
          hint: 'Nothing was sent, because wm cannot record it there. Fix the cause, such as a full disk, and run the command again.',
        });
      }),
  };
}

async function describeReceiver({ lock }: Pick<Context['world'], 'lock'>, folder: string, listen: string) {
  const path = join(folder, lockName);
  // The lock may name a process that was killed.
  const holder = await lock.holder(path);
  if (await lock.isHeld(path))
    return `${holder ? `Process ${holder.pid}` : 'A running receiver'} forwards the waiting deliveries, in order, as soon as their target accepts them.`;
  const killed = holder ? `: process ${holder.pid} was killed, or the machine stopped` : '';
  return `No receiver runs with this journal${killed}. To forward the waiting deliveries: ${listen}`;
}

async function findJournal(context: Context, journal: string | undefined): Promise<string> {
  const folder = journalFolder(context.world, journal);
  const kind = await context.world.files.kind(folder);
  if (kind === 'folder') return folder;
  const [why, hint] =
    kind === undefined
      ? ['the folder does not exist', commandHint('To receive deliveries: ', listenCommand(context, journal))]
      : ['it is not a folder', 'Give the folder that wm webhook listen writes to: --journal DIR'];
  throw new Failure('not_found', { message: `No deliveries are stored in ${folder}`, why, hint });
}

const listenCommand = (context: Context, journal: string | undefined) =>
  formatCommandWith(context, 'webhook listen', [], ...journalFlagOf(journal));
