// What a receiver may get from the internet, as bytes: valid deliveries, and everything that is none. The same seed gives the
// same requests.

import { METHODS } from 'node:http';
import { sign } from '#contract/signature.ts';
import type { Random } from '#test/support/random.ts';

export interface HostileRequest {
  readonly kind: Kind;
  readonly bytes: Buffer;
  /**
   * How the client goes on: it ends its side, waits for the server to close, waits until the server loses its patience, or breaks
   * the connection.
   */
  readonly ending: 'end' | 'wait' | 'stall' | 'reset';
  /** The deliveries in it. Each that got a 200 must be in the journal. */
  readonly deliveries: readonly number[];
  /** The statuses of all responses, where they are certain. */
  readonly statuses?: readonly number[];
}

export const fuzzSecret = 'a secret of the fuzz test';
/** The receiver's limit on a body. */
export const fuzzMaxBody = 64 * 1024;

/** The body of the `number`-th delivery. */
export function bodyOf(number: number): Buffer {
  const event = { eventType: 'TaskStatusChanged', taskId: `T${number}`, comment: 'é'.repeat(number % 97) };
  // A list, a single object, pretty-printed; now and then a large one.
  if (number % 50 === 0) Object.assign(event, { filler: 'x'.repeat(number % fuzzMaxBody) });
  const json = JSON.stringify(number % 3 === 0 ? event : [event], null, number % 5 === 0 ? 2 : 0);
  return Buffer.from(json).subarray(0, fuzzMaxBody);
}

interface Parts {
  readonly random: Random;
  /** Of the first delivery in it; a request may use a hundred. */
  readonly number: number;
}
/** By default nothing in it must be stored, and the client ends its side. */
type Made = Pick<HostileRequest, 'bytes'> & Partial<Omit<HostileRequest, 'kind'>>;

const latin = (text: string) => Buffer.from(text, 'latin1');
const crlf = '\r\n';

interface Shape {
  method?: string;
  target?: string | Buffer;
  headers?: readonly string[];
  signature?: string | undefined;
  close?: boolean;
}

/** One whole request with the body, signed. */
function request(
  body: Buffer,
  { method = 'POST', target = '/hook', headers = [], close, ...more }: Shape = {},
) {
  const signature = 'signature' in more ? more.signature : sign(fuzzSecret, body);
  const lines = [
    'Host: hooks.example.com',
    'Content-Type: application/json',
    ...headers,
    ...(signature === undefined ? [] : [`X-Hook-Signature: ${signature}`]),
    `Content-Length: ${body.length}`,
    ...(close ? ['Connection: close'] : []),
  ];
  return Buffer.concat([
    latin(`${method} `),
    typeof target === 'string' ? latin(target) : target,
    latin(` HTTP/1.1${crlf}${lines.join(crlf)}${crlf}${crlf}`),
    body,
  ]);
}

/** With the head as given, and no care for what is right. */
const raw = (head: readonly string[], rest: string | Buffer = '') =>
  Buffer.concat([latin(`${head.join(crlf)}${crlf}${crlf}`), typeof rest === 'string' ? latin(rest) : rest]);

function bytesOf(random: Random, longest: number): Buffer {
  return Buffer.from(Array.from({ length: random.below(longest + 1) }, () => random.below(256)));
}

/** The body in chunks of any size. */
function chunksOf(random: Random, body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < body.length; ) {
    const size = 1 + random.below(Math.max(1, Math.min(body.length - at, 2_000)));
    const extension = random.chance(0.1) ? ';name="value"' : '';
    chunks.push(latin(`${size.toString(16)}${extension}${crlf}`), body.subarray(at, at + size), latin(crlf));
    at += size;
  }
  return Buffer.concat([
    ...chunks,
    latin(`0${crlf}${random.chance(0.2) ? `X-Trailer: 1${crlf}` : ''}${crlf}`),
  ]);
}

const handshakeBody = Buffer.from('{"requestType":"WebHook secret verification"}');
const challengeLine = (challenge: string) => `X-Hook-Secret: ${challenge}`;

