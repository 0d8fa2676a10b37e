// Reads the body of a request, within a limit on the memory for all bodies.

import { GrowingBytes } from '#growing-bytes.ts';
import type { ServerRequest } from '#world/world.ts';

/** `busy`: the memory limit is reached for now. `broken-off`: the client has gone, or sent something other than HTTP. */
export type ReceivedBody = Uint8Array | 'too-large' | 'busy' | 'broken-off';

/**
 * Calls `done` once. Bytes beyond {@link smallBodyBytes} count in `memory` until the caller releases them. After any other outcome, reads
 * and drops the rest of the request: closing a connection with unread bytes resets it, and the client might lose the response.
 */
export function receiveBody(
  request: Pick<ServerRequest, 'on'>,
  memory: BodyMemory,
  maxBytes: number,
  done: (outcome: ReceivedBody) => void,
): void {
  const body = new GrowingBytes();
  let isOver = false;
  const end = (outcome: ReceivedBody) => {
    if (isOver) return;
    isOver = true;
    if (typeof outcome === 'string') {
      memory.release(countedBytes(body.length));
      body.take();
    }
    done(outcome);
  };
  request.on('data', (piece) => {
    if (isOver) return;
    const total = body.length + piece.length;
    if (total > maxBytes) return end('too-large');
    if (total > smallBodyBytes && !memory.hold(countedBytes(total) - countedBytes(body.length)))
      return end('busy');
    body.add(piece);
  });
  request.on('end', () => end(body.take()));
  request.on('close', () => end('broken-off'));
}

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
