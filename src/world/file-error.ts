// Completes the errors of the file system. Apart from replace-file.ts, which loads node:crypto: that takes milliseconds.

/** Adds the path to the error: an open file does not know its name, and the message needs it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}
