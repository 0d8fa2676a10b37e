// A file as a parameter: its bytes become the body of the request, and a header has its name.

import { invalidValue, type Schema } from './schema.ts';

export interface FileToSend {
  readonly name: string;
  /** As the user typed it. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Returns exactly `size` bytes. Each attempt calls it again. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

function isFileToSend(input: unknown): input is FileToSend {
  return typeof input === 'object' && input !== null && 'open' in input && 'size' in input && 'name' in input;
}

function validate(input: unknown): FileToSend {
  if (isFileToSend(input)) return input;
  throw invalidValue(input, 'is not a file');
}

/** A request sends its bytes, never a text. */
export const fileToSend: Schema<FileToSend> = {
  type: 'file',
  wireFormat: 'text',
  form: { kind: 'file' },
  validate,
  fromWire: validate,
  toWire: String,
};
