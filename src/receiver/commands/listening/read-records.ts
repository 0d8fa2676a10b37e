// Reads a file beside a journal with a record in JSON on each line.

import { decodeLines } from '#bulk/decode-lines.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { readLeniently, type Schema, unlessInvalid } from '#contract/schema.ts';
import type { World } from '#world/world.ts';

/** Yields `undefined` for a line that is damaged or from a newer wm. A missing file has no lines. Throws the system's own error. */
export async function* readRecords<T>(files: World['files'], path: string, schema: Schema<T>) {
  // A named pipe would block until a writer opens it.
  const bytes = (await files.kind(path)) === 'file' ? await files.stream(path) : undefined;
  for await (const { text } of bytes === undefined ? [] : decodeLines(bytes))
    for (const line of text.split('\n')) if (line !== '') yield parseRecord(schema, line);
}

export function parseRecord<T>(schema: Schema<T>, line: string): T | undefined {
  return unlessInvalid(() => readLeniently(schema, parseJsonIfValid(line)));
}
