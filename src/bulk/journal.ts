// The journal of a bulk: one line of JSON for each thing that happened to a row, written before the next row is taken and
// synced to the disk before it counts as done. Rows that finish together share one sync. After `kill -9` it says which
// rows were answered, and which had been sent without an answer.

import type { Appending } from '../world/world.ts';

/** The first line: of what this is the journal. */
export interface JournalHeader {
  readonly journal: 'wm task update';
  readonly version: 1;
  /** Names the input, and what the command line said beside it. */
  readonly key: string;
  readonly rows: number;
  /** Milliseconds since 1970: `tomorrow` means the same when the bulk goes on another day. */
  readonly started: number;
}

/** Rows by their numbers. What is said here is only gathered; `write` and `sync` hand it on. */
export interface Journal {
  sent(row: number): void;
  done(row: number): void;
  failed(row: number, why: string): void;
  /** It was about to be sent, and surely never left. */
  unsent(row: number): void;
  /** Resolves once what was said is in the system's hands: it outlives this process. */
  write(): Promise<void>;
  /** Resolves once everything that was said before is on the disk: it outlives the machine. */
  sync(): Promise<void>;
  /** Nothing more is to come: a sync waits for no others. */
  hurry(): void;
  close(): Promise<void>;
}

export interface JournalOptions {
  /** The file ends in the middle of a line, which a crash left behind. */
  readonly isTorn?: boolean;
  /** How long a write waits for others to join it. */
  readonly turn?: () => Promise<void>;
  /** How long a sync waits for others to join it, or until the signal aborts. */
  readonly gather?: (hurried: AbortSignal) => Promise<void>;
}

export function createJournal(file: Appending, { isTorn, turn, gather }: JournalOptions = {}): Journal {
  const hurried = new AbortController();
  let lines = isTorn ? '\n' : '';
  let writing: Promise<void> | undefined;
  let group: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const writeNow = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    file.write(text);
  };
  const inTurn = async (): Promise<void> => {
    await turn?.();
    writing = undefined;
    writeNow();
  };
  const sync = (): Promise<void> => {
    // While one sync is under way, all who come share the next.
    group ??= last.then(async () => {
      await gather?.(hurried.signal);
      group = undefined;
      writeNow();
      await file.sync();
    });
    last = group;
    return group;
  };
  return {
    sent(row) {
      lines += `{"sent":${row}}\n`;
    },
    done(row) {
      lines += `{"done":${row}}\n`;
    },
    failed(row, why) {
      lines += `${JSON.stringify({ failed: row, why })}\n`;
    },
    unsent(row) {
      lines += `{"unsent":${row}}\n`;
    },
    write() {
      writing ??= inTurn();
      return writing;
    },
    sync,
    hurry() {
      hurried.abort();
    },
    async close() {
      await sync().finally(() => file.close());
    },
  };
}
