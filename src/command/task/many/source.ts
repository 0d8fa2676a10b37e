// Where the rows of a bulk come from: the ids on the command line, a file, or standard input. All can be read twice, the
// first time for the plan and the second time to send; standard input is kept in a temporary file for that.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { usage } from '../../../failure.ts';
import type { Appending, World } from '../../../world/world.ts';
import type { SaidFlags } from '../to-update.ts';
import { toUpdate } from '../to-update.ts';
import { type Rows, readRows } from './read-rows.ts';
import type { Reading, TaskItem } from './reading.ts';

export interface InputSource {
  /** For a person: `tasks.csv`, `standard input`, `the command line`. */
  readonly name: string;
  /** Reads from the beginning. Throws a usage failure for what cannot be read. */
  open(reading: Reading): Promise<Rows>;
  /** Of everything that was read by the last `open`, once it is read to its end. */
  digest(): string;
  /** Removes what was kept. */
  close(): Promise<void>;
}

/** The ids, all with the same update. */
export function idSource(ids: readonly string[], line: SaidFlags): InputSource {
  return {
    name: 'the command line',
    async open(reading) {
      const said = toUpdate(line, reading.now);
      const clearingIsMeant = line.allowClearingDates === true;
      const items: TaskItem[] = [];
      for (const [at, id] of ids.entries()) {
        const place = { line: at + 1, source: [id], id };
        items.push(await reading.item(place, () => ({ id, said, clearingIsMeant })));
      }
      const csv = { header: ['id'], delimiter: ',', lineEnd: '\n', hasMark: false };
      return { format: 'CSV', csv, items: once(items) };
    },
    digest: () => createHash('sha256').update(JSON.stringify(ids)).digest('hex'),
    close: async () => {},
  };
}

async function* once<T>(batch: readonly T[]): AsyncGenerator<readonly T[]> {
  yield batch;
}

type Parts = Pick<World, 'files' | 'streams'>;

/** `-` is standard input. `twice`: it will be opened a second time. */
export function fileSource(world: Parts, path: string, line: SaidFlags, twice: boolean): InputSource {
  const { files, streams } = world;
  const isInput = path === '-';
  const name = isInput ? 'standard input' : path;
  let hash = createHash('sha256');
  let copy: Promise<Copy> | undefined;
  let kept: string | undefined;
  /** A short input, understood: so that it need not be read and understood again. */
  let short: { readonly rows: Rows; readonly now: number } | undefined;
  const start = async (): Promise<AsyncIterable<Uint8Array>> => {
    if (!isInput || kept !== undefined) {
      const bytes = await files.stream(kept ?? path);
      if (bytes) return bytes;
      throw usage(`--from: there is no file ${path}`);
    }
    if (!twice) return bytesOf(streams.input.raw);
    copy = openCopy(files);
    const { path: own, file } = await copy;
    kept = own;
    return keeping(bytesOf(streams.input.raw), file);
  };
  return {
    name,
    async open(reading) {
      // Relative dates count from another moment where a bulk goes on.
      if (short?.now === reading.now) return short.rows;
      hash = createHash('sha256');
      let length = 0;
      const bytes = hashing(await start(), (piece) => {
        length += piece.length;
        if (twice) hash.update(piece);
      });
      const rows = await readRows(bytes, name, line, reading);
      if (!twice) return rows;
      const items = remembering(
        rows.items,
        () => length <= shortBytes,
        (batches) => {
          short = { rows: { ...rows, items: again(batches) }, now: reading.now };
        },
      );
      return { ...rows, items };
    },
    digest: () => hash.digest('hex'),
    async close() {
      // Where somebody interrupted, it may still be on its way.
      const made = await copy?.catch(() => undefined);
      if (made) await files.removeFolder(made.folder);
    },
  };
}

/** Of an input that is kept in memory, which takes some times as much there. */
const shortBytes = 4 * 1024 * 1024;

/** Hands the batches on, and gives them back at the end, unless they became too many. */
async function* remembering<T>(
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

async function* hashing(bytes: AsyncIterable<Uint8Array>, add: (bytes: Uint8Array) => void) {
  for await (const chunk of bytes) {
    add(chunk);
    yield chunk;
  }
}

async function* bytesOf(stream: NodeJS.ReadableStream): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
}

interface Copy {
  readonly folder: string;
  readonly path: string;
  readonly file: Appending;
}

async function openCopy(files: World['files']): Promise<Copy> {
  const folder = await files.makeTemporaryFolder('wm-bulk-');
  const path = join(folder, 'input');
  try {
    return { folder, path, file: await files.append(path, { mode: 0o600 }) };
  } catch (error) {
    await files.removeFolder(folder);
    throw error;
  }
}

async function* keeping(bytes: AsyncIterable<Uint8Array>, file: Appending): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of bytes) {
      file.write(chunk);
      yield chunk;
    }
  } finally {
    await file.close();
  }
}
