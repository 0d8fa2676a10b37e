// The journal of a bulk: one line of JSON for each thing that happened to a row, written before the next row is taken and
// synced to the disk before the row is reported. Rows that finish together share one sync. After `kill -9` it says which
// rows had a response, which of these were reported, and which had been sent without a response.

import type { AppendFile } from '../world/world.ts';

/** Version 1 counted the rows of the input from 1, version 2 names a row by its line. */
export const journalVersion = 2;

/** The first line: of what this is the journal. */
export interface JournalHeader {
  readonly journal: 'wm task update';
  readonly version: number;
  /** Names the input, and what the command line said beside it. */
  readonly key: string;
  readonly rows: number;
  /** Milliseconds since 1970: `tomorrow` means the same when the bulk is resumed on another day. */
  readonly started: number;
}

/** Why a row failed, as far as it is kept to be reported later. */
export interface RecordedError {
  readonly message: string;
  readonly code?: string;
  readonly httpStatus?: number | undefined;
}

/** Rows by the lines of the input where they begin. What is said here is only gathered; `write` and `sync` hand it on. */
export interface Journal {
  sent(line: number): void;
  updated(line: number): void;
  failed(line: number, reason: RecordedError): void;
  /** It was about to be sent, and surely never left. */
  notSent(line: number): void;
  /** Their outcomes have left for standard output. */
  reported(lines: readonly number[]): void;
  /** Every row has a response, and everything that was asked for was written: there is nothing to resume. */
  finished(): void;
  /** Resolves once what was said is in the system's hands: it outlives this process. */
  write(): Promise<void>;
  /** Resolves once everything that was said before is on the disk: it outlives the machine. */
  sync(): Promise<void>;
  /** Nothing more is to come: a sync waits for no others. */
  skipBatching(): void;
  /** Tries once more to write what could not be written before. */
  close(): Promise<void>;
}

export interface JournalOptions {
  /** The file ends in the middle of a line, which a crash left behind. */
  readonly isTorn?: boolean;
  /** How long a write waits for others to join it. */
  readonly waitForWrites?: () => Promise<void>;
  /** How long a sync waits for others to join it, or until the signal aborts. */
  readonly waitForSyncs?: (hurried: AbortSignal) => Promise<void>;
}

export function createJournal(
  file: AppendFile,
  { isTorn, waitForWrites, waitForSyncs }: JournalOptions = {},
): Journal {
  const hurried = new AbortController();
  let lines = isTorn ? '\n' : '';
  let writing: Promise<void> | undefined;
  let group: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const writeNow = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    try {
      file.write(text);
    } catch (error) {
      // The next attempt may find room.
      lines = text + lines;
      throw error;
    }
  };
  const inTurn = async (): Promise<void> => {
    await waitForWrites?.();
    writing = undefined;
    writeNow();
  };
  const sync = (): Promise<void> => {
    // While one sync is under way, all who come share the next.
    group ??= last
      .catch(() => {})
      .then(async () => {
        await waitForSyncs?.(hurried.signal);
        group = undefined;
        writeNow();
        await file.sync();
      });
    last = group;
    return group;
  };
  return {
    sent(line) {
      lines += `{"sent":${line}}\n`;
    },
    updated(line) {
      lines += `{"done":${line}}\n`;
    },
    failed(line, { message: why, code, httpStatus }) {
      lines += `${JSON.stringify({ failed: line, why, code, httpStatus })}\n`;
    },
    notSent(line) {
      lines += `{"unsent":${line}}\n`;
    },
    reported(some) {
      lines += `{"reported":[${some.join(',')}]}\n`;
    },
    finished() {
      lines += '{"finished":true}\n';
    },
    write() {
      writing ??= inTurn();
      return writing;
    },
    sync,
    skipBatching() {
      hurried.abort();
    },
    async close() {
      hurried.abort();
      await sync().finally(() => file.close());
    },
  };
}
