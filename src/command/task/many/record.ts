// The record of one bulk: its journal, found by what was given, held by one process at a time, and what an earlier run
// has left in it.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createJournal, type Journal, type JournalHeader } from '../../../bulk/journal.ts';
import { createStates, type Past, type RowStates, readPast, state } from '../../../bulk/past.ts';
import { usage } from '../../../failure.ts';
import type { World } from '../../../world/world.ts';

export interface BulkRecord {
  readonly path: string;
  readonly journal: Journal;
  readonly states: RowStates;
  /** Of the first run, in milliseconds since 1970. */
  readonly started: number;
  /** Rows that an earlier run had sent, and that nobody knows the answer of. */
  readonly unknown: readonly number[];
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
const gatherMs = 20;

/** One for each input, update and account. Dates count as they were said: `tomorrow` is the same key on another day. */
export function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Throws a usage failure where the journal is another's, is in use, or says something else than was asked for. */
export async function openRecord(
  { clock, files, lock }: Pick<World, 'clock' | 'files' | 'lock'>,
  { path: given, key, rows, resume, now }: RecordOptions,
): Promise<BulkRecord> {
  const path = given ?? join(files.stateFolder, 'bulk', `${key.slice(0, 32)}.ndjson`);
  const held = await lock.take(`${path}.lock`, { timeoutMs: 0 });
  if (!held)
    throw usage('Another wm is at work on this very bulk', `Wait until it ends. Its journal: ${path}`);
  try {
    const past = await pastAt(files, path);
    check(past, { path, key, rows, resume });
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
      gather: () => clock.sleep(gatherMs),
    });
    const states = goesOn ? past.states : createStates(rows);
    return {
      path,
      journal,
      states,
      started,
      unknown: states.all(state.sent),
      async close() {
        await journal.close();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

async function pastAt(files: World['files'], path: string): Promise<Past | undefined> {
  const bytes = await files.stream(path);
  if (!bytes) return undefined;
  const past = await readPast(bytes);
  if (past) return past;
  throw usage(
    `${path} is not the journal of a bulk`,
    'Name another file with --journal, or remove this one.',
  );
}

function check(
  past: Past | undefined,
  { path, key, rows, resume }: { path: string; key: string; rows: number; resume: boolean },
): void {
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
