// Gives `webhook log` and `webhook replay` access to the journal on this machine.

import { join } from 'node:path';
import type { Context } from '#cli/context.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { journalFlagOf, journalFolder, readLastTarget } from '#cli/journal-folder.ts';
import { commandHint, Failure } from '#failure.ts';
import { readEntries } from '#receiver/core/journal/read-entries.ts';
import { lockName, parseNames } from '#receiver/core/journal/segment-names.ts';
import { readContents } from '#receiver/core/journal/start-up.ts';
import type { DeliveryArchive, EntrySource } from './delivery-archive.ts';
import { readForwarding } from './forwarding-file.ts';
import { createJournalReplays } from './replays-file.ts';

export async function openJournalArchive(
  context: Context,
  journal: string | undefined,
): Promise<DeliveryArchive> {
  const { world } = context;
  const { files, lock } = world;
  const folder = await findJournal(context, journal);
  /** Reads the journal without its lock, while a listener may be writing. */
  const source: EntrySource = {
    async bounds() {
      const { segments } = parseNames(await files.list(folder));
      const { contents, expected } = await readContents(files, folder, segments);
      return {
        first: expected[0]?.first ?? 1,
        last: contents.current.end - 1,
        firstSince: async (time) => (expected.find(({ newest }) => newest >= time) ?? contents.current).first,
        isUnfinished: (sequence) => contents.segmentOf(sequence)?.isUnfinished(sequence) === true,
        backlog: async () => ({ unfinished: contents.unfinished, oldest: contents.oldestUnfinished() }),
      };
    },
    read: (options) => readEntries(world, folder, options),
  };
  return {
    source,
    folder,
    replays: createJournalReplays(world, folder),
    forwarding: () => readForwarding(world, folder),
    async describeForwarders() {
      const path = join(folder, lockName);
      // The lock may name a process that was killed.
      const holder = await lock.holder(path);
      if (await lock.isHeld(path))
        return `${holder ? `Process ${holder.pid}` : 'A running receiver'} forwards the waiting deliveries in order, within five minutes after their target accepts them again. To retry now: ${formatCommandWith(context, 'webhook replay', [], '--waiting', ...journalFlagOf(journal))}`;
      const killed = holder ? `: process ${holder.pid} was killed, or the machine stopped` : '';
      // Without its target, a receiver would print what waits for it.
      const { forwardTo } = await readLastTarget(world, folder);
      return `No receiver runs with this journal${killed}. To forward the waiting deliveries: ${listenCommand(context, journal, forwardTo)}`;
    },
    // A receiver that drops a target leaves nothing waiting for it.
    describeAbandoned: async () => [],
    async lastTarget() {
      const last = await readLastTarget(world, folder);
      if (last.forwardTo !== undefined || (last.routes ?? []).length > 0) return last;
      return { problem: 'wm webhook listen has not forwarded any to a URL from this journal' };
    },
    explain: async (error) => error,
    close: async () => {},
  };
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

function listenCommand(context: Context, journal: string | undefined, forwardTo?: string) {
  const target = forwardTo === undefined ? [] : flagWords('--forward-to', forwardTo);
  return formatCommandWith(context, 'webhook listen', [], ...target, ...journalFlagOf(journal));
}
