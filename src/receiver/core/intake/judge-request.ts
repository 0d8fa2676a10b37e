// Decides whether a request is a handshake, a delivery, or neither, from its headers, its body and the secrets alone, so that
// `wm webhook listen` and programs that use the library decide alike.

import { deliveryHeaders, handshakeField } from '#contract/delivery.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { limit } from '#contract/limit.ts';
import { isChallenge, sign, verify } from '#contract/signature.ts';
import type { Headers, RejectionReason } from './delivery-journal.ts';

/** Looks up a header, ignoring case. Joins the values of a repeated header with commas. */
export type GetHeader = (name: string) => string | null | undefined;

export interface JudgeOptions {
  /** A signature by any of them is valid: a webhook that is being replaced has two. An empty secret is ignored. */
  readonly secrets: readonly string[];
  /** Secrets for handshakes only, for a receiver's own checks. */
  readonly handshakeSecrets?: readonly string[];
  /** Accepts deliveries without a signature; without secrets, any delivery. Never a handshake, whose response needs a secret. */
  readonly unsigned?: boolean;
}

type Judgement =
  | {
      readonly kind: 'handshake';
      readonly challenge: string;
      /** The header that proves to the service that this receiver knows the secret. */
      readonly responseHeader: readonly [name: string, value: string];
    }
  | { readonly kind: 'delivery'; readonly signature: 'valid' | 'unsigned' }
  | { readonly kind: 'rejection'; readonly reason: JudgedReason };

type JudgedReason = Extract<
  RejectionReason,
  'no-signature' | 'bad-signature' | 'bad-challenge' | 'forgeable'
>;

/** `unauthorized`: for a wrong or missing signature. A forgeable body gets 200, because three 503s would suspend the webhook. */
export function rejectionStatus(reason: JudgedReason, unauthorized: 401 | 503): 200 | 401 | 503 {
  if (reason === 'forgeable') return 200;
  return reason === 'bad-challenge' ? 503 : unauthorized;
}

/** A longer body is not a handshake: the contract shows one short text. */
const maxHandshakeBytes = 4096;
const handshakeFieldBytes = Buffer.from(handshakeField);

/** `body`: the bytes as received, because a parsed and reprinted body has another signature. */
export function judgeRequest(
  { headers, body }: { readonly headers: Headers | GetHeader; readonly body: Uint8Array },
  { secrets, handshakeSecrets = [], unsigned = false }: JudgeOptions,
): Judgement {
  const signature = readHeader(headers, deliveryHeaders.signature);
  // The header proves nothing: an ordinary delivery may carry it too.
  const isHandshake = isHandshakeBody(body);
  const validSecrets = isHandshake ? [...secrets, ...handshakeSecrets] : secrets;
  const signer =
    signature === undefined
      ? undefined
      : validSecrets.find((secret) => secret !== '' && verify(secret, body, signature));
  if (signer !== undefined) {
    if (!isHandshake) {
      // Others may know the signature of a text that was once a challenge: the response to a handshake shows it.
      if (body.length <= limit.challengeCharacters && isChallenge(Buffer.from(body).toString('latin1')))
        return { kind: 'rejection', reason: 'forgeable' };
      return { kind: 'delivery', signature: 'valid' };
    }
    const challenge = readHeader(headers, deliveryHeaders.secret);
    // Signing any text would let strangers sign deliveries. Contract: Secure webhooks 5.
    if (challenge === undefined || !isChallenge(challenge))
      return { kind: 'rejection', reason: 'bad-challenge' };
    return {
      kind: 'handshake',
      challenge,
      responseHeader: [deliveryHeaders.secret, sign(signer, challenge)],
    };
  }
  if (unsigned && !isHandshake && (signature === undefined || secrets.length === 0))
    return { kind: 'delivery', signature: 'unsigned' };
  return { kind: 'rejection', reason: signature === undefined ? 'no-signature' : 'bad-signature' };
}

/**
 * Returns `undefined` for a missing or empty header. A value that a proxy repeated counts once. Different values stay joined by commas,
 * and so are neither a signature nor a challenge.
 */
function readHeader(headers: Headers | GetHeader, name: string): string | undefined {
  const value = typeof headers === 'function' ? headers(name) : joinValues(headers, name);
  if (value === null || value === undefined || value === '') return undefined;
  if (!value.includes(',')) return value;
  const values = value.split(',').map((part) => part.trim());
  return values.every((part) => part === values[0]) ? values[0] : value;
}

/** Joins values as Node and `Headers.get` do: RFC 9110 §5.3. */
export function joinValues(headers: Headers, name: string): string | undefined {
  const lowerCaseName = name.toLowerCase();
  let joined: string | undefined;
  for (const [headerName, value] of headers) {
    if (headerName.length !== lowerCaseName.length || headerName.toLowerCase() !== lowerCaseName) continue;
    joined = joined === undefined ? value : `${joined}, ${value}`;
  }
  return joined;
}

/**
 * Accepts an object whose only field is {@link handshakeField}, alone or as the only element of a list. Such a list holds no event, so
 * no delivery is lost.
 */
function isHandshakeBody(body: Uint8Array): boolean {
  if (body.length > maxHandshakeBytes) return false;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  // Saves parsing every short delivery.
  if (!bytes.includes(handshakeFieldBytes)) return false;
  const parsed = parseJsonIfValid(new TextDecoder().decode(body));
  const element: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (typeof element !== 'object' || element === null) return false;
  const fields = Object.entries(element);
  return fields.length === 1 && fields[0]?.[0] === handshakeField && typeof fields[0][1] === 'string';
}
