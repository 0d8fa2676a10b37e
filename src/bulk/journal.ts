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

export type JournalLine =
  | { readonly sent: number }
  | { readonly done: number }
  | { readonly failed: number; readonly why: string }
  /** It was about to be sent, and surely never left. */
  | { readonly unsent: number };

export interface Journal {
  add(line: JournalLine): void;
  /** What was added is in the system's hands when this returns: it outlives this process. */
  write(): void;
  /** Resolves once everything that was added before is on the disk: it outlives the machine. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface JournalOptions {
  /** The file ends in the middle of a line, which a crash left behind. */
  readonly isTorn?: boolean;
  /** How long a sync waits for others to join it. */
  readonly gather?: () => Promise<void>;
}

export function createJournal(file: Appending, { isTorn, gather }: JournalOptions = {}): Journal {
  let lines = isTorn ? '\n' : '';
  let group: Promise<void> | undefined;
  let last: Promise<void> = Promise.resolve();
  const write = (): void => {
    if (lines === '') return;
    const text = lines;
    lines = '';
    file.write(text);
  };
  const sync = (): Promise<void> => {
    // While one sync is under way, all who come share the next.
    group ??= last.then(async () => {
      await gather?.();
      group = undefined;
      write();
      await file.sync();
    });
    last = group;
    return group;
  };
  return {
    add(line) {
      lines += `${JSON.stringify(line)}\n`;
    },
    write,
    sync,
    async close() {
      await sync();
      await file.close();
    },
  };
}
