// The steps of a receiver, for programs in other frameworks: verify the signature, respond to a handshake, parse the events. All
// take the original bytes: a body that was parsed and serialised again has another signature.

import { deliveryHeaders } from '#contract/delivery.ts';
import { verify } from '#contract/signature.ts';
import { readTypedEvent, type WebhookEvent } from '#contract/typed-event.ts';
import { type GetHeader, judgeRequest } from '#receiver/core/intake/judge-request.ts';
import { parseRecords } from '#receiver/core/intake/read-events.ts';

/** One or several secrets: a webhook that is being replaced has two. */
export type Secrets = string | readonly string[];

/** A `Headers`, an object of names (ignoring case) and values, or a function that returns the value of a name. */
export type RequestHeaders =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | GetHeader;

/** The bytes or the text of a body. */
export type RawBody = Uint8Array | string;

/**
 * True if one of the secrets signed the body. Compares in constant time, and never throws. False without a signature and for an
 * empty secret.
 * @param signature The headers of the request (names ignoring case), or the value of `X-Hook-Signature`.
 */
export function verifySignature(
  secrets: Secrets,
  body: RawBody,
  signature: RequestHeaders | string | null | undefined,
): boolean {
  if (typeof signature !== 'string') {
    const value = signature && toGetHeader(signature)(deliveryHeaders.signature);
    return typeof value === 'string' && verifySignature(secrets, body, value);
  }
  return usableSecrets(secrets).some((secret) => verify(secret, body, signature));
}

/**
 * Returns the header of the 200 response to a handshake: `{ 'X-Hook-Secret': '...' }`. `undefined` for an ordinary delivery, a body
 * signed with another secret, or a challenge that must not be signed.
 */
export function handshake(
  secrets: Secrets,
  body: RawBody,
  headers: RequestHeaders,
): Readonly<Record<typeof deliveryHeaders.secret, string>> | undefined {
  const judgement = judgeRequest(
    { headers: toGetHeader(headers), body: toBytes(body) },
    { secrets: usableSecrets(secrets) },
  );
  return judgement.kind === 'handshake'
    ? { [deliveryHeaders.secret]: judgement.responseHeader[1] }
    : undefined;
}

/** Returns the events of a body; none if it is not JSON. Never throws. */
export function parseEvents(body: RawBody): readonly WebhookEvent[] {
  return parseRecords(new TextDecoder().decode(toBytes(body))).map(readTypedEvent);
}

/** Drops empty secrets, which HMAC would accept: an untyped program may pass an unset variable. */
export const usableSecrets = (secrets: Secrets): readonly string[] =>
  [secrets].flat().filter((secret) => typeof secret === 'string' && secret !== '');

const toBytes = (body: RawBody) => (typeof body === 'string' ? new TextEncoder().encode(body) : body);

export function toGetHeader(headers: RequestHeaders): GetHeader {
  if (typeof headers === 'function') return headers;
  if (isHeaders(headers)) return (name) => headers.get(name);
  return (name) => {
    const lowerCaseName = name.toLowerCase();
    const values = Object.entries(headers).flatMap(([headerName, value = []]) =>
      headerName.toLowerCase() === lowerCaseName ? value : [],
    );
    return values.length === 0 ? undefined : values.join(', ');
  };
}

/** Tells a `Headers` from an object with a header named `get`, which is a text. */
const isHeaders = (headers: object): headers is { get(name: string): string | null | undefined } =>
  'get' in headers && typeof headers.get === 'function';
