// A file as a parameter: it becomes the body of the request, byte for byte, and a header has its name.

import { formatValue, type Schema, ValidationError } from './schema.ts';

export interface FileToSend {
  /** The name that the service gets. */
  readonly name: string;
  /** As it was typed. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Exactly `size` bytes, from the beginning each time: an attempt may have to be repeated. */
  open(): Promise<AsyncIterable<Uint8Array>>;
}

function isFileToSend(input: unknown): input is FileToSend {
  return typeof input === 'object' && input !== null && 'open' in input && 'size' in input && 'name' in input;
}

export const fileToSend: Schema<FileToSend> = {
  type: 'file',
  wireFormat: 'text',
  form: { kind: 'file' },
  validate(input) {
    if (!isFileToSend(input)) throw new ValidationError(formatValue(input), 'is not a file');
    return input;
  },
  fromWire(text) {
    throw new ValidationError(formatValue(text), 'is not a file');
  },
  toWire: ({ name }) => name,
};
