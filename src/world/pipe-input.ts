// Reads a named pipe or a terminal. A writer may never come, and a thread that waits for one in the system blocks even
// process.exit. So we open it without blocking, and wait in the event loop.

import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';

/** Only Linux distinguishes a pipe without a writer yet from one whose writer has gone; elsewhere a thread waits. */
export function canWaitForPipes(platform: NodeJS.Platform): boolean {
  return platform === 'linux';
}

/** Throws the system's error. `isPipe`: a named pipe. */
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
