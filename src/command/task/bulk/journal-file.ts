// The record of one bulk: its journal, found by what was given, held by one process at a time, and what an earlier run
// has left in it. Nothing is said of a journal that another process holds, but that it does.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  createJournal,
  type Journal,
  type JournalHeader,
  journalVersion,
  type RecordedError,
} from '../../../bulk/journal.ts';
import { type JournalReplay, replayJournal } from '../../../bulk/journal-replay.ts';
import { createRowStates, type RowStates, rowState } from '../../../bulk/row-states.ts';
import { type Failure, toFailure, usageError } from '../../../failure.ts';
import { assertPrivateStateFolder } from '../../../login/private-folder.ts';
import type { AppendFile, HeldLock, World } from '../../../world/world.ts';
import { formatCount } from './format-number.ts';

export interface OpenJournal {
  readonly path: string;
  readonly journal: Journal;
  readonly states: RowStates;
  /** Why rows failed in an earlier run, by their lines. */
  readonly reasons: ReadonlyMap<number, RecordedError>;
  /** Of the first run, in milliseconds since 1970. */
  readonly started: number;
  /** Names this bulk, and no other one of the same input; the same when it is resumed. */
  readonly name: string;
  /** Lets go of it, too, where the journal cannot be written to its end. */
  close(): Promise<void>;
}

/** What is to become of the journal of an earlier run. */
export type Continuation = 'resume' | 'restart' | undefined;

export interface JournalFileOptions {
  /** Given with --journal. */
  readonly path: string | undefined;
  readonly key: string;
  readonly rows: number;
  readonly continuation: Continuation;
}

/** A sync costs the same for one row as for fifty. */
const syncBatchMs = 50;

/** Below the folder of records. */
export const journalFolder = 'bulk';

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}

