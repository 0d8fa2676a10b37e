// Sends a request to the token endpoint. Codes and refresh tokens work once, so JSON that arrived whole is used, however it
// was framed: broken off after its last byte, with another content type, or compressed.

import { parseJsonObject } from '#client/response.ts';
import type { HttpFault, HttpRequest, HttpResponse, World } from '#world/world.ts';

/** Of a response, and of what it is when decompressed. */
const maxBytes = 1024 * 1024;

/** `trace` shows what is wrong with a response that is used all the same. */
export async function sendTokenRequest(
  { http }: Pick<World, 'http'>,
  request: HttpRequest,
  timeoutMs: number,
  trace: ((line: string) => unknown) | undefined,
): Promise<HttpResponse | HttpFault> {
  const outcome = await http.send(request, { timeoutMs, maxBytes });
  const isBroken = 'fault' in outcome;
  const received = isBroken ? outcome.arrived : outcome;
  if (!received || (!isBroken && parseJsonObject(received))) return outcome;
  const { 'content-type': type = 'none', 'content-encoding': encoding = '', ...headers } = received.headers;
  const body = isGzip(received.body) ? await gunzip(received.body) : received.body;
  const isJson = parseJsonObject({ ...received, body, headers: { 'content-type': type } }) !== undefined;
  const response = { ...received, body, headers: { ...headers, 'content-type': 'application/json' } };
  if (!parseJsonObject(response)) return outcome;
  const oddities = [
    ...(isBroken ? [`broke off (${outcome.detail})`] : []),
    ...(isJson ? [] : [`has the content type ${brief(type)}`]),
    ...(encoding === '' && body !== received.body ? ['is compressed, which no header says'] : []),
    ...(encoding === '' ? [] : [`is marked as compressed (${brief(encoding)})`]),
  ];
  trace?.(`The response of the token endpoint ${oddities.join(', ')}; its JSON is complete, so wm uses it.`);
  return response;
}

/** Whole or not at all: in a part of it a secret would not be found. */
const brief = (text: string) => (text.length > 40 ? 'of over 40 characters' : text);

/** By its first bytes: a proxy may have lost the header that names it. */
const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b;

/** Unchanged if it is not gzip, or too long. Its end, a checksum, may be missing. */
async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { constants, gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}
