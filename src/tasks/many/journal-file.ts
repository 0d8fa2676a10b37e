// The journal file of one bulk run: found by the input and the flags, locked by one process at a time, with what an
// earlier run recorded. While another process holds the lock, only that is reported.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  createJournal,
  firstVersionWithLines,
  type Journal,
  type JournalHeader,
  journalVersion,
  type RecordedError,
} from '#bulk/journal.ts';
import { type JournalReplay, readJournalHeader, replayJournal } from '#bulk/journal-replay.ts';
import { createRowStates, type RowStates, rowState } from '#bulk/row-states.ts';
import { type Failure, toFailure, usageError } from '#failure.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { AppendFile, HeldLock, World } from '#world/world.ts';
import { journalFolder, journalName, lockOf, oldJournalOf } from './bulk-journal-place.ts';
import { formatCount, formatShare } from './format-quantity.ts';
import type { LeftRows, LeftRun } from './left-rows.ts';

export interface OpenJournal {
  readonly path: string;
  readonly journal: Journal;
  readonly states: RowStates;
  /** Why rows failed or were invalid in an earlier run, by their lines. */
  readonly earlierErrors: ReadonlyMap<number, RecordedError>;
  /** When the first run began, in milliseconds since 1970. */
  readonly started: number;
  /** Identifies this run, among others of the same input; the same when it is resumed. */
  readonly name: string;
  /** Releases the lock even if the rest of the journal cannot be written, and then rejects. */
  close(): Promise<void>;
}

/** What to do with the journal of an earlier run. */
export type Continuation = 'resume' | 'restart' | undefined;

export interface JournalFileOptions {
  /** Given with --journal. */
  readonly path: string | undefined;
  readonly key: string;
  /** The same for each input of one command under one sign-in. */
  readonly command: string;
  /** Another input of it may have a journal in wm's own folder. */
  readonly isNamedFile: boolean;
  readonly rows: number;
  /** The ids and the changes of all rows, as entries of the journal. */
  readonly idEntries: readonly Uint8Array[];
  /** Rows name tasks by their titles: the survey returns what they meant, and `open` stores what they mean. */
  readonly readsIds: boolean;
  readonly continuation: Continuation;
}

/** A sync costs the same for one row as for fifty. */
const syncBatchMs = 50;

/** One for each input, update and account. Dates count as typed: `tomorrow` gives the same key on another day. */
export function bulkKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What earlier runs left behind. */
export interface JournalSurvey {
  readonly path: string;
  /** What an earlier run did, if it is resumed. */
  readonly resumed: RowStates | undefined;
  /** What an unfinished earlier run did, if its journal is discarded. */
  readonly discarded: { readonly rows: number; readonly states: RowStates } | undefined;
  /** The rows that earlier runs left, if the input has changed since; of none, if it has them all. */
  readonly left: readonly LeftRows[];
  /** The ids of the resumed run by the lines of its rows, where `readsIds` asked for them. */
  readonly ids: ReadonlyMap<number, string>;
}

export type JournalClaim = ReturnType<typeof claimJournal>;

type Parts = Pick<World, 'clock' | 'files' | 'lock'>;

function pathOf(files: World['files'], { path, key }: JournalFileOptions): string {
  return path ?? join(files.stateFolder, journalFolder, `${key.slice(0, 32)}.ndjson`);
}

