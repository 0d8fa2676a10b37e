// Reads a value from `@FILE`, or from standard input for `-`.

import { errorMessage, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { decodeInput } from './decode-text.ts';
import { type FileHints, readFileBytes } from './read-file-bytes.ts';

/** The largest valid value, a description of a million characters, has at most 4 MB in UTF-8. */
const maxBytes = 16 * 1024 * 1024;

/** `label`: the flag or argument, as `--description` or `TEXT`. */
export async function readFileValue(world: World, text: string, label: string): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  if (text !== '-' && !text.startsWith('@')) return text;
  const path = text.slice(1);
  const source = text === '-' ? 'standard input' : path;
  const bytes =
    text === '-' ? await readStandardInput(world, maxBytes, label) : await readFile(world, path, label);
  const value = decodeInput(bytes, `${label}: ${source}`);
  if (value !== '') return value;
  // Usually a program in the pipe failed. An error prevents erasing a field by accident.
  throw usageError(
    `${label}: ${source} is empty`,
    isFlag(label) ? `To set an empty value: ${label} ''` : undefined,
  );
}

/** The bytes of the file that an argument or a flag names, or of standard input for `-`. Throws a usage failure. */
export async function readInput(
  world: World,
  path: string,
  flag: string,
  limit: number,
  hints: FileHints = {},
): Promise<Uint8Array> {
  return path === '-'
    ? readStandardInput(world, limit, flag)
    : readFileBytes(world, path, flag, limit, hints);
}

/** Reads all of standard input. Throws a usage failure if it exceeds the limit. */
export async function readStandardInput(
  { streams }: World,
  limit: number,
  flag: string,
): Promise<Uint8Array> {
  return streams.input.readAll(limit).catch((error: unknown) => {
    if (error instanceof RangeError) throw usageError(`${flag}: ${error.message}`);
    throw usageError(`${flag}: cannot read standard input`, undefined, errorMessage(error));
  });
}

const isFlag = (label: string): boolean => label.startsWith('--');

async function readFile(world: World, path: string, label: string): Promise<Uint8Array> {
  const hint = `If the value itself starts with @, write @@: ${isFlag(label) ? `${label} ` : ''}@@${path}`;
  if (path === '') throw usageError(`${label}: no file name after @`, hint);
  return readFileBytes(world, path, label, maxBytes, { missing: hint, unreadable: hint });
}
