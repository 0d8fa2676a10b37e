// Makes sure that only confirmed rows are sent. The first read of an input, on which the plan is based, records a digest
// after every block; each later read passes a block on only if its digest is the same.

import { createHash } from 'node:crypto';

/** The input as the first read found it. */
export interface ConfirmedInput {
  /** The SHA-256 of all bytes, in hexadecimal. */
  readonly digest: string;
  readonly length: number;
  /** For each whole block, the digest of all bytes up to its end. */
  readonly blocks: readonly Buffer[];
}

/** A gigabyte needs 4096 digests, and at most this much is held back. */
const blockBytes = 256 * 1024;

/** Passes the bytes on, and calls `onEnd` at their end. */
export async function* recordDigests(
  bytes: AsyncIterable<Uint8Array>,
  onEnd: (input: ConfirmedInput) => void,
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
  onEnd({ digest: hash.digest('hex'), length, blocks });
}

/** Passes on only unchanged blocks. At the first changed block, throws the error that `changed` returns. */
export async function* passOnConfirmed(
  bytes: AsyncIterable<Uint8Array>,
  confirmed: ConfirmedInput,
  changed: () => Error,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let block: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (const part of splitAtBlocks(chunk, length)) {
      hash.update(part);
      block.push(part);
      length += part.length;
      if (length % blockBytes !== 0) continue;
      const expected = confirmed.blocks[length / blockBytes - 1];
      if (expected?.equals(hash.copy().digest()) !== true) throw changed();
      yield* block;
      block = [];
    }
  }
  if (length !== confirmed.length || hash.digest('hex') !== confirmed.digest) throw changed();
  yield* block;
}

/** Cuts a chunk at the ends of blocks. `position`: of the chunk in the input. */
function* splitAtBlocks(chunk: Uint8Array, position: number): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; ) {
    const end = start + blockBytes - ((position + start) % blockBytes);
    yield chunk.subarray(start, end);
    start = end;
  }
}