/** Exclusive use of a journal, from the first look at it until it is closed. */
export function claimJournal(world: Parts, options: JournalFileOptions) {
  const path = pathOf(world.files, options);
  let held: HeldLock | undefined;
  let isReleased = false;
  let leftRuns: readonly LeftRun[] = [];
  let leftHere: LeftRows | undefined;
  const findLeft = async () => {
    if (options.continuation !== 'resume') return;
    const { findLeftRuns, readLeftRows } = await import('./left-rows.ts');
    if (options.path !== undefined) {
      leftHere = await readLeftRows(world.files, path, options);
      if (leftHere) await assertReplaceable(world.files, oldJournalOf(path));
    } else if (options.isNamedFile) leftRuns = await findLeftRuns(world, options);
  };
  const releaseLeft = async () => {
    for (const run of leftRuns) await run.release();
    leftRuns = [];
  };
  /** Its rows were named; the journal has them all. */
  const moveLeft = async () => {
    if (leftHere) await world.files.moveIntoPlace(path, oldJournalOf(path));
    leftHere = undefined;
  };
  const endLeft = async () => {
    await moveLeft();
    for (const run of leftRuns) await run.end();
    await releaseLeft();
  };
  const releaseLock = async () => {
    // Its file stays: between its removal and the release of the lock, another wm could lock a file of the same name.
    const ending = held;
    held = undefined;
    await ending?.release();
  };
  const hold = async () => {
    held ??= await lockJournal(world, path);
    // The user interrupted the wait.
    if (isReleased) await releaseLock();
  };
  /** If the home folder is not writable, the journal needs another place. */
  const elsewhere = (error: unknown): never => {
    const failure = toFailure(error);
    if (failure.code !== 'other' || options.path !== undefined) throw error;
    throw failure.with({ hint: 'Nothing was sent. Store the journal of this run elsewhere: --journal FILE' });
  };
  return {
    /**
     * Looks, and changes nothing. A journal that exists is locked from then on. Rejects with a usage failure where it belongs to another
     * bulk run, is in use, or does not fit --resume and --restart.
     */
    async survey(): Promise<JournalSurvey> {
      if (options.path === undefined) await assertPrivateStateFolder(world);
      if ((await world.files.kind(path)) === 'file') await hold().catch(elsewhere);
      const ids = new Map<number, string>();
      const replay = await readReplay(world.files, path, options.readsIds ? ids : undefined);
      const isResumed = isResumable(replay, path, options);
      await findLeft();
      const isDiscarded = !leftHere && replay && !isResumed && !replay.isFinished && countTouched(replay) > 0;
      return {
        path,
        resumed: isResumed ? replay?.states : undefined,
        discarded: isDiscarded ? { rows: replay.header.rows, states: replay.states } : undefined,
        left: leftHere ? [leftHere] : leftRuns,
        ids,
      };
    },
    /** Rejects like `survey`, which had nothing to lock where no journal existed. `now`: milliseconds since 1970; `ids`: entries with the ids of all rows, as they are now. */
    async open(now: number, ids: readonly Uint8Array[]): Promise<OpenJournal> {
      try {
        await hold();
        await moveLeft();
        const opened = await openJournal(world, path, options, { now, ids }, releaseLock);
        await endLeft();
        return opened;
      } catch (error) {
        await releaseLock();
        return elsewhere(error);
      }
    },
    /** What earlier runs left was named, and no run is opened: the next run names it no more. */
    endLeft,
    /** Releases the lock, unless the journal was opened: then closing it does. */
    async release() {
      isReleased = true;
      await releaseLeft();
      await releaseLock();
    },
  };
}

async function lockJournal({ lock }: Pick<World, 'lock'>, path: string): Promise<HeldLock> {
  const held = await lock.acquire(lockOf(path), { timeoutMs: 0 });
  if (held) return held;
  const holder = await lock.holder(lockOf(path));
  const holderName = holder === undefined ? 'Another wm' : `Another wm (pid ${holder.pid})`;
  throw usageError(`${holderName} is running this bulk update`, `Wait until it ends. Journal: ${path}`);
}

async function openJournal(
  { clock, files }: Parts,
  path: string,
  options: JournalFileOptions,
  { now, ids }: { readonly now: number; readonly ids: readonly Uint8Array[] },
  release: () => Promise<void>,
): Promise<OpenJournal> {
  const { key, command, rows, readsIds } = options;
  // Survey again: without a journal nothing was locked, and another wm may have run meanwhile.
  const replay = await readReplay(files, path);
  const resumed = isResumable(replay, path, options) ? replay : undefined;
  // Also what a crash left of the first line.
  if (!resumed) await files.remove(path);
  const file = await files.append(path, { mode: 0o600 });
  const started = resumed ? resumed.header.started : now;
  if (!resumed) {
    const header: JournalHeader = {
      journal: journalName,
      version: journalVersion,
      key,
      rows,
      started,
      command,
    };
    await writeStart(file, [`${JSON.stringify(header)}\n`, ...ids]).catch(async (error: unknown) => {
      // Without its first line, the next run would not recognise the journal.
      await files.remove(path);
      throw error;
    });
  }
  // Its last line may be torn. A title that no task had then may have one now.
  else if (readsIds) await writeStart(file, ['\n', ...ids]);
  const journal = createJournal(file, {
    isTorn: resumed?.isTorn === true,
    waitForWrites: () => clock.nextTurn(),
    waitForSyncs: (skipped) => clock.sleep(syncBatchMs, skipped),
  });
  return {
    path,
    journal,
    states: resumed?.states ?? createRowStates(rows),
    earlierErrors: resumed?.errors ?? new Map(),
    started,
    name: `${key.slice(0, 32)}.${started}`,
    async close() {
      await journal.close().finally(release);
    },
  };
}

