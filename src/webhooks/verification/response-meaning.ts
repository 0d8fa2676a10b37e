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
import { omitUndefined } from '#omit-undefined.ts';
import { tlsProblem } from '#tls-problems.ts';
import type { HttpFault, HttpResponse } from '#world/world.ts';
import { fixes, type Problem } from './check-result.ts';
import { headerOf, type Reply, textOf } from './receiver-exchange.ts';

/** Undefined if the service counts the response as delivered. */
export function problemOf(reply: Reply): Problem | undefined {
  const { result, limitMs } = reply;
  if ('fault' in result) return problemOfFault(result, limitMs);
  const verdict = classifyDeliveryResponse(result.status);
  if (verdict === 'delivered') return reply.isProof ? takenForHandshake() : undefined;
  const [cause, fix] = explainStatus(reply, result);
  const { status } = result;
  return { why: `${describeResponse(reply, result)}: ${cause}; ${consequenceOf(status)}`, fix, status };
}

function consequenceOf(status: number): string {
  if (classifyDeliveryResponse(status) === 'suspend') return 'the service suspends the webhook at once';
  return `after ${retriesEnd}${markIfAssumed(`${status}`)}`;
}

/** For a status or a fault that the contract does not name: the assumptions `other-statuses` and `delivery-timeout`. */
function markIfAssumed(result: string): string {
  const status = Number(result);
  const isAssumed = (status < 400 && !successStatuses.includes(status)) || result === 'timeout';
  return isAssumed ? ' (an assumption)' : '';
}

export function takenForHandshake(status?: number): Problem {
  const follows = status ? `and responds with ${status}: ${consequenceOf(status)}` : 'and the event is lost';
  return {
    why: `the receiver takes a delivery for a handshake, because it has the header ${deliveryHeaders.secret}, ${follows}`,
    fix: `Recognise a handshake by ${handshakeField} in its body, and not by the header.`,
    ...omitUndefined({ status }),
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

type Explanation = readonly [cause: string, fix: string];

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

export const formatSeconds = (milliseconds: number): string => `${milliseconds / 1000} s`;

/** By the code that wm's receivers send. */
const rejections: Readonly<Record<string, Explanation>> = {
  'bad-signature': [
    "the signature matches none of the receiver's secrets",
    `${fixes.secret} The receiver must get the bytes of the body unchanged.`,
  ],
  'no-signature': [
    `no ${deliveryHeaders.signature} reaches the receiver`,
    `Give the secret, and let every proxy before the receiver pass ${deliveryHeaders.signature}.`,
  ],
  'bad-challenge': [
    `no valid ${deliveryHeaders.secret} reaches the receiver`,
    `Let every proxy before the receiver pass ${deliveryHeaders.secret}.`,
  ],
  path: [
    'wm webhook listen accepts deliveries at another path',
    'Check the path of the URL, and --path of wm webhook listen.',
  ],
  address: [
    'wm webhook listen accepts nothing from this address',
    'Verify from an address that its --allow-from names.',
  ],
  host: [
    'wm webhook listen takes unsigned deliveries for its own machine only',
    'Start it with --public-url URL, or give its address as the URL.',
  ],
  'not-stored': ['wm webhook listen cannot store deliveries', 'Read its output, and free space on its disk.'],
  busy: ['it has too many connections or large bodies at once', 'Try again in a minute.'],
  'too-large': ['the body is larger than the receiver accepts', fixes.bodyLimit],
  'body-already-read': [
    'something reads the body before the receiver does',
    'Mount the receiver before middleware that parses bodies.',
  ],
  failed: ['its onDelivery threw an error', 'Look in the receiver’s log.'],
};

const otherStatuses: Readonly<Record<number, Explanation>> = {
  304: ['a cache responds in place of the receiver', 'Exempt this path from the cache before the receiver.'],
  400: [
    'it does not accept the body or its signature',
    'Accept a JSON array of events, also with fields that the receiver does not know.',
  ],
  401: [
    'it does not accept the signature',
    'Give the receiver the secret of the webhook, and the bytes of the body as they came.',
  ],
  403: [
    'access is denied, by the receiver or by a firewall before it',
    'Let the firewall pass the addresses of the service, and check the secret of the receiver.',
  ],
  404: ['nothing is at this path', 'Check the path of the URL, and the routes of the receiver.'],
  405: ['it does not accept POST', 'Accept POST at this path.'],
  406: ['it does not accept the Accept header', 'Ignore the Accept header.'],
  408: [
    'it, or a proxy, did not receive the whole request in time',
    'Raise the time limit for reading a request.',
  ],
  409: ['it reports a conflict, perhaps because it already has the event', fixes.duplicate],
  410: ['it says that it is gone for good', 'Delete the webhook, or correct its URL.'],
  411: [
    'it, or a proxy, wants a Content-Length, which the request has',
    'Check the proxy before the receiver.',
  ],
  413: ['the body is too large for the receiver or a proxy before it', fixes.bodyLimit],
  415: ['it does not accept the content type application/json', fixes.contentType],
  422: [
    'it does not accept the content of the event',
    'Respond with 2xx also to events that the receiver does not handle.',
  ],
  426: ['it wants another protocol, usually https', 'Create the webhook with an https URL.'],
  429: ['it limits the rate of requests', 'Exempt the addresses of the service from the limit.'],
  431: ['the headers are too large for the receiver or a proxy before it', 'Raise the limit on headers.'],
  502: unavailable('no valid response from the program behind it'),
  503: unavailable('that it is not available'),
  504: unavailable('that the program behind it did not respond in time'),
};

function unavailable(report: string): Explanation {
  return [
    `the receiver, or a proxy before it, reports ${report}`,
    'Start the receiver, or look in its log and that of the proxy.',
  ];
}

function explainStatus(reply: Reply, { status }: HttpResponse): Explanation {
  const code = headerOf(reply, rejectionHeader);
  if (code !== undefined)
    return rejections[code] ?? [`it names the reason ${formatValue(code)}`, 'Look in its log.'];
  if (isRedirect(reply)) return explainRedirect(reply);
  if (status === 505 || (status >= 400 && /\bALPN\b/.test(textOf(reply))))
    return ['it accepts only HTTP/2', 'Accept HTTP/1.1, too.'];
  const scheme = headerOf(reply, 'www-authenticate');
  if (status === 401 && scheme !== undefined)
    return [
      `it wants a sign-in (${formatValue(scheme)}), which the service cannot do`,
      'Exempt this path from the sign-in; the signature protects it.',
    ];
  const explanation = otherStatuses[status];
  if (explanation) return explanation;
  if (status >= 500) return ['it failed while it handled the request', 'Look in the receiver’s log.'];
  if (status >= 200 && status < 300)
    return ['this 2xx is assumed not to count as delivered', 'Respond with 200, 201, 202 or 204.'];
  return ['it does not accept the request', 'Respond with 200, 201, 202 or 204.'];
}

function explainRedirect(reply: Reply): Explanation {
  const location = headerOf(reply, 'location');
  return [
    `a redirect${location === undefined ? '' : ` to ${formatValue(location)}`}, which the service is assumed not to follow`,
    'Create the webhook with the URL at which the redirect ends, or remove the redirect.',
  ];
}
