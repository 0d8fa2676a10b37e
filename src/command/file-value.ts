// A value that is kept elsewhere: `@FILE`, or `-` for standard input.

import { usage } from '../failure.ts';
import type { World } from '../world/world.ts';

/** The largest legal value, a description of a million characters, has at most 4 MB of UTF-8. */
const mostBytes = 16 * 1024 * 1024;

export async function readValue(world: World, text: string, flag: string): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  if (text !== '-' && !text.startsWith('@')) return text;
  const path = text.slice(1);
  const from = text === '-' ? 'standard input' : path;
  const bytes =
    text === '-' ? await world.streams.input.readAll(mostBytes) : await readFile(world, path, flag);
  if (bytes.length > mostBytes) throw usage(`--${flag}: ${from} is larger than ${mostBytes} bytes`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(`--${flag}: ${from} is not UTF-8 text`);
  }
}

async function readFile({ files }: World, path: string, flag: string): Promise<Uint8Array> {
  const hint = `For a value that starts with @, write @@: --${flag} @@${path}`;
  if (path === '') throw usage(`--${flag}: @ names no file`, hint);
  try {
    const bytes = await files.read(path);
    if (bytes !== undefined) return bytes;
  } catch (error) {
    throw usage(
      `--${flag}: ${path} cannot be read`,
      hint,
      error instanceof Error ? error.message : undefined,
    );
  }
  throw usage(`--${flag}: there is no file ${path}`, hint);
}
