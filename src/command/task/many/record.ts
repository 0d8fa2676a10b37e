// The record of one bulk: its journal, found by what was given, held by one process at a time, and what an earlier run
// has left in it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createJournal, type Journal, type JournalHeader } from '../../../bulk/journal.ts';
import { createStates, type Past, type RowStates, readPast, state } from '../../../bulk/past.ts';
import { usage } from '../../../failure.ts';
import type { World } from '../../../world/world.ts';

export interface BulkRecord {
  readonly journal: Journal;
  readonly states: RowStates;
  /** Why rows failed in an earlier run, by their numbers. */
  readonly reasons: ReadonlyMap<number, string>;
  /** Of the first run, in milliseconds since 1970. */
  readonly started: number;
  /** Names this bulk, and no other one of the same input; the same when it goes on. */
  readonly name: string;
  close(): Promise<void>;
}

export interface RecordOptions {
  /** Given with --journal. */
  readonly path: string | undefined;
  readonly key: string;
  readonly rows: number;
  readonly resume: boolean;
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
  /** What an earlier run did that is gone on with. */
  readonly states: RowStates | undefined;
}

type Wanted = Omit<RecordOptions, 'now'>;

function pathOf(files: World['files'], { path, key }: Wanted): string {
  return path ?? join(files.stateFolder, journalFolder, `${key.slice(0, 32)}.ndjson`);
}

/**
 * Looks, and leaves everything as it is. Throws a usage failure where {@link openRecord} would, which looks once more: while
 * somebody is asked, another wm may go on with it.
 */
export async function surveyRecord({ files }: Pick<World, 'files'>, wanted: Wanted): Promise<Survey> {
  const path = pathOf(files, wanted);
  const past = await pastAt(files, path);
  check(past, path, wanted);
  return { path, states: wanted.resume ? past?.states : undefined };
}

/** Throws a usage failure where the journal is another's, is in use, or says something else than was asked for. */
export async function openRecord(
  { clock, files, lock }: Pick<World, 'clock' | 'files' | 'lock'>,
  options: RecordOptions,
): Promise<BulkRecord> {
  const { key, rows, resume, now } = options;
  const path = pathOf(files, options);
  const lockPath = lockOf(path);
  const held = await lock.take(lockPath, { timeoutMs: 0 });
  if (!held)
    throw usage('Another wm is at work on this very bulk', `Wait until it ends. Its journal: ${path}`);
  // Who waits for the lock meanwhile finds that its file is gone, and takes a new one.
  const letGo = async () => {
    await files.remove(lockPath);
    await held.release();
  };
  try {
    const past = await pastAt(files, path);
    check(past, path, options);
    const goesOn = past !== undefined && resume;
    if (past && !goesOn) await files.remove(path);
    const file = await files.append(path, { mode: 0o600 });
    const started = goesOn ? past.header.started : now;
    if (!goesOn) {
      const header: JournalHeader = { journal: 'wm task update', version: 1, key, rows, started };
      file.write(`${JSON.stringify(header)}\n`);
    }
    const journal = createJournal(file, {
      isTorn: goesOn && past.isTorn,
      turn: () => clock.turn(),
      gather: (hurried) => clock.sleep(gatherMs, hurried),
    });
    return {
      journal,
      states: goesOn ? past.states : createStates(rows),
      reasons: goesOn ? past.reasons : new Map(),
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

async function pastAt(files: World['files'], path: string): Promise<Past | undefined> {
  const kind = await files.kind(path);
  if (kind === undefined) return undefined;
  // Whoever reads a named pipe waits.
  const bytes = kind === 'file' ? await files.stream(path) : undefined;
  const past = bytes && (await readPast(bytes));
  if (past) return past;
  throw usage(
    `${path} is not the journal of a bulk`,
    'Name another file with --journal, or remove this one.',
  );
}

function check(past: Past | undefined, path: string, { key, rows, resume }: Wanted): void {
  if (!past) {
    if (!resume) return;
    throw usage(
      'There is nothing to resume',
      `No journal at ${path}. Leave --resume out to begin; a journal goes with the very same input, flags and account.`,
    );
  }
  if (past.header.key !== key || past.header.rows !== rows) {
    throw usage(
      `${path} is the journal of another bulk`,
      'A journal goes with the very same input, flags and account. Name another file with --journal.',
    );
  }
  const answered = past.states.count(state.done) + past.states.count(state.failed);
  const touched = answered + past.states.count(state.sent);
  if (!resume && touched > 0 && answered < rows) {
    throw usage(
      `An earlier run of this bulk ended early: ${answered} of ${rows} rows have their answer`,
      `Go on where it ended: --resume. To begin anew: rm '${path}'`,
    );
  }
}
