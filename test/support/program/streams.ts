// Standard streams for a command that runs inside a test, where it matters which of them is a terminal, or what becomes
// of the input.

import { PassThrough, Readable } from 'node:stream';
import type { Input, Output, Streams } from '#world/world.ts';

/** What a command printed, bytes as the text that they are. */
export const textOf = (printed: string | Uint8Array): string =>
  typeof printed === 'string' ? printed : Buffer.from(printed).toString();

interface Given {
  readonly input?: Partial<Input>;
  /** True where standard output and standard error are a terminal. */
  readonly isTerminal?: boolean;
  /** Of that terminal. */
  readonly columns?: number;
}

export function collectStreams({ input, isTerminal = false, columns = 200 }: Given = {}) {
  const texts = { output: '', errors: '' };
  const collect = (name: keyof typeof texts): Output => ({
    isTerminal,
    columns: isTerminal ? columns : undefined,
    write: async (text) => {
      texts[name] += textOf(text);
    },
    raw: new PassThrough(),
  });
  const streams: Streams = {
    input: { isTerminal: false, readAll: async () => new Uint8Array(), raw: Readable.from([]), ...input },
    output: collect('output'),
    errors: collect('errors'),
  };
  return { streams, texts };
}

/** Of a command whose standard output is a file on a full disk. */
export function streamsOfFullDisk() {
  const { streams, texts } = collectStreams();
  const write = () => Promise.reject(Object.assign(new Error('ENOSPC'), { name: 'UnwritableOutput' }));
  return { streams: { ...streams, output: { ...streams.output, write } }, texts };
}
