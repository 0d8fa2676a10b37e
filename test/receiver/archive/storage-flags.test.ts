// The URL of a sink, as users type it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSinkUrl } from '#receiver/archive/storage-flags.ts';

test('hosts, ports and the name of the stream', () => {
  assert.deepEqual(parseSinkUrl('nats://one/DELIVERIES', '--sink'), {
    text: 'nats://one/DELIVERIES',
    servers: ['one:4222'],
    isTls: false,
    stream: 'DELIVERIES',
  });
  assert.deepEqual(parseSinkUrl('tls://one:1,two.example.com,[::1]:4223/a-b_1', '--sink'), {
    text: 'tls://one:1,two.example.com,[::1]:4223/a-b_1',
    servers: ['one:1', 'two.example.com:4222', '[::1]:4223'],
    isTls: true,
    stream: 'a-b_1',
  });
});

test('a scheme before each host, as other programs write it', () => {
  assert.deepEqual(
    parseSinkUrl('nats://one,nats://two:1/S', '--sink'),
    parseSinkUrl('nats://one,two:1/S', '--sink'),
  );
});

for (const [text, message] of [
  ['nats://one,tls://two/S', /"tls:" is not a host|is not the name of a stream/],
  ['http://one/S', /is not the URL of a NATS stream/],
  ['nats://', /is not the URL/],
  ['nats://one', /the name of the stream is missing/],
  ['nats://one/', /the name of the stream is missing/],
  ['nats://one/a.b', /"a\.b" is not the name of a stream/],
  ['nats://one/a/b', /is not the name of a stream/],
  ['nats://one,/S', /"" is not a host/],
  ['nats://one:0/S', /"one:0" is not a host/],
  ['nats://one:70000/S', /is not a host/],
  ['nats://o ne/S', /is not a host/],
] as const)
  test(`rejects ${text}`, () => assert.throws(() => parseSinkUrl(text, '--sink'), message));

test('does not repeat its credentials', () => {
  for (const text of [
    'nats://user:hunter22@one/S',
    'tls://hunter22@one/S',
    'http://u:hunter22@one/S',
    // A slash in the password, and an @ that is encoded.
    'nats://user:hunter22/hunter22@one/S',
    'nats://user/hunter22@one/S',
    'nats://user:hunter22%40one/S',
  ])
    assert.throws(
      () => parseSinkUrl(text, '--sink'),
      (error: Error) => !JSON.stringify([error.message, String(error), error]).includes('hunter22'),
    );
});
