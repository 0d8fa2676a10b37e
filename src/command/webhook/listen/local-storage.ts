// The local journal as the storage of a receiver: a folder that only this process writes to.

import { errorMessage, toFailure, usageError } from '../../../failure.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { startForwarder } from '../../../receiver/forwarding/forwarder.ts';
import { openJournal } from '../../../receiver/journal/open-journal.ts';
import type { Context } from '../../context.ts';
import { noteStart } from './find-missed.ts';
import { recordForwarding } from './forwarding-file.ts';
import { forwardingLimits } from './forwarding-options.ts';
import { reportFindings } from './journal-findings.ts';
import { journalFlagOf, journalFolder, storeLastTarget } from './journal-folder.ts';
import type { ListenFlags } from './listen-flags.ts';
import { recordStop } from './receiver-runs.ts';
import type { ReceiverStorage } from './receiver-storage.ts';
import { rejectNeedlessFlags } from './sink-flags.ts';

/** @throws {Failure} with what to do, if the folder cannot be used. */
export async function openLocalStorage(context: Context, flags: ListenFlags): Promise<ReceiverStorage> {
  const { world } = context;
  rejectNeedlessFlags(flags);
  const folder = journalFolder(world, flags.journal);
  await assertOwnFolder(world, flags);
  const { journal, report: found, tryToStore } = await openIn(world, folder, flags);
  try {
    // Otherwise a disk that is full shows only once the service has counted a failed delivery.
    await tryToStore();
    await reportFindings(context, folder, found);
  } catch (error) {
    await journal.close();
    throw error;
  }
  return {
    journal,
    name: folder,
    folder,
    flags: journalFlagOf(context, flags.journal),
    isShared: false,
    startForwarder: async (targets, onActivity) =>
      startForwarder({
        journal,
        targets: targets.all,
        chooseTargets: targets.choose,
        clock: world.clock,
        random: world.random,
        ...forwardingLimits(flags),
        onActivity,
      }),
    replayFlags: () => [],
    recordForwarding: (routing) => recordForwarding(world, folder, routing),
    rememberTarget: () => rememberTarget(context, folder, flags),
    noteStart: (shown) => noteStart(shown, folder, found.lastReceived),
    noteStop: () => recordStop(world, folder),
  };
}

/** Checks the default folder: what other users could change would be forwarded as if the service had sent it. */
async function assertOwnFolder(world: Context['world'], { journal }: ListenFlags): Promise<void> {
  if (journal === undefined) await assertPrivateStateFolder(world);
}

async function openIn(world: Context['world'], folder: string, { keepDays, maxSize }: ListenFlags) {
  const hint = 'Give a folder that you can write to: --journal DIR. wm creates it if it does not exist.';
  const kind = await world.files.kind(folder);
  if (kind !== undefined && kind !== 'folder')
    throw usageError(`The journal ${folder} is not a folder`, hint);
  try {
    return await openJournal(world, folder, {
      ...omitUndefined({ keepDays, maxBytes: maxSize }),
    });
  } catch (error) {
    const failure = toFailure(error);
    if (failure.code === 'internal' || failure.hint !== undefined) throw error;
    throw failure.with({ hint });
  }
}

async function rememberTarget(
  { world, report }: Context,
  folder: string,
  { forwardTo, route }: ListenFlags,
): Promise<void> {
  const target = {
    ...omitUndefined({ forwardTo, routes: route }),
  };
  await storeLastTarget(world, folder, target).catch((error: unknown) =>
    report.warn(
      `wm webhook replay will need --forward-to: the target could not be stored (${errorMessage(error)}).`,
    ),
  );
}
