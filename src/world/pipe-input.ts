// Reads what is no plain file: a named pipe, a terminal. Nobody may ever write to it, and a thread that waits in the system
// for that keeps even process.exit waiting. So it is opened without waiting, and the event loop waits in its place.

import { closeSync, constants, createReadStream, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty, ReadStream } from 'node:tty';

/** Linux alone tells a pipe that nobody has opened yet from one whose writer has gone; elsewhere a thread waits. */
export function canWaitForPipes(platform: NodeJS.Platform): boolean {
  return platform === 'linux';
}

/** Throws the system's own error. `isPipe`: a pipe with a name. */
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