/** One for each input, update and account. Dates count as they were said: `tomorrow` is the same key on another day. */
export function bulkKey(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What is there already. */
export interface JournalSurvey {
  readonly path: string;
  /** What an earlier run did, where that is resumed. */
  readonly resumed: RowStates | undefined;
  /** What an earlier run did, where its journal is discarded before its end. */
  readonly discarded: { readonly rows: number; readonly states: RowStates } | undefined;
}

/** A bulk that is about to run: from the first look at its journal until it is closed, no other process touches that. */
export interface JournalClaim {
  /**
   * Looks, and leaves everything as it is. A journal that is there is held from then on. Throws a usage failure where it
   * is another's, is in use, or says something else than was asked for.
   */
  survey(): Promise<JournalSurvey>;
  /** Throws like `survey`: without a journal there was nothing to hold. `now`: milliseconds since 1970. */
  open(now: number): Promise<OpenJournal>;
  /** Lets go of the journal, unless it was opened: then closing it does. */
  release(): Promise<void>;
}

type Parts = Pick<World, 'clock' | 'files' | 'lock'>;

function pathOf(files: World['files'], { path, key }: JournalFileOptions): string {
  return path ?? join(files.stateFolder, journalFolder, `${key.slice(0, 32)}.ndjson`);
}

export function claimJournal(world: Parts, options: JournalFileOptions): JournalClaim {
  const path = pathOf(world.files, options);
  let held: HeldLock | undefined;
  let isReleased = false;
  const releaseLock = async () => {
    // Its file stays: between its removal and the release of the lock, another wm could lock a file of the same name.
    const ending = held;
    held = undefined;
    await ending?.release();
  };
  const hold = async () => {
    held ??= await lockJournal(world, path);
    // Somebody interrupted meanwhile.
    if (isReleased) await releaseLock();
  };
  /** In a home where nothing can be made, another place has to be named. */
  const elsewhere = (error: unknown): never => {
    const failure = toFailure(error);
    if (failure.code !== 'other' || options.path !== undefined) throw error;
    throw failure.with({ hint: 'Nothing was sent. Keep the journal of this bulk elsewhere: --journal FILE' });
  };
  return {
    async survey() {
      if (options.path === undefined) await assertPrivateStateFolder(world);
      if ((await world.files.kind(path)) === 'file') await hold().catch(elsewhere);
      const past = await replayAt(world.files, path);
      const isResumed = resumes(past, path, options);
      const isDiscarded = past && !isResumed && !past.isFinished && countTouched(past) > 0;
      return {
        path,
        resumed: isResumed ? past?.states : undefined,
        discarded: isDiscarded ? { rows: past.header.rows, states: past.states } : undefined,
      };
    },
    async open(now) {
      try {
        await hold();
        return await openJournal(world, path, options, now, releaseLock);
      } catch (error) {
        await releaseLock();
        return elsewhere(error);
      }
    },
    async release() {
      isReleased = true;
      await releaseLock();
    },
  };
}

async function lockJournal({ lock }: Pick<World, 'lock'>, path: string): Promise<HeldLock> {
  const held = await lock.acquire(lockOf(path), { timeoutMs: 0 });
  if (held) return held;
  const holder = await lock.holder(lockOf(path));
  const who = holder === undefined ? 'Another wm' : `Another wm (pid ${holder.pid})`;
  throw usageError(`${who} is running this bulk update`, `Wait until it ends. Its journal: ${path}`);
}

async function openJournal(
  { clock, files }: Parts,
  path: string,
  options: JournalFileOptions,
  now: number,
  letGo: () => Promise<void>,
): Promise<OpenJournal> {
  const { key, rows } = options;
  // Once more: without a journal nothing was held, and another wm may have run meanwhile.
  const past = await replayAt(files, path);
  const resumed = resumes(past, path, options) ? past : undefined;
  // Also what a crash has left of the first line.
  if (!resumed) await files.remove(path);
  const file = await files.append(path, { mode: 0o600 });
  const started = resumed ? resumed.header.started : now;
  if (!resumed) {
    const header: JournalHeader = {
      journal: 'wm task update',
      version: journalVersion,
      key,
      rows,
      started,
    };
    await writeHeader(files, path, file, header);
  }
  const journal = createJournal(file, {
    isTorn: resumed?.isTorn === true,
    waitForWrites: () => clock.nextTurn(),
    waitForSyncs: (hurried) => clock.sleep(syncBatchMs, hurried),
  });
  return {
    path,
    journal,
    states: resumed?.states ?? createRowStates(rows),
    reasons: resumed?.reasons ?? new Map(),
    started,
    name: `${key.slice(0, 32)}.${started}`,
    async close() {
      await journal.close().finally(letGo);
    },
  };
}

/** A journal without its first line would be taken for none by the next run. */
async function writeHeader(
  files: World['files'],
  path: string,
  file: AppendFile,
  header: JournalHeader,
): Promise<void> {
  try {
    file.write(`${JSON.stringify(header)}\n`);
  } catch (error) {
    await file.close();
    if (file.size === 0) await files.remove(path);
    throw error;
  }
}

async function replayAt(files: World['files'], path: string): Promise<JournalReplay | undefined> {
  const kind = await files.kind(path);
  if (kind === undefined) return undefined;
  // Whoever reads a named pipe waits.
  const bytes = kind === 'file' ? await files.stream(path) : undefined;
  const past = bytes && (await replayJournal(bytes));
  if (past) return past;
  if (kind === 'file' && (await files.size(path)) <= maxTornHeaderBytes) {
    const text = new TextDecoder().decode(await files.read(path));
    if (isTornHeader(text)) return undefined;
  }
  throw usageError(
    `${path} is not the journal of a bulk`,
    'Name another file with --journal, or remove this one.',
  );
}

/** The first line is shorter. */
const maxTornHeaderBytes = 1024;

/** What a full disk, a kill or a power failure leaves of a journal that was just begun: nothing was sent from it. */
function isTornHeader(text: string): boolean {
  const start = '{"journal":"wm task update"';
  const isTorn = !text.includes('\n') && (start.startsWith(text) || text.startsWith(start));
  // Space that the disk had given it already.
  return isTorn || /^\0+$/.test(text);
}

function countTouched({ states }: JournalReplay): number {
  return states.count(rowState.updated) + states.count(rowState.failed) + states.count(rowState.sent);
}

/** False where a new run begins. Throws a usage failure where neither may be. */
function resumes(
  past: JournalReplay | undefined,
  path: string,
  { key, rows, continuation }: JournalFileOptions,
): boolean {
  if (!past || continuation === 'restart' || past.isFinished) return false;
  const isOther = past.header.key !== key || past.header.rows !== rows;
  if (countTouched(past) === 0 && (isOther || past.header.version < journalVersion)) return false;
  if (isOther) throw otherBulkFailure(path);
  if (past.header.version < journalVersion) throw olderVersionFailure(path);
  if (continuation === 'resume' || countTouched(past) === 0) return continuation === 'resume';
  throw unfinishedRunFailure(past);
}

function otherBulkFailure(path: string): Failure {
  return usageError(
    `${path} is the journal of another bulk, which is not finished`,
    'A journal goes with the very same input, flags and account. Name another file with --journal, or discard this one: --restart',
  );
}

function olderVersionFailure(path: string): Failure {
  return usageError(
    `${path} was written by an older wm, which counted rows in another way`,
    'Finish that run with the wm that began it, or send every row again: --restart',
  );
}

function unfinishedRunFailure({ header, states }: JournalReplay): Failure {
  const answered = states.count(rowState.updated) + states.count(rowState.failed);
  const unknown = states.count(rowState.sent);
  const parts = [`${formatCount(answered)} of ${formatCount(header.rows)} rows have a response`];
  if (unknown > 0) parts.push(`${formatCount(unknown)} of unknown outcome`);
  if (states.unreported > 0) parts.push(`${formatCount(states.unreported)} not recorded as listed`);
  return usageError(
    `An earlier run of this bulk ended early: ${parts.join(', ')}`,
    'Continue it: --resume. Start over, and send every row again: --restart',
  );
}
