// What may arrive in place of the service's response, by hand: from sign-in pages, gateways, firewalls and caches, and bodies that only
// look like the service's. The contract gives a response `kind` and `data`, or `error` and `errorDescription`.

import { gzipSync } from 'node:zlib';

/** What the strange response is made of. */
export interface Known {
  /** The `kind` of the operation. */
  readonly kind: string;
  /** The service's own records: of the response that is replaced, or as they are before it. */
  readonly records: readonly object[];
  /** A record of that kind that the request does not name. */
  readonly other: object;
}

export interface StrangeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: (known: Known) => string | Uint8Array;
  /**
   * `stranger`: it breaks the contract, so it proves nothing. `records`: like the service's, but with other records than the request
   * names. `service`: an error as the service sends it, with an unusual name or status.
   */
  readonly from: 'stranger' | 'records' | 'service';
  /** `wm api` cannot know the kind of every list, and prints any. */
  readonly isOfAnotherKind?: boolean;
}

const json = { 'Content-Type': 'application/json' };
const html = { 'Content-Type': 'text/html; charset=utf-8' };
const page =
  '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to the network</body></html>';

type Row = readonly [name: string, response: StrangeResponse];

function stranger(
  name: string,
  status: number,
  headers: StrangeResponse['headers'],
  body: StrangeResponse['body'],
): Row {
  return [`${status}, ${name}`, { status, headers, body, from: 'stranger' }];
}

const fixed = (name: string, status: number, value: unknown): Row =>
  stranger(name, status, json, () => JSON.stringify(value));
/** JSON like the service's, but for one thing. */
const like = (name: string, status: number, change: (known: Known) => unknown): Row =>
  stranger(name, status, json, (known) => JSON.stringify(change(known)));
const right = ({ kind, records }: Known) => ({ kind, data: records });
const rightText = (known: Known) => JSON.stringify(right(known));
const records = (name: string, choose: (known: Known) => readonly object[]): Row => [
  name,
  {
    status: 200,
    headers: json,
    body: (known) => JSON.stringify({ kind: known.kind, data: choose(known) }),
    from: 'records',
  },
];
const service = (name: string, status: number, error: string): Row => [
  `${status}, ${name}`,
  {
    status,
    headers: json,
    body: () => JSON.stringify({ error, errorDescription: 'A description' }),
    from: 'service',
  },
];

const pages = [200, 203, 400, 401, 403, 404, 405, 408, 409, 410, 413, 418, 451, 500, 502, 503, 504];
const redirects = [301, 302, 303, 307, 308];
const gatewayStatuses = [200, 400, 401, 403, 404, 502];

const otherKind: Row = [
  '200, of another kind',
  {
    status: 200,
    headers: json,
    body: ({ records }) => JSON.stringify({ kind: 'invoices', data: records }),
    from: 'stranger',
    isOfAnotherKind: true,
  },
];

export const strangeResponses: ReadonlyMap<string, StrangeResponse> = new Map([
  ...pages.map((status) => stranger('a page of HTML', status, html, () => page)),
  ...redirects.map((status) =>
    stranger('to another host', status, { ...html, Location: 'https://login.example.com/' }, () => page),
  ),
  ...[200, 400, 403, 404, 502].map((status) => stranger('an empty body', status, html, () => '')),
  stranger('no body and no type', 204, {}, () => ''),
  stranger('no body, called JSON', 404, json, () => ''),
  stranger('plain text', 404, { 'Content-Type': 'text/plain' }, () => '404 page not found'),

  ...gatewayStatuses.map((status) =>
    fixed("a gateway's JSON", status, { message: 'no Route matched with those values' }),
  ),
  fixed("another API's error", 400, { error: { code: 400, message: 'Bad Request' } }),
  fixed("an OAuth gateway's error", 401, { error: 'invalid_token', error_description: 'expired' }),
  fixed('an error without its description', 404, { error: 'resource_not_found' }),
  fixed('a description that is a number', 404, { error: 'resource_not_found', errorDescription: 404 }),
  fixed('an error that is a list', 403, { error: ['access_forbidden'], errorDescription: 'No' }),
  fixed('a description without its error', 400, { errorDescription: 'A parameter is wrong' }),
  fixed('a known error', 200, { error: 'resource_not_found', errorDescription: 'Not found' }),
  fixed('an empty object', 200, {}),
  fixed('an empty object', 404, {}),
  fixed('a list', 200, [{ id: 'IEAAAAAQKQAB5BNG' }]),
  fixed('a text', 200, 'ok'),
  fixed('null', 200, null),

  stranger('text that is Latin-1', 200, json, (known) =>
    Buffer.from(JSON.stringify({ ...right(known), note: 'é' }), 'latin1'),
  ),
  stranger('compressed', 200, { ...json, 'Content-Encoding': 'gzip' }, (known) => gzipSync(rightText(known))),
  stranger('compressed without saying so', 200, json, (known) => gzipSync(rightText(known))),
  stranger('cut off', 200, json, (known) => rightText(known).slice(0, -2)),
  stranger('called HTML', 200, html, rightText),
  stranger('without a type', 200, {}, rightText),
  otherKind,
  like('without a kind', 200, ({ records }) => ({ data: records })),
  like('without data', 200, ({ kind }) => ({ kind })),
  like('data that is a record', 200, ({ kind, other }) => ({ kind, data: other })),
  like('data that is null', 200, ({ kind }) => ({ kind, data: null })),
  like('a record that is null', 200, ({ kind }) => ({ kind, data: [null] })),
  like('a record that is a text', 200, ({ kind }) => ({ kind, data: ['IEAAAAAQKQAB5BNG'] })),
  like('records', 404, right),
  like('records', 500, right),

  records('a record without its id', ({ records: [own] }) => [{ ...own, id: undefined }]),
  records('a record whose id is a number', ({ records: [own] }) => [{ ...own, id: 4500000001 }]),
  records('another record', ({ other }) => [other]),
  records('two records', ({ records, other }) => [...records, other]),
  records('two records, the other one first', ({ records, other }) => [other, ...records]),
  records('no record', () => []),

  service('an unknown error', 400, 'quota_of_the_year'),
  service('an unknown error', 409, 'edited_meanwhile'),
  service('a known error of another status', 403, 'resource_not_found'),
  service('a known error of another status', 422, 'invalid_parameter'),
]);
