// Finds out why a receiver rejects a signed request: sends it again without a signature, with a wrong signature and with
// another content type, and compares the responses.

import { classifyDeliveryResponse, deliveryHeaders, rejectionHeader } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import { fixes, type Problem } from './check-result.ts';
import { headerOf, isSameReply, type Receiver, type Reply, textOf } from './receiver-exchange.ts';
import { isDelivered, problemOf, takenForHandshake } from './response-meaning.ts';

interface Rejection {
  readonly body: string;
  /** The request's headers without the signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly reply: Reply;
  readonly secret: string;
  /** True if the receiver has proved in a handshake that it has this secret. */
  readonly isSecretRight: boolean;
}

/** The status codes that receivers and proxies use to reject a signature or a body. */
const ambiguousStatuses: readonly number[] = [400, 401, 403, 406, 415, 422];

/** Undefined if the response itself says enough. */
export async function findRejectionCause(receiver: Receiver, rejection: Rejection) {
  const { body, headers, reply, secret } = rejection;
  const { result } = reply;
  if ('fault' in result || classifyDeliveryResponse(result.status) === 'delivered') return undefined;
  if (headerOf(reply, 'www-authenticate') !== undefined) return undefined;
  // wm's own receivers send the reason.
  if (headerOf(reply, rejectionHeader) !== undefined) return undefined;
  const signature = { [deliveryHeaders.signature]: sign(secret, body) };
  const isPlain = headers[deliveryHeaders.secret] === undefined;
  if (isPlain && isDelivered(await receiver.send(body, { ...headers, ...signature })))
    return takenForHandshake(result.status);
  if (!ambiguousStatuses.includes(result.status)) return undefined;
  for (const type of otherTypes) {
    const asOther = await receiver.send(body, { ...headers, ...signature, 'Content-Type': type });
    if (isDelivered(asOther)) return wrongContentType(result.status, type);
  }
  if (![400, 401, 403].includes(result.status)) return undefined;
  const without = await receiver.send(body, headers);
  const status = `${problemOf(reply)?.why ?? result.status}`.replace(/:.*; /s, '; ');
  const isIgnored = isSameReply(without, reply);
  // If the signature makes no difference and the body does not mention it, other causes of 400 and 403 are as likely.
  if (isIgnored && result.status !== 401 && !/signature|hmac|secret|x-hook/i.test(textOf(reply)))
    return undefined;
  const cause = explainSignature(rejection, isIgnored);
  return cause && { ...cause, why: `${cause.why} (${status})` };
}

const otherTypes = ['application/x-www-form-urlencoded', 'text/plain'];

function wrongContentType(status: number, type: string): Problem {
  return {
    why: `the receiver expects the content type ${type} and responds to application/json with ${status}: the service suspends the webhook at once`,
    fix: fixes.contentType,
  };
}

/** `isIgnored`: the response is the same without the signature. */
function explainSignature({ reply, isSecretRight }: Rejection, isIgnored: boolean): Problem | undefined {
  const headerRemoved = {
    why: `the header ${deliveryHeaders.signature} does not arrive: a proxy or gateway before the receiver removes it`,
    fix: `Let the proxy pass ${Object.values(deliveryHeaders).join(', ')}.`,
  };
  const cause = isSecretRight
    ? {
        why: 'the receiver has the secret, but does not accept the signature of a delivery: it computes it over other bytes than those of the body',
        fix: 'Compute the HMAC over the raw bytes of the body, before a parser or a proxy changes them.',
      }
    : { why: 'the receiver does not accept the signature: it has another secret', fix: fixes.secret };
  if (!isIgnored) return cause;
  if (mentionsMissingHeader(textOf(reply))) return headerRemoved;
  return { why: `${cause.why}; or: ${headerRemoved.why}`, fix: `${cause.fix} ${headerRemoved.fix}` };
}

/** Matches the messages of common libraries. The text is short, see textOf. */
function mentionsMissingHeader(text: string): boolean {
  const missing =
    /\b(?:missing|absent|required|lacks?|not (?:found|present|provided|given)|no|without|empty|undefined)\b/i;
  return missing.test(text) && /signature|header|x-hook/i.test(text);
}
