// Reads a body of multipart/form-data (RFC 7578) while it arrives: its first file, and its fields. A file that is longer than
// what is kept is counted and forgotten. The only file that knows the library.

import { Busboy } from '@fastify/busboy';
import { omitUndefined } from '#omit-undefined.ts';
import { invalidRequest } from './error-response.ts';
import { maxRequestBytes, type ReceivedRequest } from './request.ts';

/** A file that is longer is counted and forgotten. */
export const maxKeptFileBytes = 16 * 1024 * 1024;

export interface ReceivedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly contentType?: string;
  /** Undefined if it is too long to be kept. */
  readonly content?: Uint8Array;
}

export interface Multipart {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly file?: ReceivedFile;
}

export const multipartType = 'multipart/form-data';

const limits = { fieldSize: maxRequestBytes, fields: 1_000, files: 1, parts: 1_001, headerPairs: 100 };

const malformed = (why: string) => invalidRequest(`The multipart body is invalid: ${why}`, 'stated');

/** Throws {@link ErrorResponse} if it is not well-formed. */
export async function readMultipart(request: ReceivedRequest): Promise<Multipart> {
  const fields: [string, string][] = [];
  const files: ReceivedFile[] = [];
  const parser = createParser(request);
  let fault: Error | undefined;
  let fieldCharacters = 0;
  const finished = new Promise<void>((resolve) => {
    const fail = (error: Error) => {
      fault ??= error;
      resolve();
    };
    parser.on('finish', resolve);
    parser.on('error', fail);
    parser.on('fieldsLimit', () => fail(new Error(`it has more than ${limits.fields} fields`)));
    parser.on('filesLimit', () => fail(new Error('it has more than one file')));
    parser.on('field', (name, value, nameIsCut, valueIsCut) => {
      fieldCharacters += name.length + value.length;
      if (nameIsCut || valueIsCut || fieldCharacters > maxRequestBytes)
        fail(new Error(`the field ${name.slice(0, 80)} is too long`));
      else fields.push([name, value]);
    });
    parser.on('file', (_, stream, name, __, contentType) => {
      const content = collectContent();
      stream.on('data', content.add);
      stream.on('end', () => files.push({ name, contentType, ...content.result() }));
      // Where the body ends within the file, only its stream says so.
      stream.on('error', fail);
    });
  });
  // To its end in any case: a client that is still sending would see a broken connection, not the response.
  await request.readBody((piece) => {
    if (fault === undefined) parser.write(piece);
  });
  if (fault === undefined) parser.end();
  await finished;
  if (fault !== undefined) throw malformed(fault.message);
  const [file] = files;
  return { fields, ...omitUndefined({ file }) };
}

function createParser({ headers }: ReceivedRequest): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

/** The pieces of a file, unless there are too many. */
export function collectContent() {
  let size = 0;
  let pieces: Uint8Array[] = [];
  return {
    add(piece: Uint8Array): void {
      size += piece.length;
      if (size <= maxKeptFileBytes) pieces.push(piece);
      else pieces = [];
    },
    result: (): Pick<ReceivedFile, 'size' | 'content'> =>
      size <= maxKeptFileBytes ? { size, content: Buffer.concat(pieces) } : { size },
  };
}
