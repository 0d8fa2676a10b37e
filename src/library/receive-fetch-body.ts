// Reads the body of a WHATWG request, up to a limit.

import { type BodyMemory, countedBytes } from '../receiver/body-memory.ts';
import type { ReceivedBody } from '../receiver/receive-body.ts';

/** Of a body, what is counted is held in `memory` until the caller releases it. After any other outcome nothing is. */
export async function receiveFetchBody(
  request: Request,
  memory: BodyMemory,
  maxBytes: number,
): Promise<ReceivedBody> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();
  // A list of pieces would take a hundred times the body's size if each piece is one byte.
  let buffer = Buffer.alloc(0);
  let length = 0;
  const end = (outcome: ReceivedBody) => {
    memory.release(countedBytes(length));
    // What still comes is of no interest, nor is it if this fails.
    reader?.cancel().catch(() => undefined);
    return outcome;
  };
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      if (done) return buffer.subarray(0, length);
      const total = length + value.length;
      if (total > maxBytes) return end('too-large');
      if (!memory.hold(countedBytes(total) - countedBytes(length))) return end('busy');
      if (total > buffer.length) buffer = Buffer.concat([buffer.subarray(0, length)], 2 * total);
      buffer.set(value, length);
      length = total;
    }
  } catch {
    return end('broken-off');
  }
}
