// Property: an accepted redirect_uri leads to this machine for every parser. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'node:url';
import fc from 'fast-check';
import { query, type Started, started } from '#test/support/service/start-emulator.ts';

/** The status of the authorization endpoint: 200 is the consent page. */
export async function statusFor({ authUrl, clientId }: Started, redirectUri: string): Promise<number> {
  const parameters = { client_id: clientId, response_type: 'code', redirect_uri: redirectUri };
  const response = await fetch(`${authUrl}/oauth2/authorize/v4?${query(parameters)}`, { redirect: 'manual' });
  await response.text();
  assert.equal(response.headers.get('location'), null);
  return response.status;
}

/** RFC 3986, appendix B, as many libraries have it: nothing is decoded, dropped or put in order. */
const authorityOf = (text: string) => /^(?:[^:/?#]+:)?(?:\/\/([^/?#]*))?/.exec(text)?.[1] ?? '';
const withoutPort = (host: string) => host.replace(/:\d*$/, '');

const withoutControls = (text: string) => [...text].filter((character) => character > ' ').join('');

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

export const loopback = ['127.0.0.1', '[::1]', 'localhost'];

export function agree(redirectUri: string): void {
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

/** Declares the test, with so many runs. */
export function testAnyRedirectUri(runs: number): void {
  test('every parser finds this machine in an accepted redirect_uri', async (t) => {
    const emulator = await started(t);
    const piece = fc.constantFrom(
      ...'http HTTP https : / // \\ @ ? # . % %40 %5C %2F %00 %09'.split(' '),
      ...['\t', '\n', '\r', ' ', '\u0000', '\u3002', '\uff0f', '\uff20', '\u2044', '\u00ad', '\u200b'],
      ...'127.0.0.1 localhost LOCALHOST [::1] 127.1 2130706433 [::ffff:7f00:1] evil.example'.split(' '),
      ...':80 :0 :99999 user callback .. ! \' ( * ~ [ ] | ^ ` { < " ; & ='.split(' '),
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
      { numRuns: runs },
    );
    // Otherwise this would show nothing.
    t.diagnostic(`${accepted} accepted`);
    assert.ok(accepted > runs / 75, `${accepted} accepted`);
  });
}
