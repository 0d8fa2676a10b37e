// A redirect_uri of the ready application leads to this machine for every parser that may read it: the emulator's, the
// browser's, and the client's, which follow different standards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'node:url';
import fc from 'fast-check';
import { query, type Started, started } from '../start.ts';

/** The status of the authorization endpoint: 200 is the consent page. */
async function statusFor({ authUrl, clientId }: Started, redirectUri: string): Promise<number> {
  const parameters = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri };
  const response = await fetch(`${authUrl}/oauth2/authorize/v4?${query(parameters)}`, { redirect: 'manual' });
  await response.text();
  assert.equal(response.headers.get('location'), null);
  return response.status;
}

/** RFC 3986, appendix B, as many libraries have it: nothing is decoded, dropped or put in order. */
const authorityOf = (text: string) => /^(?:[^:/?#]+:)?(?:\/\/([^/?#]*))?/.exec(text)?.[1] ?? '';
const withoutPort = (host: string) => host.replace(/:\d*$/, '');

const withoutControls = (text: string) => [...text].filter((one) => one > ' ').join('');

/** The host of a URL as different programs find it. */
const parsers: Readonly<Record<string, (text: string) => string>> = {
  WHATWG: (text) => new URL(text).hostname,
  'RFC 3986, the last @': (text) => withoutPort(authorityOf(text).split('@').at(-1) ?? ''),
  'RFC 3986, the first @': (text) => withoutPort(authorityOf(text).split('@')[1] ?? authorityOf(text)),
  'older Node': (text) => {
    const { hostname } = parse(text);
    return hostname?.includes(':') ? `[${hostname}]` : (hostname ?? '');
  },
  'a backslash is a slash': (text) =>
    withoutPort(authorityOf(text.replaceAll('\\', '/')).split('@').at(-1) ?? ''),
  'decoded first': (text) => withoutPort(authorityOf(decodeURIComponent(text)).split('@').at(-1) ?? ''),
  'without control characters': (text) =>
    withoutPort(authorityOf(withoutControls(text)).split('@').at(-1) ?? ''),
  'compatibility forms of Unicode': (text) =>
    withoutPort(authorityOf(text.normalize('NFKC')).split('@').at(-1) ?? ''),
  'a query does not end the host': (text) =>
    withoutPort((/^http:\/\/([^/]*)/.exec(text)?.[1] ?? '').replace(/\?.*$/s, '').split('@').at(-1) ?? ''),
};

const loopback = ['127.0.0.1', '[::1]', 'localhost'];

function agree(redirectUri: string): void {
  for (const [name, hostOf] of Object.entries(parsers)) {
    let host = '';
    try {
      host = hostOf(redirectUri);
    } catch {
      // A parser that rejects it sends nobody anywhere.
      continue;
    }
    assert.ok(loopback.includes(host), `${name}: ${JSON.stringify(redirectUri)} leads to ${host}`);
  }
}

test('a redirect_uri that parsers read differently is not registered', async (t) => {
  const emulator = await started(t);
  for (const redirectUri of [
    'http://127.0.0.1:80\\@evil.example/',
    'http://127.0.0.1\\@evil.example/',
    'http://127.0.0.1:80\\.evil.example/',
    'http:\\\\127.0.0.1/callback',
    'http:/127.0.0.1/callback',
    'http:127.0.0.1/callback',
    'http:///127.0.0.1/callback',
    'http://127.0.0.1:80@evil.example/',
    'http://evil.example@127.0.0.1/',
    'http://@127.0.0.1/',
    'http://:@127.0.0.1/',
    'http://127.0.0.1?@evil.example/',
    'http://127.0.0.1#@evil.example/',
    'http://127.0.0.1/#',
    'http://127.0.0.1\t.evil.example/',
    'http://127.0.0.1/\tcallback',
    'ht\ntp://127.0.0.1/',
    ' http://127.0.0.1/',
    'http://127.0.0.1/ ',
    'http://127.0.0.1 /',
    'HTTP://127.0.0.1/',
    'http://LOCALHOST/',
    'http://Localhost:80/',
    'http://localhost./',
    'http://127.0.0.1./',
    'http://%6cocalhost/',
    'http://127.0.0.1%2f@evil.example/',
    'http://127.0.0.1%40evil.example/',
    'http://127.0.0.1%5c@evil.example/',
    'http://127.1/',
    'http://127.0.0.2/',
    'http://0177.0.0.1/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://127.0.0.1:/',
    'http://127.0.0.1:00080/',
    'http://127.0.0.1:65536/',
    'http://127.0.0.1:0/',
    'http://127.0.0.1:80:81/',
    'http://[::1]:80:81/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::1%25lo]/',
    'http://::1/',
    'http://\uff11\uff12\uff17.0.0.1/',
    'http://127\u3002\u0030.0.1/',
    'http://localhost\uff0fevil.example/',
    'http://loc\u00adalhost/',
    'http://127.0.0.1/%',
    'http://127.0.0.1/%zz',
    'http://127.0.0.1/a@b',
    'https://127.0.0.1/',
    'javascript://127.0.0.1/%0aalert(1)',
    'data:text/html,127.0.0.1',
    '//127.0.0.1/',
    '',
  ])
    assert.equal(await statusFor(emulator, redirectUri), 400, JSON.stringify(redirectUri));
});

test('whatever is accepted, every parser finds this machine in it', async (t) => {
  const emulator = await started(t);
  const piece = fc.constantFrom(
    ...[
      'http',
      'HTTP',
      'https',
      ':',
      '/',
      '//',
      '\\',
      '@',
      '?',
      '#',
      '.',
      '%',
      '%40',
      '%5C',
      '%2F',
      '%00',
      '%09',
    ],
    ...[
      '\t',
      '\n',
      '\r',
      ' ',
      '\u0000',
      '\u3002',
      '\uff0f',
      '\uff20',
      '\u2044',
      '\u00ad',
      '\u200b',
      ';',
      '&',
      '=',
    ],
    ...[
      '127.0.0.1',
      'localhost',
      'LOCALHOST',
      '[::1]',
      '127.1',
      '2130706433',
      '[::ffff:7f00:1]',
      'evil.example',
    ],
    ...[
      ':80',
      ':0',
      ':99999',
      'user',
      'callback',
      '..',
      '!',
      "'",
      '(',
      '*',
      '~',
      '[',
      ']',
      '|',
      '^',
      '`',
      '{',
      '<',
      '"',
    ],
  );
  const near = fc
    .tuple(
      fc.constantFrom('http://', 'http://', 'http://', 'http:', 'http:\\\\', 'HTTP://'),
      fc.array(piece, { maxLength: 2 }),
      fc.constantFrom(...loopback),
      fc.array(piece, { maxLength: 6 }),
    )
    .map(([scheme, before, host, after]) => [scheme, ...before, host, ...after].join(''));
  /** Often still what it was: then the piece is a part of the path. */
  const nearest = fc
    .tuple(fc.constantFrom(...loopback), fc.nat({ max: 40 }), piece)
    .map(([host, at, one]) => {
      const uri = `http://${host}/callback`;
      return `${uri.slice(0, at)}${one}${uri.slice(at)}`;
    });
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        nearest,
        near,
        fc.array(piece, { maxLength: 10 }).map((all) => all.join('')),
      ),
      async (uri) => {
        if ((await statusFor(emulator, uri)) !== 200) return;
        accepted += 1;
        agree(uri);
      },
    ),
    { numRuns: 1_500 },
  );
  // Otherwise this would show nothing.
  t.diagnostic(`${accepted} accepted`);
  assert.ok(accepted > 20, `${accepted} accepted`);
});

test('an address of this machine in its usual form is accepted, with any port, path and query', async (t) => {
  const emulator = await started(t);
  const text = fc.string({ unit: 'grapheme', maxLength: 8 }).map(encodeURIComponent);
  const usual = fc
    .tuple(
      fc.constantFrom(...loopback),
      fc.option(fc.integer({ min: 1, max: 65_535 })),
      fc.array(text, { maxLength: 3 }),
      fc.option(fc.tuple(text, text)),
    )
    .map(
      ([host, port, path, pair]) =>
        `http://${host}${port === null ? '' : `:${port}`}${path.map((one) => `/${one}`).join('')}${pair === null ? '' : `?${pair.join('=')}`}`,
    );
  await fc.assert(
    fc.asyncProperty(usual, async (uri) => {
      agree(uri);
      assert.equal(await statusFor(emulator, uri), 200, uri);
    }),
    { numRuns: 300 },
  );
});
