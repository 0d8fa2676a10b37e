// Logs each line for the user once, and only so many: a client could cause a new line with each request.

/** `last` follows the last line. */
export function createOnceLog(log: (line: string) => void, maxLines: number, last?: string) {
  const logged = new Set<string>();
  return (line: string): void => {
    if (logged.has(line) || logged.size >= maxLines) return;
    logged.add(line);
    log(line);
    if (logged.size === maxLines && last !== undefined) log(last);
  };
}
