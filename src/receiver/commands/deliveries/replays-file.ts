// The file in the journal's folder that records what `wm webhook replay` has sent, a line for each. It is a file of its own because the
// journal belongs to the listener, which may be running.

import { join } from 'node:path';
import { decodeLines } from '#bulk/decode-lines.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { choice, number, object, readLeniently, type TypeOf, text, unlessInvalid } from '#contract/schema.ts';
import { tryToWrite } from '#receiver/journal/trial-file.ts';
import type { World } from '#world/world.ts';

const replay = object('replay', {
  sequence: number('number'),
  /** Milliseconds since 1970, when it ended. */
  time: number('milliseconds'),
  target: text('target'),
  outcome: text('outcome'),
  milliseconds: number('milliseconds'),
  /** `failed`: the target did not take it. */
  verdict: choice('verdict', ['forwarded', 'failed']),
});

export type Replay = TypeOf<typeof replay>;

type Place = Pick<World, 'files'>;

export function replaysPath(folder: string): string {
  return join(folder, 'replays.ndjson');
}

export interface Replays {
  /** By the number of the delivery, each in the order in which they were sent. */
  readonly bySequence: ReadonlyMap<number, readonly Replay[]>;
  /** How many lines: damaged, or written by a newer wm. */
  readonly unreadable: number;
}

/** None if nothing was replayed. Throws the system's own error if the file cannot be read. */
export async function readReplays({ files }: Place, folder: string): Promise<Replays> {
  const bySequence = new Map<number, Replay[]>();
  let unreadable = 0;
  const path = replaysPath(folder);
  // Reading a named pipe would wait for a writer.
  const bytes = (await files.kind(path)) === 'file' ? await files.stream(path) : undefined;
  for await (const piece of bytes === undefined ? [] : decodeLines(bytes, false)) {
    if ('problem' in piece) {
      unreadable++;
      continue;
    }
    for (const line of piece.text.split('\n')) {
      if (line === '') continue;
      const one = parseReplay(line);
      if (one === undefined) unreadable++;
      else {
        const known = bySequence.get(one.sequence);
        if (known) known.push(one);
        else bySequence.set(one.sequence, [one]);
      }
    }
  }
  return { bySequence, unreadable };
}

/** `undefined` for a line that is damaged, or that a newer wm has written. */
export function parseReplay(line: string): Replay | undefined {
  return unlessInvalid(() => readLeniently(replay, parseJsonIfValid(line)));
}

export interface ReplayRecorder {
  /** Resolves once it is on the disk. Throws the system's own error. */
  add(replay: Replay): Promise<void>;
  close(): Promise<void>;
}

/** Of the disk, before anything is sent: of records, hundreds. */
const roomBytes = 64 * 1024;

/** `undefined` while another replay of this journal has it open. Throws the system's own error, also without room for records. */
export async function openReplays(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  folder: string,
): Promise<ReplayRecorder | undefined> {
  const held = await lock.acquire(replaysLockPath(folder), {
    timeoutMs: 0,
    activity: 'replaying deliveries',
  });
  if (held === undefined) return undefined;
  try {
    await tryToWrite(files, folder, roomBytes);
    const file = await files.append(replaysPath(folder), { mode: 0o600 });
    // A line that a crash cut off must not merge with the next.
    let separator = file.size === 0 ? '' : '\n';
    return {
      async add(one) {
        const before = separator;
        // As long as it is not known to be whole.
        separator = '\n';
        file.write(`${before}${JSON.stringify(one)}\n`);
        separator = '';
        await file.sync();
      },
      close: () => file.close().finally(() => held.release()),
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

export function replaysLockPath(folder: string): string {
  return join(folder, 'replays.lock');
}
