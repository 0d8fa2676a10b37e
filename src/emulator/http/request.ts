// Parses a request: its path, query and body, which is read up to a limit. Decodes the pairs of a query or form.

import type { IncomingHttpHeaders } from 'node:http';
import { TextDecoder } from 'node:util';
import type { DataCentre } from '#contract/delivery.ts';
import type { ServerRequest } from '#world/world.ts';
import { invalidRequest } from './error-response.ts';

export interface ReceivedRequest {
  readonly method: string;
  /** Host and port of a request target in absolute form, which take precedence over the Host header. */
  readonly authority: string | undefined;
  /** Still percent-encoded. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly dataCentre: DataCentre;
  /** The body as text. Throws {@link ErrorResponse} if it is too long or not UTF-8. */
  readonly body: () => Promise<string>;
  /** The body, once `body` has read it. */
  readonly bodyRead: () => string | undefined;
  /** Streams a body of any length; use it instead of {@link body}. */
  readonly readBody: (take: (chunk: Uint8Array) => void) => Promise<void>;
}

/** Limits the body, and the request line with its headers. Fits a description of a million percent-encoded characters. */
export const maxRequestBytes = 16 * 1024 * 1024;

export function parseRequest(request: ServerRequest, dataCentre: DataCentre): ReceivedRequest {
  // Proxies and some clients send a target in absolute form.
  const { url = '/', method = 'GET' } = request;
  const start = url.startsWith('/') ? null : /^https?:\/\/([^/?]*)/i.exec(url);
  const target = url.slice(start?.[0].length ?? 0) || '/';
  const [path, query = ''] = splitAt(target, '?');
  let body: Promise<string> | undefined;
  let text: string | undefined;
  return {
    method,
    authority: start?.[1],
    path,
    query,
    headers: request.headers,
    dataCentre,
    body: () => {
      body ??= readBody(request).then((complete) => {
        text = complete;
        return complete;
      });
      return body;
    },
    bodyRead: () => text,
    readBody: (take) => readChunks(request, take),
  };
}

/** The parts before and after the first separator. */
function splitAt(text: string, separator: string): [before: string, after?: string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Whether the headers announce a body with content. */
export function hasBody({ headers }: Pick<ReceivedRequest, 'headers'>): boolean {
  const { 'content-length': length, 'transfer-encoding': chunked } = headers;
  return chunked !== undefined || Number(length ?? 0) > 0;
}

/** Whether any header describes a body, even an empty or unreadable one. */
export function announcesBody(request: Pick<ReceivedRequest, 'headers'>): boolean {
  const { 'content-type': type, 'content-encoding': encoding } = request.headers;
  return type !== undefined || encoding !== undefined || hasBody(request);
}

async function readBody(request: ServerRequest): Promise<string> {
  const { 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined && encoding !== 'identity')
    throw invalidRequest(`Content-Encoding ${encoding} is not supported`, 'content-encoding');
  if (!hasBody(request)) return '';
  const { add, result } = collectChunks(maxRequestBytes);
  // Read even a body that is too long to its end: a client that is still sending would see a broken connection, not the response.
  await readChunks(request, add);
  const { content } = result();
  if (content === undefined)
    throw invalidRequest(`The body is longer than ${maxRequestBytes} bytes`, 'body-length');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw invalidRequest('The body is not UTF-8', 'stated');
  }
}

/** Measures all chunks; discards their content beyond the limit. */
export function collectChunks(maxBytes: number) {
  let size = 0;
  let chunks: Uint8Array[] = [];
  return {
    add(chunk: Uint8Array): void {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else chunks = [];
    },
    result: () => (size <= maxBytes ? { size, content: Buffer.concat(chunks) } : { size }),
  };
}

function readChunks(request: ServerRequest, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectIncomplete = () => reject(invalidRequest('The body is incomplete', 'stated'));
    request.on('data', take);
    request.on('end', resolve);
    request.on('error', rejectIncomplete);
    request.on('close', rejectIncomplete);
  });
}

/** Undefined for invalid percent-encoding. */
export function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export const decodePart = (text: string): string | undefined =>
  decodePercent(text.includes('+') ? text.replaceAll('+', ' ') : text);

function requireDecoded(text: string): string {
  const decoded = decodePart(text);
  if (decoded !== undefined) return decoded;
  throw invalidRequest(`${text.slice(0, 80)} is not valid percent-encoded UTF-8`, 'stated');
}

/** The first value of `state`, also in an otherwise invalid query: the error echoes it. */
export function findState({ query }: Pick<ReceivedRequest, 'query'>): string | undefined {
  const state = /(?:^|&)state=([^&]*)/.exec(query)?.[1];
  return state && decodePart(state);
}

/** `encoded`: the value as it was sent; undefined for a name alone, without `=`. */
export type Pair = readonly [name: string, value: string, encoded: string | undefined];

/** Parsing millions would take seconds. */
const maxPairs = 10_000;

export function parsePairs(encoded: string): readonly Pair[] {
  const pairs: Pair[] = [];
  const parts = encoded.split('&', maxPairs + 1);
  if (parts.length > maxPairs)
    throw invalidRequest(`There are more than ${maxPairs} parameters`, 'query-length');
  for (const part of parts) {
    if (part === '') continue;
    const [name, value] = splitAt(part, '=');
    pairs.push([requireDecoded(name), requireDecoded(value ?? ''), value]);
  }
  return pairs;
}

/** The media type of the body in lower case, without parameters. Empty if there is none. */
export function contentType({ headers }: ReceivedRequest): string {
  const { 'content-type': type = '' } = headers;
  return type.replace(/;.*$/s, '').trim().toLowerCase();
}