const makers = {
  'a delivery': ({ random, number }: Parts): Made => {
    const ending = random.chance(0.5) ? 'end' : 'wait';
    const shape = {
      headers: [`Idempotency-Key: k${number}`, challengeLine('abc')],
      close: ending === 'wait',
    };
    return { bytes: request(bodyOf(number), shape), ending, deliveries: [number], statuses: [200] };
  },
  'a delivery in chunks': ({ random, number }: Parts): Made => {
    const body = bodyOf(number);
    const head = [
      'POST / HTTP/1.1',
      `X-Hook-Signature: ${sign(fuzzSecret, body)}`,
      'Transfer-Encoding: chunked',
    ];
    return { bytes: raw(head, chunksOf(random, body)), deliveries: [number], statuses: [200] };
  },
  'deliveries in a row, each twice': ({ random, number }: Parts): Made => {
    const deliveries = Array.from({ length: 1 + random.below(4) }, (_, index) => number + index);
    const sent = deliveries.flatMap((number) => {
      const bytes = request(bodyOf(number), { headers: [`idempotency-key: k${number}`] });
      return [bytes, bytes];
    });
    const statuses = sent.map(() => 200);
    return { bytes: Buffer.concat(sent), deliveries, statuses };
  },
  'a delivery in front of anything': ({ random, number }: Parts): Made => ({
    bytes: Buffer.concat([request(bodyOf(number)), latin(`${random.text(40)}\u0001${crlf}${crlf}`)]),
    ending: 'wait',
    deliveries: [number],
    statuses: [200, 503],
  }),
  'a delivery with bytes changed': ({ random, number }: Parts): Made => {
    let bytes = request(bodyOf(number));
    for (let remaining = 1 + random.below(4); remaining > 0; remaining--) {
      const at = random.below(bytes.length);
      const put = random.chance(0.3) ? Buffer.alloc(0) : bytesOf(random, 3);
      bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + random.below(3))]);
    }
    return { bytes, deliveries: [number] };
  },
  'a delivery cut off': ({ random, number }: Parts): Made => {
    const complete = request(bodyOf(number));
    const bytes = complete.subarray(0, random.below(complete.length));
    return { bytes, ending: random.chance(0.5) ? 'end' : 'reset' };
  },
  'a delivery whose client leaves': ({ number }: Parts): Made => ({
    bytes: request(bodyOf(number)),
    ending: 'reset',
  }),
  'a delivery with an odd expectation': ({ random, number }: Parts): Made => {
    const expectation = random.one(['100-continue', 'tea', '', '100-continue, tea', '200-ok']);
    const bytes = request(bodyOf(number), { headers: [`Expect: ${expectation}`] });
    return { bytes, deliveries: [number] };
  },
  'any byte in the path': ({ random, number }: Parts): Made => {
    const rest = random.chance(0.5) ? bytesOf(random, 8) : Buffer.from(random.text(8));
    const target = Buffer.concat([latin('/'), Buffer.from([random.below(256)]), rest]);
    return { bytes: request(bodyOf(number), { target }), deliveries: [number] };
  },
  'any byte in a header': ({ random, number }: Parts): Made => {
    const any = `a${String.fromCharCode(random.below(256))}b${random.text(5)}`;
    const value = latin(`X-Any: ${any}`).toString('latin1');
    return { bytes: request(bodyOf(number), { headers: [value] }), deliveries: [number] };
  },
  'another method': ({ random, number }: Parts): Made => {
    const known = METHODS[number % METHODS.length] ?? 'GET';
    const method =
      random.chance(0.7) && known !== 'POST' ? known : random.one(['FROB', 'post', 'POSTS', '', 'G\u00c9T']);
    return { bytes: request(bodyOf(number), { method }) };
  },
  'huge headers': ({ random }: Parts): Made => {
    const headers = random.chance(0.5)
      ? [`X-Long: ${'x'.repeat(17_000 + random.below(200_000))}`]
      : Array.from({ length: 2_000 + random.below(4_000) }, (_, index) => `X-${index}: ${index}`);
    const target = random.chance(0.2) ? `/${'p'.repeat(20_000)}` : '/';
    return { bytes: request(Buffer.from('[]'), { headers, target }), statuses: [503] };
  },
  'a body that is too large': ({ random }: Parts): Made => {
    const bytes = request(Buffer.alloc(fuzzMaxBody + 1 + random.below(fuzzMaxBody)));
    return { bytes, statuses: [503] };
  },
  'a wrong signature': ({ random, number }: Parts): Made => {
    const body = bodyOf(number);
    const right = sign(fuzzSecret, body);
    const headers = [challengeLine(random.text(10).replace(/[\r\n]/g, ''))];
    const signature = random.one([
      undefined,
      '',
      right.slice(1),
      `${right}0`,
      right.replace(/^./, 'x'),
      sign('no', body),
    ]);
    return { bytes: request(body, { signature, headers }) };
  },
  'a handshake': ({ random }: Parts): Made => {
    const isGood = random.chance(0.3);
    const challenge = isGood
      ? 'Abc123'
      : random.one(['a b', '{}', '[{"eventType":"TaskDeleted"}]', 'x'.repeat(101), '']);
    const bytes = request(handshakeBody, { headers: [challengeLine(challenge)] });
    return { bytes, statuses: [isGood ? 200 : 503] };
  },
  'a body without its length': ({ random }: Parts): Made => {
    const head = [
      'POST / HTTP/1.1',
      ...Array.from({ length: 1 + random.below(3) }, () =>
        random.one([
          'Transfer-Encoding: chunked',
          'Transfer-Encoding: gzip',
          'Transfer-Encoding: chunked, identity',
          'Transfer-Encoding:\u000bchunked',
          'Transfer-Encoding : chunked',
          'Content-Length: 5',
          'Content-Length: -5',
          'Content-Length: 5, 6',
          'Content-Length: 0x5',
          `Content-Length: ${'9'.repeat(40)}`,
          ' Content-Length: 5',
          'Host: a\r\nHost: b',
        ]),
      ),
    ];
    return { bytes: raw(head, random.text(20)) };
  },
  'broken chunks': ({ random }: Parts): Made => {
    const chunk = random.one([
      'zz\r\n',
      '-1\r\n',
      'ffffffffffffffffff\r\n',
      '5\r\nab\r\n0\r\n\r\n',
      '1\r\nabc\r\n',
      '1;\u0000\r\na\r\n0\r\n\r\n',
      `1;${'x'.repeat(20_000)}\r\na\r\n`,
      '0\r\nContent-Length: 5\r\n\r\n',
      `0\r\n${'X: y\r\n'.repeat(5_000)}\r\n`,
      '1\na\n0\n\n',
    ]);
    return { bytes: raw(['POST / HTTP/1.1', 'Transfer-Encoding: chunked'], chunk) };
  },
  'another protocol': ({ random }: Parts): Made => ({
    bytes: latin(
      random.one([
        'GET /\r\n',
        'GET / HTTP/0.9\r\n\r\n',
        'POST / HTTP/1.0\r\n\r\n',
        'POST / HTTP/9.9\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000',
        '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
        'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n',
        'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n',
        'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
        'DESCRIBE rtsp://a/b RTSP/1.0\r\n\r\n',
        'SOURCE /a ICE/1.0\r\n\r\n',
        'SSH-2.0-OpenSSH_9.2\r\n',
        'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
        'PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\nPOST / HTTP/1.1\r\nHost: a\r\n\r\n',
      ]),
    ),
  }),
  'any bytes': ({ random }: Parts): Made => ({ bytes: bytesOf(random, 600) }),
  'any text': ({ random }: Parts): Made => ({
    bytes: Buffer.from(`${random.chance(0.5) ? 'POST / HTTP/1.1\r\n' : ''}${random.text(60)}\r\n\r\n`),
  }),
  'nothing at all': ({ random }: Parts): Made => ({
    bytes: Buffer.alloc(0),
    ending: random.chance(0.5) ? 'end' : 'reset',
  }),
  'headers that never end': ({ random, number }: Parts): Made => {
    const complete = request(bodyOf(number));
    const end = complete.indexOf('\r\n\r\n');
    return { bytes: complete.subarray(0, 1 + random.below(end)), ending: 'stall', statuses: [408] };
  },
  'a body that never ends': ({ random, number }: Parts): Made => {
    const complete = request(bodyOf(number));
    const start = complete.indexOf('\r\n\r\n') + 4;
    const bytes = complete.subarray(0, start + random.below(complete.length - start));
    return { bytes, ending: 'stall', deliveries: [], statuses: [408] };
  },
} satisfies Record<string, (parts: Parts) => Made>;

export type Kind = keyof typeof makers;

const isKind = (text: string): text is Kind => text in makers;
const kinds = Object.keys(makers).filter(isKind);
/** These wait for a time limit, so there are few of them. */
const slow = kinds.filter((kind) => kind.endsWith('never end') || kind.endsWith('never ends'));
const quick = kinds.filter((kind) => !slow.includes(kind));

/** The `index`-th request; its deliveries have numbers from `index * 10`. */
export function createHostileRequest(random: Random, index: number): HostileRequest {
  const among = random.chance(0.004) ? slow : quick;
  const kind = among[random.below(among.length)] ?? 'any bytes';
  return { kind, ending: 'end', deliveries: [], ...makers[kind]({ random, number: 10 * (index + 1) }) };
}

/** A delivery that must be accepted. */
export function createDelivery(number: number): HostileRequest {
  const bytes = request(bodyOf(number), { close: true });
  return { kind: 'a delivery', bytes, ending: 'wait', deliveries: [number], statuses: [200] };
}
