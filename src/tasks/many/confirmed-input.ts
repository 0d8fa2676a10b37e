// Makes sure that only confirmed rows are sent. The first read of an input, on which the plan is based, records a digest
// after every block; each later read passes a block on only if its digest is the same.

import { createHash } from 'node:crypto';

/** The SHA-256 of all bytes up to the end of each block; the last one is of the whole input. */
export type InputDigests = readonly Buffer[];

/** A gigabyte needs 4096 digests, and at most this much is held back. */
const blockBytes = 256 * 1024;

/** Passes the bytes on, and calls `onEnd` at their end. */
export async function* recordDigests(
  bytes: AsyncIterable<Uint8Array>,
  onEnd: (digests: InputDigests) => void,
): AsyncGenerator<Uint8Array> {
  const digests: Buffer[] = [];
  yield* passOn(bytes, false, (digest) => void digests.push(digest));
  onEnd(digests);
}

/** Passes on only unchanged blocks. At the first changed block, throws the error that `changed` returns. */
export function passOnConfirmed(
  bytes: AsyncIterable<Uint8Array>,
  confirmed: InputDigests,
  changed: () => Error,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  return passOn(bytes, true, (digest) => {
    if (confirmed[count++]?.equals(digest) !== true) throw changed();
  });
}

/** `holdsBack`: passes the bytes of a block on once `onDigest` has been called with its digest. */
async function* passOn(
  bytes: AsyncIterable<Uint8Array>,
  holdsBack: boolean,
  onDigest: (digest: Buffer) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let block: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
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
  }
  onDigest(hash.digest());
  yield* block;
}