async function writeStart(file: AppendFile, start: readonly (string | Uint8Array)[]): Promise<void> {
  try {
    for (const part of start) file.write(part);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Throws a usage failure if the path holds something other than an older journal. */
async function assertReplaceable(files: World['files'], path: string): Promise<void> {
  const kind = await files.kind(path);
  if (kind === undefined) return;
  const bytes = kind === 'file' ? await files.stream(path) : undefined;
  if (bytes && (await readJournalHeader(bytes, journalName))) return;
  throw usageError(
    `${path} is not the journal of a bulk run`,
    'The journal of the earlier run would replace it: move it away, or name another file with --journal.',
  );
}

async function readReplay(
  files: World['files'],
  path: string,
  ids?: Map<number, string>,
): Promise<JournalReplay | undefined> {
  const kind = await files.kind(path);
  if (kind === undefined) return undefined;
  // Reading a named pipe would wait for a writer.
  const bytes = kind === 'file' ? await files.stream(path) : undefined;
  const replay = bytes && (await replayJournal(bytes, journalName, ids ? { ids } : {}));
  if (replay) return replay;
  if (kind === 'file' && (await files.size(path)) <= maxTornHeaderBytes) {
    const text = new TextDecoder().decode(await files.read(path));
    if (isTornHeader(text)) return undefined;
  }
  throw usageError(
    `${path} is not the journal of a bulk run`,
    'Name another file with --journal, or remove this one.',
  );
}

/** Longer than the first line. */
const maxTornHeaderBytes = 1024;

/** A journal cut off in its first line, by a full disk, a kill or a power failure: nothing was sent from it. */
function isTornHeader(text: string): boolean {
  const start = `{"journal":"${journalName}"`;
  const isTorn = !text.includes('\n') && (start.startsWith(text) || text.startsWith(start));
  // Space that the disk had allocated already.
  return isTorn || /^\0+$/.test(text);
}

/** Rows that were sent or have an outcome. */
function countTouched({ states }: JournalReplay): number {
  return states.final + states.count(rowState.sent);
}

/** False if a new run begins. Throws a usage failure if the user has to choose. */
function isResumable(
  replay: JournalReplay | undefined,
  path: string,
  { key, command, rows, continuation }: JournalFileOptions,
): boolean {
  if (!replay || continuation === 'restart' || replay.isFinished) return false;
  const isOther = replay.header.key !== key || replay.header.rows !== rows;
  const isCountedFromOne = replay.header.version < firstVersionWithLines;
  if (countTouched(replay) === 0 && (isOther || isCountedFromOne)) return false;
  if (isOther) {
    const isSameCommand = replay.header.command === command;
    if (isSameCommand && continuation === 'resume') return false;
    throw otherBulkFailure(path, isSameCommand);
  }
  if (isCountedFromOne) throw olderVersionFailure(path);
  if (continuation === 'resume' || countTouched(replay) === 0) return continuation === 'resume';
  throw unfinishedRunFailure(replay);
}

function otherBulkFailure(path: string, isSameCommand: boolean): Failure {
  if (isSameCommand)
    return usageError(
      `${path} is the journal of a run with other rows, which is not finished`,
      'Start with the new rows, and have the unfinished ones named: --resume. Discard this journal: --restart',
    );
  return usageError(
    `${path} is the journal of another bulk run, which is not finished`,
    'A journal belongs to one input, its flags and its account. Name another file with --journal, or discard this one: --restart',
  );
}

function olderVersionFailure(path: string): Failure {
  return usageError(
    `${path} was written by an older wm, which numbered rows differently`,
    'Finish that run with the wm that began it, or send every row again: --restart',
  );
}

function unfinishedRunFailure({ header, states }: JournalReplay): Failure {
  const unknown = states.count(rowState.sent);
  const parts = [`${formatShare(states.final, header.rows, 'is')} done`];
  if (unknown > 0) parts.push(`${formatCount(unknown)} unknown`);
  if (states.unreported > 0) parts.push(`${formatCount(states.unreported)} not recorded as listed`);
  return usageError(
    `An earlier run of this bulk update ended early: ${parts.join(', ')}`,
    'Continue it: --resume. Start over, and send every row again: --restart',
  );
}
