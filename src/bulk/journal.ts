// The journal of a bulk run: one line of JSON for each event of a row, written before the next row is taken and synced to the disk
// before the row is reported. Rows that finish together share one sync. After `kill -9` it says which rows have an outcome, which of
// these were reported, and which were sent without a response.

import { hash } from 'node:crypto';
import type { AppendFile } from '#world/world.ts';
import type { RecordedError, Row } from './row.ts';

/**
 * Version 1 counted rows from 1; since version 2 a row is named by its line in the input. Version 3 has today's outcome
 * words; before, `updated` was `done`, `not-sent` was `unsent`, and `invalid` was `failed` with the code `usage`.
 */
export const journalVersion = 3;
export const firstVersionWithLines = 2;

/** The first line: what this journal belongs to. */
export interface JournalHeader {
  /** The command whose rows these are. */
  readonly journal: string;
  readonly version: number;
  /** Identifies the input, and what the command line adds to it. */
  readonly key: string;
  readonly rows: number;
  /** Milliseconds since 1970: `tomorrow` means the same when the run is resumed on another day. */
  readonly started: number;
  /** Identifies the command, independent of the input's contents. Journals of an older version lack it. */
  readonly command?: string | undefined;
}

/**
 * An entry with the ids of rows, and a digest of what each changes. If the input changes, the next run uses them to name the
 * remaining rows.
 */
export function formatIds(rows: readonly Row<unknown>[]): string {
  // Written out: a million rows pass here.
  let ids = '';
  let changes = '';
  for (const row of rows) {
    if (row.id !== undefined) ids += `,${row.line},${JSON.stringify(row.id)}`;
    if (!('invalid' in row)) changes += `,${row.line},"${digestOf(row.update)}"`;
  }
  return `{"ids":[${ids.slice(1)}],"changes":[${changes.slice(1)}]}\n`;
}

const digestOf = (update: unknown) => hash('sha1', JSON.stringify(update), 'base64url').slice(0, 12);

/** A row is sent only if the disk has an entry `may-send` that covers it, of a row at most this many lines before. */
const linesAhead = 1000;

export type Journal = ReturnType<typeof createJournal>;

export interface JournalOptions {
  /** Of this start of the machine, if known. */
  readonly bootId?: string | undefined;
  /** How long a write waits for others to join it. */
  readonly waitForWrites?: () => Promise<void>;
}

/**
 * `file`: a journal with its header. Rows are named by the lines where they begin. The methods up to `finished` only buffer an
 * entry, and never throw; `write` and `sync` store it.
 */
export function createJournal(file: AppendFile, { bootId, waitForWrites }: JournalOptions = {}) {
  let buffer = '';
  let writing: Promise<void> | undefined;
  let nextSync: Promise<void> | undefined;
  let lastSync: Promise<void> = Promise.resolve();
  /** Rows that begin on the lines up to here may be sent: the disk has the entry that says so. */
  let clearedTo = 0;
  let clearing: Promise<void> | undefined;
  let mustEndClearance = false;
  /** After a failed sync, the system may have dropped entries, and the next sync says nothing about them. */
  let mayLack = false;
  const writeNow = (): void => {
    if (buffer === '') return;
    const text = buffer;
    buffer = '';
    try {
      file.write(text);
    } catch (error) {
      // Keep it for a retry: the disk may have room by then.
      buffer = text + buffer;
      throw error;
    }
  };
  const writeBatch = async (): Promise<void> => {
    await waitForWrites?.();
    writing = undefined;
    writeNow();
  };
  /** Resolves once every entry so far is on the disk, and survives a power failure. Rejects if that fails. */
  const sync = (): Promise<void> => {
    // While one sync is in flight, all others share the next.
    nextSync ??= lastSync
      .catch(() => {})
      .then(async () => {
        nextSync = undefined;
        writeNow();
        await file.sync().catch((error: unknown) => {
          mayLack = true;
          throw error;
        });
      });
    lastSync = nextSync;
    return nextSync;
  };
  const clear = (line: number): Promise<void> => {
    const to = line + linesAhead;
    mustEndClearance = true;
    buffer += `${JSON.stringify({ 'may-send': to, boot: bootId })}\n`;
    const cleared = sync()
      .then(() => {
        clearedTo = to;
      })
      .finally(() => {
        clearing = undefined;
      });
    clearing = cleared;
    // A row that waits for it reports the error.
    cleared.catch(() => {});
    return cleared;
  };
  const untilCleared = async (line: number): Promise<void> => {
    while (line > clearedTo) await (clearing ?? clear(line));
  };
  return {
    /**
     * Call before a row is sent. Undefined if the disk has an entry that covers it, should a power cut take its own; otherwise a
     * promise of that, which rejects if the disk fails.
     */
    clearToSend(line: number): Promise<void> | undefined {
      if (line > clearedTo - linesAhead / 2 && !clearing) clear(line);
      return line > clearedTo ? untilCleared(line) : undefined;
    },
    sent(line: number) {
      buffer += `{"sent":${line}}\n`;
    },
    updated(line: number) {
      buffer += `{"updated":${line}}\n`;
    },
    failed(line: number, { message, code, httpStatus }: RecordedError) {
      buffer += `${JSON.stringify({ failed: line, message, code, httpStatus })}\n`;
    },
    invalid(line: number, message: string) {
      buffer += `${JSON.stringify({ invalid: line, message })}\n`;
    },
    /** It was recorded as sent, but never left this machine. */
    notSent(line: number) {
      buffer += `{"not-sent":${line}}\n`;
    },
    /** Their outcomes were written to standard output. */
    reported(lines: readonly number[]) {
      buffer += `{"reported":[${lines.join(',')}]}\n`;
    },
    /** Nothing is left to resume: every row has an outcome, and all output was written. */
    finished() {
      buffer += '{"finished":true}\n';
    },
    /** No row may have been sent, and the disk may lack any entry, even the header. */
    get isLost() {
      return clearedTo === 0 && mayLack;
    },
    /** Resolves once every entry so far is with the operating system, and survives this process. Rejects if that fails. */
    write() {
      writing ??= writeBatch();
      return writing;
    },
    sync,
    /** Retries what could not be written, and closes the file. */
    async close() {
      // Every row that was sent has its entry now.
      if (mustEndClearance && !mayLack) buffer += '{"may-send":0}\n';
      await sync().finally(() => file.close());
    },
  };
}
