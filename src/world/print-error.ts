// Prints a line on standard error, for a receiver in a program that does not take its rejections.

export function printError(line: string): void {
  // biome-ignore lint/suspicious/noConsole: it survives a closed pipe, and process.stderr.write does not
  console.error(line);
}
