// Reads a FIFO or a terminal without blocking: its writer may never come, and a waiting thread blocks even process.exit.

import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';

/** Throws the system's error. `isPipe`: the path is a FIFO. */
export function openPipe(path: string, isPipe: boolean, highWaterMark: number): AsyncIterable<Uint8Array> {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    if (isPipe) return new Socket({ fd: descriptor, readable: true, writable: false });
    if (isatty(descriptor)) return new ReadStream(descriptor);
    return createReadStream(path, { fd: descriptor, highWaterMark });
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}
