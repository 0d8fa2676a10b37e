// How a number of bytes is shown to a person, in kilobytes or megabytes of a thousand.

const kilobyte = 1000;

/** `812 bytes`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} bytes`;
  const inKilobytes = bytes / kilobyte;
  return inKilobytes < kilobyte
    ? `${inKilobytes.toFixed(1)} kB`
    : `${(inKilobytes / kilobyte).toFixed(1)} MB`;
}
