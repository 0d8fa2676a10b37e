// Reads and completes the file system's errors.

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Adds the path to the error: an open file does not know its name, but the message needs it. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error ? Object.assign(error, { path }) : error;
}

export function throwWithPath(path: string): (error: unknown) => never {
  return (error) => {
    throw withPath(error, path);
  };
}
