// Makes sure that only confirmed rows are sent. The first read of an input, on which the plan is based, records a digest
// after every block; each later read passes a block on only if its digest is the same.

import { createHash } from 'node:crypto';

/** What the first read found. */
export interface ConfirmedInput {
  /** The SHA-256 of all bytes, in hexadecimal. */
  readonly digest: string;
  readonly length: number;
  /** For each whole block, the digest of all bytes up to its end. */
  readonly blocks: readonly Buffer[];
}

/** A gigabyte leaves 4096 digests, and no more than this much is held back. */
const blockBytes = 256 * 1024;

/** Passes the bytes on, and calls `seen` at their end. */
export async function* recordDigests(
  bytes: AsyncIterable<Uint8Array>,
  seen: (input: ConfirmedInput) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  const blocks: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (const part of splitAtBlocks(chunk, length)) {
      hash.update(part);
      length += part.length;
      if (length % blockBytes === 0) blocks.push(hash.copy().digest());
    }
    yield chunk;
  }
  seen({ digest: hash.digest('hex'), length, blocks });
}

/** Passes on only blocks that are unchanged. At the first changed one, throws what `changed` returns. */
export async function* passOnConfirmed(
  bytes: AsyncIterable<Uint8Array>,
  confirmed: ConfirmedInput,
  changed: () => Error,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (const part of splitAtBlocks(chunk, length)) {
      hash.update(part);
      held.push(part);
      length += part.length;
      if (length % blockBytes !== 0) continue;
      const before = confirmed.blocks[length / blockBytes - 1];
      if (before?.equals(hash.copy().digest()) !== true) throw changed();
      yield* held;
      held = [];
    }
  }
  if (length !== confirmed.length || hash.digest('hex') !== confirmed.digest) throw changed();
  yield* held;
}

/** Cuts the bytes into blocks. */
function* splitAtBlocks(chunk: Uint8Array, before: number): Generator<Uint8Array> {
  for (let from = 0; from < chunk.length; ) {
    const room = blockBytes - ((before + from) % blockBytes);
    yield chunk.subarray(from, from + room);
    from += room;
  }
}
