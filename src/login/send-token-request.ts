// Sends a request to the token endpoint. Codes and refresh tokens work once, so complete JSON is used even in a broken response:
// cut off after its last byte, with another content type, or compressed.

import { parseJsonObject } from '#client/response.ts';
import type { HttpFault, HttpRequest, HttpResponse, World } from '#world/world.ts';

const maxBytes = 1024 * 1024;

/** `trace` shows the defects of a response that is used nevertheless. */
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

/** Shows the text completely or not at all: a part of a secret would not be redacted. */
const brief = (text: string) => (text.length > 40 ? 'of over 40 characters' : text);
/** Looks at the first bytes: a proxy may have removed the header. */
const isGzip = ([first, second]: Uint8Array) => first === 0x1f && second === 0x8b;

/** Returns the bytes unchanged if they are not gzip, or too long. The checksum at their end may be missing. */
async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { constants, gunzipSync } = await import('node:zlib');
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return bytes;
  }
}
