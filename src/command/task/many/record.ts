// The record of one bulk: its journal, found by what was given, held by one process at a time, and what an earlier run
// has left in it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  createJournal,
  type Journal,
  type JournalHeader,
  journalVersion,
  type Reason,
} from '../../../bulk/journal.ts';
import { type Past, readPast } from '../../../bulk/past.ts';
import { createStates, type RowStates, state } from '../../../bulk/states.ts';
import { asFailure, type Failure, usage } from '../../../failure.ts';
import type { Appending, World } from '../../../world/world.ts';
import { count } from './count.ts';

export interface BulkRecord {
  readonly path: string;
  readonly journal: Journal;
  readonly states: RowStates;
  /** Why rows failed in an earlier run, by their lines. */
  readonly reasons: ReadonlyMap<number, Reason>;
  /** Of the first run, in milliseconds since 1970. */
  readonly started: number;
  /** Names this bulk, and no other one of the same input; the same when it is resumed. */
  readonly name: string;
  /** Lets go of it, too, where the journal cannot be written to its end. */
  close(): Promise<void>;
}

/** What is to become of the journal of an earlier run. */
export type Continuation = 'resume' | 'restart' | undefined;

export interface RecordOptions {
  /** Given with --journal. */
  readonly path: string | undefined;
  readonly key: string;
  readonly rows: number;
  readonly continuation: Continuation;
  readonly now: number;
}

/** A sync costs the same for one row as for fifty. */
const gatherMs = 50;

/** Below the folder of records. */
export const journalFolder = 'bulk';

export function lockOf(journal: string): string {
  return `${journal}.lock`;
}

/** One for each input, update and account. Dates count as they were said: `tomorrow` is the same key on another day. */
export function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What is there already. */
export interface Survey {
  readonly path: string;
  /** What an earlier run did, where that is resumed. */
  readonly resumed: RowStates | undefined;
  /** What an earlier run did, where its journal is discarded before its end. */
  readonly discarded: { readonly rows: number; readonly states: RowStates } | undefined;
}

type Wanted = Omit<RecordOptions, 'now'>;
type Parts = Pick<World, 'clock' | 'files' | 'lock'>;

function pathOf(files: World['files'], { path, key }: Wanted): string {
  return path ?? join(files.stateFolder, journalFolder, `${key.slice(0, 32)}.ndjson`);
}

/**
 * Looks, and leaves everything as it is. Throws a usage failure where {@link openRecord} would, which looks once more: while
 * somebody is asked, another wm may resume it.
 */
export async function surveyRecord({ files }: Pick<World, 'files'>, wanted: Wanted): Promise<Survey> {
  const path = pathOf(files, wanted);
  const past = await pastAt(files, path);
  const isResumed = resumes(past, path, wanted);
  const isDiscarded = past && !isResumed && !past.isFinished && touched(past) > 0;
  return {
    path,
    resumed: isResumed ? past?.states : undefined,
    discarded: isDiscarded ? { rows: past.header.rows, states: past.states } : undefined,
  };
}

/** Throws a usage failure where the journal is another's, is in use, or says something else than was asked for. */
export async function openRecord(world: Parts, options: RecordOptions): Promise<BulkRecord> {
  const path = pathOf(world.files, options);
  try {
    return await openAt(world, path, options);
  } catch (error) {
    const failure = asFailure(error);
    // In a home where nothing can be made, another place has to be named.
    if (failure.code !== 'other' || options.path !== undefined) throw error;
    throw failure.withHint('Nothing was sent. Keep the journal of this bulk elsewhere: --journal FILE');
  }
}

async function openAt(
  { clock, files, lock }: Parts,
  path: string,
  options: RecordOptions,
): Promise<BulkRecord> {
  const { key, rows, now } = options;
  const lockPath = lockOf(path);
  const held = await lock.take(lockPath, { timeoutMs: 0 });
  if (!held) throw usage('Another wm is running this bulk', `Wait until it ends. Its journal: ${path}`);
  // Who waits for the lock meanwhile finds that its file is gone, and takes a new one.
  const letGo = async () => {
    await files.remove(lockPath);
    await held.release();
  };
  try {
    const past = await pastAt(files, path);
    const resumed = resumes(past, path, options) ? past : undefined;
    if (past && !resumed) await files.remove(path);
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
      await begin(files, path, file, header);
    }
    const journal = createJournal(file, {
      isTorn: resumed?.isTorn === true,
      turn: () => clock.turn(),
      gather: (hurried) => clock.sleep(gatherMs, hurried),
    });
    return {
      path,
      journal,
      states: resumed?.states ?? createStates(rows),
      reasons: resumed?.reasons ?? new Map(),
      started,
      name: `${key.slice(0, 32)}.${started}`,
      async close() {
        await journal.close().finally(letGo);
      },
    };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/** A journal without its first line would be taken for none by the next run. */
async function begin(
  files: World['files'],
  path: string,
  file: Appending,
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

async function pastAt(files: World['files'], path: string): Promise<Past | undefined> {
  const kind = await files.kind(path);
  if (kind === undefined) return undefined;
  // Whoever reads a named pipe waits.
  const bytes = kind === 'file' ? await files.stream(path) : undefined;
  const past = bytes && (await readPast(bytes));
  if (past) return past;
  if (kind === 'file' && (await files.read(path))?.length === 0) return undefined;
  throw usage(
    `${path} is not the journal of a bulk`,
    'Name another file with --journal, or remove this one.',
  );
}

function touched({ states }: Past): number {
  return states.count(state.done) + states.count(state.failed) + states.count(state.sent);
}

/** False where a new run begins. Throws a usage failure where neither may be. */
function resumes(past: Past | undefined, path: string, { key, rows, continuation }: Wanted): boolean {
  if (!past || continuation === 'restart' || past.isFinished) return false;
  const isOther = past.header.key !== key || past.header.rows !== rows;
  if (touched(past) === 0 && (isOther || past.header.version < journalVersion)) return false;
  if (isOther) throw ofAnother(path);
  if (past.header.version < journalVersion) throw ofOlder(path);
  if (continuation === 'resume' || touched(past) === 0) return continuation === 'resume';
  throw endedEarly(past);
}

function ofAnother(path: string): Failure {
  return usage(
    `${path} is the journal of another bulk, which is not finished`,
    'A journal goes with the very same input, flags and account. Name another file with --journal, or discard this one: --restart',
  );
}

function ofOlder(path: string): Failure {
  return usage(
    `${path} was written by an older wm, which counted rows in another way`,
    'Finish that run with the wm that began it, or send every row again: --restart',
  );
}

function endedEarly({ header, states }: Past): Failure {
  const answered = states.count(state.done) + states.count(state.failed);
  const unknown = states.count(state.sent);
  const parts = [`${count(answered)} of ${count(header.rows)} rows have a response`];
  if (unknown > 0) parts.push(`${count(unknown)} of unknown outcome`);
  if (states.unreported > 0) parts.push(`${count(states.unreported)} not listed`);
  return usage(
    `An earlier run of this bulk ended early: ${parts.join(', ')}`,
    'Continue it: --resume. Start over, and send every row again: --restart',
  );
}
