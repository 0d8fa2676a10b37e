// A request as it came: its path and query apart, its body read with a limit. Decodes what a query and a form body
// hold; what the parameters mean is arguments.ts.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TextDecoder } from 'node:util';
import type { DataCentre } from '../../contract/delivery.ts';
import { ErrorResponse } from './error-response.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Host and port in the request's target, where a client sends the whole address: it outranks the Host header. */
  readonly authority?: string;
  /** Still encoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The one whose address was called. */
  readonly dataCentre: DataCentre;
  /** The body as text. Throws Refusal where it is too long or not UTF-8. */
  readonly body: () => Promise<string>;
}

/** A description of a million characters, each of four bytes, each byte written as three, and room for the rest. */
const maxBodyBytes = 16 * 1024 * 1024;

export function parseRequest(request: IncomingMessage, dataCentre: DataCentre): ReceivedRequest {
  // Proxies and some clients send the whole address.
  const whole = request.url ?? '/';
  const start = /^https?:\/\/([^/?]*)/i.exec(whole);
  const target = whole.slice(start?.[0].length ?? 0) || '/';
  const mark = target.indexOf('?');
  let body: Promise<string> | undefined;
  return {
    method: request.method ?? 'GET',
    ...(start?.[1] === undefined ? {} : { authority: start[1] }),
    path: mark === -1 ? target : target.slice(0, mark),
    query: mark === -1 ? '' : target.slice(mark + 1),
    headers: request.headers,
    dataCentre,
    body: () => {
      body ??= readBody(request);
      return body;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const {
    'content-encoding': encoding,
    'content-length': length,
    'transfer-encoding': chunked,
  } = request.headers;
  if (encoding !== undefined && encoding !== 'identity') {
    throw new ErrorResponse('invalid_request', `A body of content encoding ${encoding} is not read`);
  }
  if ((length === undefined || length === '0') && chunked === undefined) return '';
  const bytes = await collectBytes(request);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ErrorResponse('invalid_request', 'The body is not UTF-8');
  }
}

function collectBytes(request: IncomingMessage): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const brokeOff = () => reject(new ErrorResponse('invalid_request', 'The body broke off'));
    request.on('data', (piece: Uint8Array) => {
      length += piece.length;
      // Read to its end even so: a client that is still sending would see its connection break, not the answer.
      if (length <= maxBodyBytes) pieces.push(piece);
    });
    request.on('end', () => {
      if (length <= maxBodyBytes) resolve(Buffer.concat(pieces));
      else reject(new ErrorResponse('invalid_request', `The body is longer than ${maxBodyBytes} bytes`));
    });
    request.on('error', brokeOff);
    request.on('close', brokeOff);
  });
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new ErrorResponse('invalid_request', `${text.slice(0, 80)} is not correctly percent-encoded UTF-8`);
  }
}

/** The names and values of a query or a form, in their order. */
export function parsePairs(encoded: string): readonly (readonly [name: string, value: string])[] {
  const pairs: [string, string][] = [];
  for (const one of encoded.split('&')) {
    if (one === '') continue;
    const mark = one.indexOf('=');
    pairs.push(mark === -1 ? [decode(one), ''] : [decode(one.slice(0, mark)), decode(one.slice(mark + 1))]);
  }
  return pairs;
}

/** Type and subtype of the body, in lower case. Empty where nothing is said. */
export function contentType({ headers }: ReceivedRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}
