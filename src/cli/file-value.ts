// Reads a value from `@FILE`, or from standard input for `-`, or the bytes of a file, a pipe or a device that a flag names.

import { errorMessage, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { decodeInput } from './decode-text.ts';

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
export function readInput(world: World, path: string, flag: string, limit: number, hints: FileHints = {}) {
  return path === '-'
    ? readStandardInput(world, limit, flag)
    : readFileBytes(world, path, flag, limit, hints);
}

/** Reads all of standard input. Throws a usage failure if it exceeds the limit. */
export async function readStandardInput({ streams }: World, limit: number, flag: string) {
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

interface FileHints {
  readonly missing?: string;
  readonly unreadable?: string;
}

/** Throws a usage failure for an unreadable or too large file. `name` begins the message; empty for an argument without one. */
export async function readFileBytes(
  { files }: Pick<World, 'files'>,
  path: string,
  name: string,
  maxBytes: number,
  hints: FileHints = {},
): Promise<Uint8Array> {
  const prefix = name === '' ? '' : `${name}: `;
  if (path === '')
    throw usageError(`${prefix}${name === '' ? 'The' : 'the'} path of the file is empty`, hints.missing);
  let bytes: Uint8Array | undefined;
  try {
    const stream = await files.stream(path);
    bytes = stream && (await readUpTo(stream, maxBytes + 1));
  } catch (error) {
    throw usageError(
      `${name === '' ? 'Cannot' : `${prefix}cannot`} read ${path}`,
      hints.unreadable,
      errorMessage(error),
    );
  }
  if (bytes === undefined) throw usageError(`${prefix}${path} does not exist`, hints.missing);
  if (bytes.length > maxBytes) throw usageError(`${prefix}${path} is larger than ${maxBytes} bytes`);
  return bytes;
}

/** Reads only the first bytes: a device or a pipe may never end. */
async function readUpTo(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    length += piece.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(pieces);
}
