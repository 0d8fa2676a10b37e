// Interprets a response: whether the service would count the delivery, retry it or suspend the webhook, and the usual cause.

import {
  classifyDeliveryResponse,
  deliveryHeaders,
  handshakeField,
  maxDeliveryAttempts,
  rejectionHeader,
  successStatuses,
} from '#contract/delivery.ts';
import { formatValue } from '#contract/schema.ts';
import { tlsProblem } from '#tls-problems.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { fixes, type Problem } from './check-result.ts';
import { headerOf, type Reply, textOf } from './receiver-exchange.ts';

/** Undefined if the service counts the response as delivered. */
export function problemOf(reply: Reply): Problem | undefined {
  const { result, limitMs } = reply;
  if ('fault' in result) return problemOfFault(result, limitMs);
  const verdict = classifyDeliveryResponse(result.status);
  if (verdict === 'delivered') return reply.isProof ? takenForHandshake('and the event is lost') : undefined;
  const { cause, fix } = explainStatus(reply, result);
  return { why: `${describeResponse(reply, result)}: ${cause}; ${consequenceOf(result.status)}`, fix };
}

export function consequenceOf(status: number): string {
  const isEnd = classifyDeliveryResponse(status) === 'suspend';
  return isEnd
    ? 'the service suspends the webhook at once'
    : `after ${retriesEnd}${markIfAssumed(`${status}`)}`;
}

/** For a status or a fault that the contract does not name: the assumptions `other-statuses` and `delivery-timeout`. */
export function markIfAssumed(result: string): string {
  const status = Number(result);
  const isAssumed = (status < 400 && !successStatuses.includes(status)) || result === 'timeout';
  return isAssumed ? ' (an assumption)' : '';
}

export function takenForHandshake(follows: string): Problem {
  return {
    why: `the receiver takes a delivery for a handshake, because it has the header ${deliveryHeaders.secret}, ${follows}`,
    fix: `Recognise a handshake by ${handshakeField} in its body, and not by the header.`,
  };
}

export function isDelivered({ result, isProof }: Reply): boolean {
  return !isProof && !('fault' in result) && classifyDeliveryResponse(result.status) === 'delivered';
}

const retriesEnd = `${maxDeliveryAttempts} such attempts the service suspends the webhook`;

export function isRedirect({ result }: Reply): boolean {
  return !('fault' in result) && result.status >= 300 && result.status < 400 && result.status !== 304;
}

/** `401 "invalid signature"`. */
function describeResponse(reply: Reply, { status }: HttpResponse): string {
  const text = textOf(reply).trim();
  return text === '' || text.startsWith('<') ? `${status}` : `${status} ${formatValue(text)}`;
}

interface Explanation {
  readonly cause: string;
  readonly fix: string;
}

function problemOfFault({ fault, detail, arrived, tlsCode }: HttpFault, limitMs: number): Problem {
  const follows = `after ${retriesEnd}${markIfAssumed(fault)}`;
  const tls = tlsProblem(tlsCode);
  if (tls) return { why: `no connection: ${detail}; ${follows}`, fix: tls.fix };
  switch (fault) {
    case 'timeout':
      if (arrived)
        return {
          why: `the receiver responded with ${arrived.status}, but the body did not end within ${formatSeconds(limitMs)}; ${follows}`,
          fix: 'End the response: it needs no body.',
        };
      return {
        why: `no complete response within ${formatSeconds(limitMs)}: the receiver is too slow; ${follows}`,
        fix: fixes.slow,
      };
    case 'reset':
      return {
        why: `the connection was closed without a complete response; ${follows}`,
        fix: 'Look for a crash in the receiver’s log.',
      };
    case 'malformed':
      return {
        why: `the response is not valid HTTP (${detail}): perhaps the port accepts only HTTP/2; ${follows}`,
        fix: 'Check what listens on this port; it must accept HTTP/1.1.',
      };
    case 'too-large':
      return {
        why: `the response is very large: ${detail}`,
        fix: 'Respond with a status code and an empty body: the service does not use the body.',
      };
    default:
      return { why: `no response: ${detail}; ${follows}`, fix: 'Check that the receiver is running.' };
  }
}

export function formatSeconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

const onlyHttp2 = { cause: 'it accepts only HTTP/2', fix: 'Accept HTTP/1.1, too.' };

