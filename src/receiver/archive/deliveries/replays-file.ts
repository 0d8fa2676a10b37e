// Reads and writes the file beside a journal with a line for each replay. Only the listener, which may be running, writes the journal itself.

import { join } from 'node:path';
import { choice, number, object, optional, type TypeOf, text } from '#contract/schema.ts';
import { Failure, toFailure } from '#failure.ts';
import { parseRecord, readRecords } from '#local-records/json-records.ts';
import { tryToWrite } from '#receiver/core/journal/trial-file.ts';
import type { World } from '#world/world.ts';

const replaySchema = object('replay', {
  sequence: number('number'),
  /** When the replay ended, in milliseconds since 1970. */
  time: number('milliseconds'),
  target: text('target'),
  outcome: text('outcome'),
  milliseconds: number('milliseconds'),
  /** `failed`: the target did not accept the delivery. */
  verdict: choice('verdict', ['forwarded', 'failed']),
  /** For a failure: the beginning of the target's response, or of the error. */
  detail: optional(text('detail')),
});

export type Replay = TypeOf<typeof replaySchema>;

export const replaysLockPath = (folder: string): string => join(folder, 'replays.lock');

export interface Replays {
  /** The replays of each delivery by number, in the order of sending. */
  readonly bySequence: ReadonlyMap<number, readonly Replay[]>;
  /** The number of lines that are damaged or from a newer wm. */
  readonly unreadable: number;
}

export interface ReplayStore {
  /** The name for the user. */
  readonly name: string;
  read(): Promise<Replays>;
  /** Resolves to a number that changes with each new replay. */
  version(): Promise<number>;
  /** Keeps two processes from sending the same delivery. @throws {Failure} while another process replays. */
  open(): Promise<ReplayRecorder>;
}

/** `undefined` stands for a record that is damaged or from a newer wm. */
export async function groupReplays(replays: AsyncIterable<Replay | undefined>): Promise<Replays> {
  const bySequence = new Map<number, Replay[]>();
  let unreadable = 0;
  for await (const replay of replays) {
    const earlier = replay && bySequence.get(replay.sequence);
    if (replay === undefined) unreadable++;
    else if (earlier) earlier.push(replay);
    else bySequence.set(replay.sequence, [replay]);
  }
  return { bySequence, unreadable };
}

/** Returns `undefined` for a line that is damaged or from a newer wm. */
export function parseReplay(line: string): Replay | undefined {
  return parseRecord(replaySchema, line);
}

export interface ReplayRecorder {
  /** Resolves once the record is on the disk. Throws the system's own error. */
  add(replay: Replay): Promise<void>;
  close(): Promise<void>;
}

/** The room that the disk must have before anything is sent: enough for hundreds of records. */
const roomBytes = 64 * 1024;

/** A missing file means no replays. All but `open` throw the system's own error. */
export function createJournalReplays(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  folder: string,
): ReplayStore {
  const path = join(folder, 'replays.ndjson');
  const lockPath = replaysLockPath(folder);
  const openRecorder = async (): Promise<ReplayRecorder> => {
    const held = await lock.acquire(lockPath, { timeoutMs: 0, activity: 'replaying deliveries' });
    if (held === undefined) {
      const holder = await lock.holder(lockPath);
      throw new Failure('other', {
        message: 'Another wm webhook replay is sending deliveries of this journal',
        why: holder && `process ${holder.pid}`,
        hint: 'Wait until it ends, or stop it.',
      });
    }
    try {
      await tryToWrite(files, folder, roomBytes);
      const file = await files.append(path, { mode: 0o600 });
      // Keeps a line that a crash cut off from merging with the next.
      let separator = file.size === 0 ? '' : '\n';
      return {
        async add(replay) {
          const before = separator;
          // Until the write succeeds, the line may be incomplete.
          separator = '\n';
          file.write(`${before}${JSON.stringify(replay)}\n`);
          separator = '';
          await file.sync();
        },
        close: () => file.close().finally(() => held.release()),
      };
    } catch (error) {
      await held.release();
      throw error;
    }
  };
  return {
    name: path,
    read: () => groupReplays(readRecords(files, path, replaySchema)),
    version: () => files.size(path),
    open: () =>
      openRecorder().catch((error: unknown) => {
        const failure = toFailure(error);
        if (failure === error || failure.code === 'internal') throw error;
        throw failure.with({
          hint: 'Nothing was sent, because wm cannot record it there. Fix the cause, such as a full disk, and run the command again.',
        });
      }),
  };
}
