// The steps of a receiver one by one, for programs in other frameworks: check the signature, respond to a handshake, read the events.
// All of them take the original bytes of the body: a body that was parsed and printed again has another signature.

import { deliveryHeaders } from '#contract/delivery.ts';
import { verify } from '#contract/signature.ts';
import { readTypedEvent, type WebhookEvent } from '#contract/typed-event.ts';
import { judgeRequest } from '#receiver/intake/judge-request.ts';
import { parseRecords } from '#receiver/intake/read-events.ts';
import { type RequestHeaders, toGetHeader } from './request-headers.ts';

/** One secret, or several: a webhook that is being replaced has two. */
export type Secrets = string | readonly string[];

/** The bytes of a body, or its text. */
export type RawBody = Uint8Array | string;

/**
 * True if one of the secrets has signed the body. Compares in constant time, and never throws: without a signature, and with an
 * empty secret, it is false.
 * @param signature The headers of the request, in any case, or the value of `X-Hook-Signature`.
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
 * The header to respond to a handshake with, and status 200: `{ 'X-Hook-Secret': '...' }`. `undefined` for every other request:
 * an ordinary delivery, a body that none of the secrets has signed, a challenge that must not be signed.
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

/** The events in a body: none if it is not JSON. Never throws. */
export function parseEvents(body: RawBody): readonly WebhookEvent[] {
  return parseRecords(new TextDecoder().decode(toBytes(body))).map(readTypedEvent);
}

/** Drops empty secrets, which HMAC would accept: a program without types may pass a variable that is not set. */
export const usableSecrets = (secrets: Secrets): readonly string[] =>
  [secrets].flat().filter((secret) => typeof secret === 'string' && secret !== '');

const toBytes = (body: RawBody) => (typeof body === 'string' ? new TextEncoder().encode(body) : body);