/** By the code that wm's receivers send. */
const rejections: Readonly<Record<string, Explanation>> = {
  'bad-signature': {
    cause: "the signature matches none of the receiver's secrets",
    fix: `${fixes.secret} The receiver must get the bytes of the body unchanged.`,
  },
  'no-signature': {
    cause: `no ${deliveryHeaders.signature} reaches the receiver`,
    fix: `Give the secret, and let every proxy before the receiver pass ${deliveryHeaders.signature}.`,
  },
  'bad-challenge': {
    cause: `no valid ${deliveryHeaders.secret} reaches the receiver`,
    fix: `Let every proxy before the receiver pass ${deliveryHeaders.secret}.`,
  },
  path: {
    cause: 'wm webhook listen accepts deliveries at another path',
    fix: 'Check the path of the URL, and --path of wm webhook listen.',
  },
  address: {
    cause: 'wm webhook listen accepts nothing from this address',
    fix: 'Verify from an address that its --allow-from names.',
  },
  host: {
    cause: 'wm webhook listen takes unsigned deliveries for its own machine only',
    fix: 'Start it with --public-url URL, or give its address as the URL.',
  },
  'not-stored': {
    cause: 'wm webhook listen cannot store deliveries',
    fix: 'Read its output, and free space on its disk.',
  },
  busy: { cause: 'it has too many connections or large bodies at once', fix: 'Try again in a minute.' },
  'too-large': { cause: 'the body is larger than the receiver accepts', fix: fixes.bodyLimit },
  'body-already-read': {
    cause: 'something reads the body before the receiver does',
    fix: 'Mount the receiver before middleware that parses bodies.',
  },
  failed: { cause: 'its onDelivery threw an error', fix: 'Look in the receiver’s log.' },
};

const otherStatuses: Readonly<Record<number, Explanation>> = {
  304: {
    cause: 'a cache responds in place of the receiver',
    fix: 'Exempt this path from the cache before the receiver.',
  },
  400: {
    cause: 'it does not accept the body or its signature',
    fix: 'Accept a JSON array of events, also with fields that the receiver does not know.',
  },
  403: {
    cause: 'access is denied, by the receiver or by a firewall before it',
    fix: 'Let the firewall pass the addresses of the service, and check the secret of the receiver.',
  },
  404: {
    cause: 'nothing is at this path',
    fix: 'Check the path of the URL, and the routes of the receiver.',
  },
  405: { cause: 'it does not accept POST', fix: 'Accept POST at this path.' },
  406: { cause: 'it does not accept the Accept header', fix: 'Ignore the Accept header.' },
  408: {
    cause: 'it, or a proxy, did not receive the whole request in time',
    fix: 'Raise the time limit for reading a request.',
  },
  409: {
    cause: 'it reports a conflict, perhaps because it already has the event',
    fix: fixes.duplicate,
  },
  410: { cause: 'it says that it is gone for good', fix: 'Delete the webhook, or correct its URL.' },
  411: {
    cause: 'it, or a proxy, wants a Content-Length, which the request has',
    fix: 'Check the proxy before the receiver.',
  },
  413: {
    cause: 'the body is too large for the receiver or a proxy before it',
    fix: fixes.bodyLimit,
  },
  415: {
    cause: 'it does not accept the content type application/json',
    fix: fixes.contentType,
  },
  422: {
    cause: 'it does not accept the content of the event',
    fix: 'Respond with 2xx also to events that the receiver does not handle.',
  },
  426: { cause: 'it wants another protocol, usually https', fix: 'Create the webhook with an https URL.' },
  429: {
    cause: 'it limits the rate of requests',
    fix: 'Exempt the addresses of the service from the limit.',
  },
  431: {
    cause: 'the headers are too large for the receiver or a proxy before it',
    fix: 'Raise the limit on headers.',
  },
  502: unavailable('no valid response from the program behind it'),
  503: unavailable('that it is not available'),
  504: unavailable('that the program behind it did not respond in time'),
};

function unavailable(report: string): Explanation {
  return {
    cause: `the receiver, or a proxy before it, reports ${report}`,
    fix: 'Start the receiver, or look in its log and that of the proxy.',
  };
}

function explainStatus(reply: Reply, { status }: HttpResponse): Explanation {
  const code = headerOf(reply, rejectionHeader);
  if (code !== undefined)
    return rejections[code] ?? { cause: `it names the reason ${formatValue(code)}`, fix: 'Look in its log.' };
  if (isRedirect(reply)) return explainRedirect(reply);
  if (status === 505 || (status >= 400 && /\bALPN\b/.test(textOf(reply)))) return onlyHttp2;
  if (status === 401) return explainUnauthorized(reply);
  const explanation = otherStatuses[status];
  if (explanation) return explanation;
  if (status >= 500)
    return { cause: 'it failed while it handled the request', fix: 'Look in the receiver’s log.' };
  if (status >= 200 && status < 300)
    return {
      cause: 'this 2xx is assumed not to count as delivered',
      fix: 'Respond with 200, 201, 202 or 204.',
    };
  return { cause: 'it does not accept the request', fix: 'Respond with 200, 201, 202 or 204.' };
}

function explainRedirect(reply: Reply): Explanation {
  const location = headerOf(reply, 'location');
  return {
    cause: `a redirect${location === undefined ? '' : ` to ${formatValue(location)}`}, which the service is assumed not to follow`,
    fix: 'Create the webhook with the URL at which the redirect ends, or remove the redirect.',
  };
}

function explainUnauthorized(reply: Reply): Explanation {
  const scheme = headerOf(reply, 'www-authenticate');
  if (scheme === undefined)
    return {
      cause: 'it does not accept the signature',
      fix: 'Give the receiver the secret of the webhook, and the bytes of the body as they came.',
    };
  return {
    cause: `it wants a sign-in (${formatValue(scheme)}), which the service cannot do`,
    fix: 'Exempt this path from the sign-in; the signature protects it.',
  };
}
