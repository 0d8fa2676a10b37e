// Adds what the file system's errors lack. Separate from replace-file.ts, which takes milliseconds to load node:crypto.

/** Adds the path to the error: an open file does not know its name, but the message needs it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}
