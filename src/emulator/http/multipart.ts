// Reads a body of multipart/form-data (RFC 7578) as it arrives, and the file of a request that attaches one: the body itself, named by
// a header, or the first file of a multipart body.

import { Busboy } from '@fastify/busboy';
import { fileNameHeader } from '#contract/operation.ts';
import { invalidParameter, invalidRequest, parameterRequired } from './error-response.ts';
import {
  collectChunks,
  contentType,
  decodePercent,
  hasBody,
  maxRequestBytes,
  type ReceivedRequest,
} from './request.ts';

/** A longer file is measured, and its content discarded. */
export const maxStoredFileBytes = 16 * 1024 * 1024;

export interface ReceivedFile {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly contentType?: string;
  /** Undefined if it is too long to be stored. */
  readonly content?: Uint8Array;
}

export const multipartType = 'multipart/form-data';

const limits = { fieldSize: maxRequestBytes, fields: 1_000, files: 1, parts: 1_001, headerPairs: 100 };

const malformed = (why: string) => invalidRequest(`The multipart body is invalid: ${why}`, 'stated');

/** Throws {@link ErrorResponse} if the body is malformed. */
export async function readMultipart(request: ReceivedRequest) {
  const fields: [name: string, value: string][] = [];
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
    parser.on('field', (name, value, isNameCut, isValueCut) => {
      fieldCharacters += name.length + value.length;
      if (isNameCut || isValueCut || fieldCharacters > maxRequestBytes)
        fail(new Error(`the field ${name.slice(0, 80)} is too long`));
      else fields.push([name, value]);
    });
    parser.on('file', (_, stream, name, __, contentType) => {
      const content = collectChunks(maxStoredFileBytes);
      stream.on('data', content.add);
      stream.on('end', () => files.push({ name, contentType, ...content.result() }));
      // If the body ends within the file, only this stream reports it.
      stream.on('error', fail);
    });
  });
  // Read a malformed body to its end too: a client that is still sending would see a broken connection, not the response.
  await request.readBody((chunk) => {
    if (fault === undefined) parser.write(chunk);
  });
  if (fault === undefined) parser.end();
  await finished;
  if (fault !== undefined) throw malformed(fault.message);
  return { fields, file: files[0] };
}

function createParser({ headers }: ReceivedRequest): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error));
  }
}

const because = 'attach-file';

/** Undefined if the request has no file in either form. Throws {@link ErrorResponse}. */
export async function receiveFile(request: ReceivedRequest): Promise<ReceivedFile | undefined> {
  const type = contentType(request);
  const nameInHeader = readNameHeader(request);
  if (type === multipartType) {
    const { file } = await readMultipart(request);
    if (file === undefined) throw parameterRequired('The multipart body has no file', because);
    const name = file.name || nameInHeader;
    if (name === undefined) throw parameterRequired('The file has no name', because);
    return { ...file, name };
  }
  if (nameInHeader === undefined) {
    if (type === 'application/octet-stream' && hasBody(request))
      throw parameterRequired(`The file has no name: send it in ${fileNameHeader}`, because);
    return undefined;
  }
  const content = collectChunks(maxStoredFileBytes);
  await request.readBody(content.add);
  return { name: nameInHeader, ...(type === '' ? {} : { contentType: type }), ...content.result() };
}

/** The header is percent-encoded, because it can contain only ASCII. */
function readNameHeader({ headers }: ReceivedRequest): string | undefined {
  const header = headers[fileNameHeader.toLowerCase()];
  if (typeof header !== 'string') return undefined;
  const name = decodePercent(header);
  if (name === undefined) throw invalidParameter(fileNameHeader, 'it is not valid percent-encoding', because);
  if (name === '') throw invalidParameter(fileNameHeader, 'it is empty', because);
  return name;
}
