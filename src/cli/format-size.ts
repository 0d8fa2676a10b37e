// Formats a number of bytes for people, in decimal kilobytes or megabytes.

const kilobyte = 1000;

/** `812 bytes`, `1.2 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} bytes`;
  const inKilobytes = bytes / kilobyte;
  return inKilobytes < kilobyte
    ? `${inKilobytes.toFixed(1)} kB`
    : `${(inKilobytes / kilobyte).toFixed(1)} MB`;
}
