// Where the rows of a bulk run come from: ids on the command line, a file, or standard input. All can be read twice, for
// the plan and for sending; input that can be read only once is copied to an unnamed file. A later read never returns
// more than the first.

import { createHash } from 'node:crypto';
import { type Failure, usageError } from '#failure.ts';
import type { ScratchFile, World } from '#world/world.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { buildUpdate } from '../input/build-update.ts';
import { type ConfirmedInput, passOnConfirmed, recordDigests } from './confirmed-input.ts';
import { type RowFlags, type Rows, readRows } from './read-rows.ts';
import type { RowResolver, TaskRow } from './row-resolver.ts';

export interface InputSource {
  /** For a person: `tasks.csv`, `standard input`, `the command line`. */
  readonly name: string;
  /**
   * Reads from the beginning. Throws a usage failure, now or while it is read, for what cannot be read, and for what is
   * no longer what the first read saw.
   */
  open(reading: RowResolver): Promise<Rows>;
  /** A digest of everything that the first `open` read; call it after the last row. */
  digest(): string;
  /** Throws a usage failure if the input has changed since the first read. */
  verify(): Promise<void>;
  /** Removes the copy, if one was made. */
  close(): Promise<void>;
}

/** The ids, all with the same update. `typed`: as the user gave them, which stay the same when the run renames tasks. */
export function idSource(
  ids: readonly string[],
  typed: readonly string[],
  line: UpdateFlagValues,
): InputSource {
  /** Kept so that no task is read twice. */
  let read: { readonly items: readonly TaskRow[]; readonly reading: RowResolver } | undefined;
  return {
    name: 'the command line',
    async open(reading) {
      const built = buildUpdate(line, reading.now);
      const allowsClearingDates = line.allowClearingDates === true;
      const keepsStart = line.keepStart === true;
      const items =
        read?.reading === reading
          ? read.items
          : await Promise.all(
              ids.map((id, at) =>
                reading.resolve(at + 1, [id], id, id, () => ({
                  id: reading.earlierId(at + 1) ?? id,
                  ...built,
                  allowsClearingDates,
                  keepsStart,
                })),
              ),
            );
      read = { items, reading };
      const csv = { header: ['id'], delimiter: ',', lineEnd: '\n', hasByteOrderMark: false };
      return { format: 'CSV', csv, batches: again([items]), skipped: () => [] };
    },
    digest: () => createHash('sha256').update(JSON.stringify(typed)).digest('hex'),
    verify: async () => {},
    close: async () => {},
  };
}

type Parts = Pick<World, 'files' | 'streams'>;

/** `-` is standard input. `twice`: it will be opened a second time. */
export function fileSource(
  world: Parts,
  path: string,
  line: UpdateFlagValues,
  flags: RowFlags,
  twice: boolean,
): InputSource {
  const { files, streams } = world;
  const isInput = path === '-';
  const name = isInput ? 'standard input' : path;
  /** Of the first read, once that is over. */
  let confirmed: ConfirmedInput | undefined;
  let copy: Promise<ScratchFile> | undefined;
  let kept: ScratchFile | undefined;
  /** The parsed rows of a short input, so that it is read and parsed only once. */
  let short: { readonly rows: Rows; readonly reading: RowResolver } | undefined;
  const start = async (): Promise<AsyncIterable<Uint8Array>> => {
    if (kept) return kept.stream();
    const bytes = isInput ? bytesOf(streams.input.raw) : await files.stream(path);
    if (!bytes) throw usageError(`--from: file not found: ${path}`);
    if (!twice || !(isInput || (await files.kind(path)) !== 'file')) return bytes;
    // A pipe, too, has its bytes only once.
    copy = files.openScratchFile();
    kept = await copy;
    return copying(bytes, kept);
  };
  const read = async (): Promise<AsyncIterable<Uint8Array>> => {
    const bytes = await start();
    if (confirmed) return passOnConfirmed(bytes, confirmed, () => changedInput(name));
    return recordDigests(bytes, (all) => {
      confirmed = all;
    });
  };
  return {
    name,
    async open(reading) {
      if (!twice) return readRows(await start(), name, line, flags, reading);
      // In a resumed run, relative dates count from the start of the first run, and titles mean what they meant then.
      if (short?.reading === reading) return short.rows;
      let length = 0;
      const bytes = counting(await read(), (more) => {
        length += more;
      });
      const rows = await readRows(bytes, name, line, flags, reading);
      const items = caching(
        rows.batches,
        () => length <= maxCachedBytes,
        (batches) => {
          short = {
            rows: { ...rows, batches: { [Symbol.asyncIterator]: () => again(batches) } },
            reading,
          };
        },
      );
      return { ...rows, batches: items };
    },
    digest() {
      if (!confirmed) throw new Error('the input was not read to its end');
      return confirmed.digest;
    },
    async verify() {
      for await (const _ of await read());
    },
    async close() {
      // After an interruption, the copy may still be opening.
      const made = await copy?.catch(() => undefined);
      await made?.close();
    },
  };
}

/** Of an input that is kept in memory, which takes some fifteen times as much there. */
const maxCachedBytes = 1024 * 1024;

/** Passes the batches on, and returns them at the end, unless there were too many. */
async function* caching<T>(
  batches: AsyncIterable<T>,
  isShort: () => boolean,
  remember: (all: readonly T[]) => void,
): AsyncGenerator<T> {
  let all: T[] | undefined = [];
  for await (const batch of batches) {
    if (isShort()) all?.push(batch);
    else all = undefined;
    yield batch;
  }
  if (all) remember(all);
}

async function* again<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches;
}

async function* counting(bytes: AsyncIterable<Uint8Array>, add: (length: number) => void) {
  for await (const chunk of bytes) {
    add(chunk.length);
    yield chunk;
  }
}

function changedInput(name: string): Failure {
  return usageError(
    `${name} changed after its rows were read`,
    `Restore ${name} as it was: --resume continues only with the same input.`,
    'only rows that you confirmed are sent',
  );
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

async function* copying(bytes: AsyncIterable<Uint8Array>, copy: ScratchFile): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    copy.write(chunk);
    yield chunk;
  }
}
