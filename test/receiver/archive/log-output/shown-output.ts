// Standard output and errors that a test reads while the command runs: it waits for a text instead of for a time.

import { PassThrough } from 'node:stream';
import type { Output, Streams } from '#world/world.ts';

export interface ShownOutput {
  readonly streams: Streams;
  text(): string;
  /** What standard output got as bytes. */
  bytes(): Buffer;
  errors(): string;
  /** Resolves once standard output, or standard error, has the text. */
  until(text: string): Promise<void>;
}

/** `columns`: of a terminal; without it, pipes. */
export function showOutput(columns?: number): ShownOutput {
  const written = { output: '', errors: '' };
  let waiting: { readonly text: string; readonly resolve: () => void }[] = [];
  const chunks: Uint8Array[] = [];
  const has = (text: string) => written.output.includes(text) || written.errors.includes(text);
  const outputOf = (name: keyof typeof written): Output => ({
    isTerminal: columns !== undefined,
    columns,
    async write(text) {
      if (typeof text !== 'string') return void chunks.push(text);
      written[name] += text;
      for (const entry of waiting) if (has(entry.text)) entry.resolve();
      waiting = waiting.filter((entry) => !has(entry.text));
    },
    raw: new PassThrough(),
  });
  return {
    streams: {
      input: { isTerminal: false, readAll: async () => new Uint8Array(), raw: new PassThrough() },
      output: outputOf('output'),
      errors: outputOf('errors'),
    },
    text: () => written.output,
    bytes: () => Buffer.concat(chunks),
    errors: () => written.errors,
    until: (text) =>
      new Promise((resolve) => {
        if (has(text)) resolve();
        else waiting.push({ text, resolve });
      }),
  };
}
