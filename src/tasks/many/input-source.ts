// Where the rows of a bulk run come from: ids on the command line, a file, or standard input. All can be read twice, for
// the plan and for sending; input that can be read only once is copied to an unnamed file. Only confirmed rows are sent: the first
// read records a digest after every block, and each later read passes a block on only if its digest is the same.

import { createHash } from 'node:crypto';
import { type Failure, usageError } from '#failure.ts';
import type { ScratchFile, World } from '#world/world.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { failUnreadable } from './check-files.ts';
import { type RowFlags, type Rows, readIds, readRows, replay } from './read-rows.ts';
import type { RowResolver, TaskRow } from './row-resolver.ts';

export interface InputSource {
  /** For a person: `tasks.csv`, `standard input`, `the command line`. */
  readonly name: string;
  /** From the beginning. Throws a usage failure, now or later, if the input is unreadable or has changed. */
  open(resolver: RowResolver): Promise<Rows>;
  /** A digest of everything that the first `open` read; call it after the last row. */
  digest(): string;
  /** Throws a usage failure if the input has changed since the first read. */
  verify(): Promise<void>;
  /** Removes the copy, if one was made. */
  close(): Promise<void>;
}

/** The ids, all with the same update. `typed`: as the user gave them, which stays the same when the run renames tasks. */
export function idSource(
  name: string,
  ids: readonly string[],
  typed: readonly string[],
  defaults: UpdateFlagValues,
): InputSource {
  return {
    name,
    open: keepingRows(
      async (resolver) => readIds(ids, { name, defaults, flags: {}, resolver }),
      () => true,
    ),
    digest: () => createHash('sha256').update(JSON.stringify(typed)).digest('hex'),
    verify: async () => {},
    close: async () => {},
  };
}

/** `-` is standard input. `twice`: it will be opened a second time. */
export function fileSource(
  { files, streams }: Pick<World, 'files' | 'streams'>,
  path: string,
  defaults: UpdateFlagValues,
  flags: RowFlags,
  twice: boolean,
): InputSource {
  const isInput = path === '-';
  const name = isInput ? 'standard input' : path;
  /** The digests of the first read, once that is over. The last one is of the whole input. */
  let confirmed: readonly Buffer[] | undefined;
  let copy: Promise<ScratchFile> | undefined;
  /** How much of it was read so far. */
  let length = 0;
  const start = async (): Promise<AsyncIterable<Uint8Array>> => {
    if (copy) return (await copy).stream();
    const bytes = isInput ? bytesOf(streams.input.raw) : await files.stream(path).catch(failUnreadable(path));
    if (!bytes) throw usageError(`--from: file not found: ${path}`);
    if (!twice || !(isInput || (await files.kind(path)) !== 'file')) return bytes;
    // A pipe, too, can be read only once.
    copy = files.openScratchFile();
    const scratch = await copy;
    return tapping(bytes, (chunk) => scratch.write(chunk));
  };
  async function* read(): AsyncGenerator<Uint8Array> {
    const expected = confirmed;
    const digests: Buffer[] = [];
    yield* inBlocks(await start(), expected !== undefined, (digest) => {
      if (expected && expected[digests.length]?.equals(digest) !== true) throw changedInput(name);
      digests.push(digest);
    });
    confirmed = digests;
  }
  return {
    name,
    open: keepingRows(
      async (resolver) => {
        length = 0;
        const bytes = twice ? tapping(read(), (chunk) => (length += chunk.length)) : await start();
        return readRows(bytes, { name, defaults, flags, resolver });
      },
      () => twice && length <= maxKeptBytes,
    ),
    digest() {
      const whole = confirmed?.at(-1);
      if (!whole) throw new Error('the input was not read to its end');
      return whole.toString('hex');
    },
    async verify() {
      for await (const _ of read());
    },
    async close() {
      // After an interruption, the copy may still be opening.
      await (await copy?.catch(() => undefined))?.close();
    },
  };
}

/** The longest input whose rows are kept; they take some fifteen times as much memory. */
const maxKeptBytes = 1.5 * 1024 * 1024;

/** Parses a short input only once. A resumed run has a resolver of its own: dates and titles mean what they meant in the first run. */
function keepingRows(open: InputSource['open'], isShort: () => boolean): InputSource['open'] {
  let kept: { readonly rows: Rows; readonly resolver: RowResolver } | undefined;
  return async (resolver) => {
    if (kept?.resolver === resolver) return kept.rows;
    const rows = await open(resolver);
    async function* batches(): AsyncGenerator<readonly TaskRow[]> {
      const all: (readonly TaskRow[])[] = [];
      for await (const batch of rows.batches) {
        if (isShort()) all.push(batch);
        else all.length = 0;
        yield batch;
      }
      if (isShort())
        kept = { rows: { ...rows, batches: { [Symbol.asyncIterator]: () => replay(all) } }, resolver };
    }
    return { ...rows, batches: batches() };
  };
}

/** Passes the bytes on. */
async function* tapping(bytes: AsyncIterable<Uint8Array>, onChunk: (chunk: Uint8Array) => unknown) {
  for await (const chunk of bytes) {
    onChunk(chunk);
    yield chunk;
  }
}

/** A gigabyte needs 4096 digests, and at most this much is held back. */
const blockBytes = 256 * 1024;

/** Calls `onDigest` with the SHA-256 up to the end of each block, and of all. `holdsBack`: passes it on only then. */
async function* inBlocks(
  bytes: AsyncIterable<Uint8Array>,
  holdsBack: boolean,
  onDigest: (digest: Buffer) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let block: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes)
    for (let start = 0; start < chunk.length; ) {
      const part = chunk.subarray(start, start + blockBytes - (length % blockBytes));
      start += part.length;
      length += part.length;
      hash.update(part);
      block.push(part);
      const isWhole = length % blockBytes === 0;
      if (isWhole) onDigest(hash.copy().digest());
      if (holdsBack && !isWhole) continue;
      yield* block;
      block = [];
    }
  onDigest(hash.digest());
  yield* block;
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
