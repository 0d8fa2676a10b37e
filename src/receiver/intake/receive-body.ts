// Reads the body of a request, within a limit on the memory for all bodies. A body in one piece, the usual case, is not copied. Others
// grow in a buffer, because a list of one-byte pieces would take a hundred times the size of the body.

import type { IncomingMessage } from 'node:http';

/** `busy`: the memory limit is reached for now. `broken-off`: the client has gone, or sent something other than HTTP. */
export type ReceivedBody = Uint8Array | 'too-large' | 'busy' | 'broken-off';

/**
 * Calls `done` once. Bytes beyond {@link smallBodyBytes} count in `memory` until the caller releases them. After any other outcome, reads
 * and drops the rest of the request: closing a connection with unread bytes resets it, and the client might lose the response.
 */
export function receiveBody(
  request: IncomingMessage,
  memory: BodyMemory,
  maxBytes: number,
  done: (outcome: ReceivedBody) => void,
): void {
  let first: Uint8Array | undefined;
  let buffer: Buffer | undefined;
  let length = 0;
  let isOver = false;
  const end = (outcome: ReceivedBody) => {
    if (isOver) return;
    isOver = true;
    if (typeof outcome === 'string') memory.release(countedBytes(length));
    first = undefined;
    buffer = undefined;
    done(outcome);
  };
  request.on('data', (piece: Uint8Array) => {
    if (isOver) return;
    const total = length + piece.length;
    if (total > maxBytes) return end('too-large');
    if (total > smallBodyBytes && !memory.hold(countedBytes(total) - countedBytes(length)))
      return end('busy');
    if (first === undefined) {
      first = piece;
    } else {
      if (buffer === undefined) {
        buffer = Buffer.allocUnsafe(capacityFor(total));
        buffer.set(first, 0);
      } else if (buffer.length < total) {
        const grown = Buffer.allocUnsafe(capacityFor(total));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(piece, length);
    }
    length = total;
  });
  request.on('end', () => end(buffer?.subarray(0, length) ?? first ?? new Uint8Array()));
  request.on('close', () => end('broken-off'));
}

const minCapacity = 16 * 1024;
const capacityFor = (length: number) => Math.max(minCapacity, 2 * length);

/** The maximum size of a small body. Deliveries so far have had a few kilobytes. */
const smallBodyBytes = 256 * 1024;

export type BodyMemory = ReturnType<typeof createBodyMemory>;

export function createBodyMemory(limit: number) {
  let held = 0;
  return {
    /** Returns false, and holds nothing, if the bytes exceed the limit. */
    hold(bytes: number) {
      const hasRoom = held + bytes <= limit;
      if (hasRoom) held += bytes;
      return hasRoom;
    },
    release(bytes: number) {
      held -= bytes;
    },
  };
}

/** The bytes of a body that count while it is arriving. */
export const countedBytes = (length: number) => Math.max(0, length - smallBodyBytes);
