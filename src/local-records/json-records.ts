// Reads and writes this machine's records: small files of JSON, and logs with a record on each line. A disk, another program or a
// newer wm may have written anything, so each record is checked by its schema.

import { decodeLines } from '#bulk/decode-lines.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { readLeniently, type Schema, unlessInvalid } from '#contract/schema.ts';
import type { World } from '#world/world.ts';

type Files = World['files'];

/** Undefined unless it is a regular file: reading a named pipe would wait for a writer. */
export async function streamFile(files: Files, path: string) {
  return (await files.kind(path)) === 'file' ? files.stream(path) : undefined;
}

/** Skips empty lines. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const { text } of decodeLines(bytes)) yield* text.split('\n').filter((line) => line !== '');
}

/** Yields `undefined` for a line that is damaged or from a newer wm. A missing file has no lines. Throws the system's own error. */
export async function* readRecords<T>(files: Files, path: string, schema: Schema<T>) {
  const bytes = await streamFile(files, path);
  if (bytes) for await (const line of readLines(bytes)) yield parseRecord(schema, line);
}

export function parseRecord<T>(schema: Schema<T>, line: string): T | undefined {
  return unlessInvalid(() => readLeniently(schema, parseJsonIfValid(line)));
}

const maxFileBytes = 1024 * 1024;

/** Undefined if the file is missing or damaged. Rejects with the system's own error. */
export async function readRecord<T>(files: Files, path: string, schema: Schema<T>): Promise<T | undefined> {
  const bytes = await files.read(path, { maxBytes: maxFileBytes });
  return bytes && parseRecord(schema, new TextDecoder().decode(bytes));
}

/** Replaces the file. Only the user may read it. */
export function writeRecord(files: Files, path: string, record: object): Promise<void> {
  return files.write(path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
}
