// Which headers of a delivery are forwarded, and how those that came twice are joined.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forwardedHeaders } from '#receiver/core/forwarding/http-target.ts';

test('does not forward hop-by-hop headers, or headers that Connection names', () => {
  const headers = [
    ['HOST', 'a'],
    ['Connection', 'close, X-Hop'],
    ['connection', 'x-other'],
    ['X-Hop', '1'],
    ['X-Other', '1'],
    ['Keep-Alive', 'timeout=5'],
    ['Proxy-Authenticate', 'Basic'],
    ['Proxy-Authorization', 'Basic eA=='],
    ['Proxy-Connection', 'close'],
    ['TE', 'trailers'],
    ['Trailer', 'X'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
    ['Content-Length', '1'],
    ['Expect', '100-continue'],
    ['Accept-Encoding', 'br'],
    ['X-Kept', '1'],
    ['X-Wm-Replay', '1'],
    ['x-WM-delivery', '7'],
    ['X-Wm-Other', '7'],
    ['x_wm_delivery', '7'],
    ['X_Wm-Attempt', '7'],
    ['x-wm_foo', '7'],
    ['Transfer_Encoding', 'chunked'],
    ['x_hop', '1'],
  ] as const;
  assert.deepEqual(forwardedHeaders(headers, {}), { 'x-kept': '1' });
  assert.deepEqual(forwardedHeaders(headers, { 'X-Wm-Replay': '2' }), { 'x-kept': '1', 'x-wm-replay': '2' });
});

test('a repeated header has both values, in order', () => {
  const headers = [
    ['X-A', '1'],
    ['Cookie', 'a=1'],
    ['x-a', '2'],
    ['cookie', 'b=2'],
    ['__proto__', 'p'],
  ] as const;
  const forwarded = forwardedHeaders(headers, {});
  assert.deepEqual(Object.entries(forwarded), [
    ['x-a', '1, 2'],
    ['cookie', 'a=1; b=2'],
    ['__proto__', 'p'],
  ]);
});

test('an override replaces all values, in any spelling', () => {
  const headers = [
    ['X-A', '1'],
    ['x-a', '2'],
    ['x_a', '2'],
  ] as const;
  assert.deepEqual(forwardedHeaders(headers, { 'X-a': '3', 'X-New': 'n' }), { 'x-a': '3', 'x-new': 'n' });
});
