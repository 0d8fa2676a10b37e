// A redirect_uri of the ready application leads to this machine for every parser that may read it: the emulator's, the
// browser's, and the client's, which follow different standards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { started } from '#test/support/service/start-emulator.ts';
import { agree, loopback, statusFor, testAnyRedirectUri } from './any-redirect-uri.ts';

test('a redirect_uri that parsers read differently is not registered', async (t) => {
  const emulator = await started(t);
  for (const redirectUri of [
    ...'http://127.0.0.1:80\\@evil.example/ http://127.0.0.1\\@evil.example/'.split(' '),
    ...'http://127.0.0.1:80\\.evil.example/ http:\\\\127.0.0.1/callback http:/127.0.0.1/callback'.split(' '),
    ...'http:127.0.0.1/callback http:///127.0.0.1/callback http://127.0.0.1:80@evil.example/'.split(' '),
    ...'http://evil.example@127.0.0.1/ http://@127.0.0.1/ http://:@127.0.0.1/'.split(' '),
    ...'http://127.0.0.1?@evil.example/ http://127.0.0.1#@evil.example/ http://127.0.0.1/#'.split(' '),
    ...'http://127.0.0.1\t.evil.example/ http://127.0.0.1/\tcallback ht\ntp://127.0.0.1/'.split(' '),
    ' http://127.0.0.1/',
    'http://127.0.0.1/ ',
    'http://127.0.0.1 /',
    ...'HTTP://127.0.0.1/ http://LOCALHOST/ http://Localhost:80/ http://localhost./'.split(' '),
    ...'http://127.0.0.1./ http://%6cocalhost/ http://127.0.0.1%2f@evil.example/'.split(' '),
    ...'http://127.0.0.1%40evil.example/ http://127.0.0.1%5c@evil.example/ http://127.1/'.split(' '),
    ...'http://127.0.0.2/ http://0177.0.0.1/ http://0x7f.0.0.1/ http://2130706433/'.split(' '),
    ...'http://127.0.0.1:/ http://127.0.0.1:00080/ http://127.0.0.1:65536/ http://127.0.0.1:0/'.split(' '),
    ...'http://127.0.0.1:80:81/ http://[::1]:80:81/ http://[0:0:0:0:0:0:0:1]/'.split(' '),
    ...'http://[::ffff:127.0.0.1]/ http://[::1%25lo]/ http://::1/'.split(' '),
    ...'http://\uff11\uff12\uff17.0.0.1/ http://127\u3002\u0030.0.1/'.split(' '),
    ...'http://localhost\uff0fevil.example/ http://loc\u00adalhost/ http://127.0.0.1/%'.split(' '),
    ...'http://127.0.0.1/%zz http://127.0.0.1/a@b https://127.0.0.1/'.split(' '),
    ...'javascript://127.0.0.1/%0aalert(1) data:text/html,127.0.0.1 //127.0.0.1/'.split(' '),
    '',
  ])
    assert.equal(await statusFor(emulator, redirectUri), 400, JSON.stringify(redirectUri));
});

testAnyRedirectUri(40);

test('accepts an address of this machine in its usual form, with any port, path and query', async (t) => {
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
    { numRuns: 40 },
  );
});
