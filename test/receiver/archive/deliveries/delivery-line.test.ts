// The sentences about a delivery.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeAttempt,
  describeDelivery,
  describeDetails as describeWith,
  formatDuration,
} from '#receiver/archive/deliveries/delivery-line.ts';
import { deliveryOf, sampleAttempt } from '#test/receiver/core/intake/samples.ts';
import { noon } from '#test/support/clock.ts';

const summary = {
  sequence: 7,
  receivedAt: noon,
  signature: 'valid',
  events: [],
  ids: [],
  title: undefined,
} as const;

test('a delivery line leaves out unknown values, and is safe to print', () => {
  const after = (text: string) => text.replace(/^\d\d:\d\d:\d\d {2}/, '');
  assert.equal(after(describeDelivery(summary)), '#7  no event');
  const unsigned = {
    ...summary,
    events: ['A', 'B', 'C', 'D'],
    ids: ['T1', 'T2'],
    signature: 'unsigned',
  } as const;
  assert.equal(after(describeDelivery(unsigned, '200')), '#7  A, B and 2 more  T1  unsigned  200');
  assert.equal(after(describeDelivery({ ...summary, title: 'a\u001b[2Jb' })), '#7  no event  a\ufffd[2Jb');
});

test('the outcome of an attempt', () => {
  const attempt = {
    ...sampleAttempt(7, { target: 'http://a/', milliseconds: 12.4 }),
    delivery: deliveryOf([]),
  } as const;
  const failed = { outcome: '503', verdict: 'retry' } as const;
  const dead = { outcome: '503', verdict: 'dead' } as const;
  for (const [changes, expected] of [
    [{}, '200 in 12 ms'],
    [{ ...failed, delay: 4_000 }, '503 in 12 ms, next attempt in 4 s'],
    [failed, '503 in 12 ms'],
    [dead, '503 in 12 ms, dead letter after 1 attempt'],
    [{ ...dead, attempt: 12 }, '503 in 12 ms, dead letter after 12 attempts'],
    [{ target: '' }, 'no target'],
    [{ ...failed, detail: ' no such\r\n\ttable\u001b[2J ' }, '503 in 12 ms (no such table\ufffd[2J)'],
    [
      { ...dead, detail: 'x'.repeat(1_000) },
      `503 in 12 ms (${'x'.repeat(79)}…), dead letter after 1 attempt`,
    ],
    [{ detail: 'thanks' }, '200 in 12 ms'],
    [{ ...failed, outcome: 'timeout', detail: 'timeout' }, 'timeout in 12 ms'],
  ] as const)
    assert.equal(describeAttempt({ ...attempt, ...changes }, false), expected);
  assert.equal(describeAttempt({ ...attempt, attempt: 3 }, true), 'http://a/: 200 in 12 ms, attempt 3');
});

test('durations', () => {
  const shown = [999.4, 1_250, 90_000, 5_400_000].map(formatDuration);
  assert.deepEqual(shown, ['999 ms', '1.3 s', '2 min', '1.5 h']);
});

const describeDetails = (delivery: Parameters<typeof describeWith>[0]) =>
  describeWith(delivery, (sequence) => `wm webhook log ${sequence} --body`);

test('a whole delivery: headers, and the body as JSON if valid; a long one is cut, and says so', () => {
  const headers = [
    ['Content-Type', 'application/json'],
    ['Idempotency-Key', 'key-1'],
  ] as const;
  const lines = describeDetails(deliveryOf([{ title: 'a\u202eb' }], { path: '/hook?a=1', headers }));
  assert.match(lines[0] ?? '', /^Delivery #1, received 20\d\d-/);
  assert.deepEqual(lines.slice(1), [
    'POST /hook?a=1',
    'Content-Type: application/json',
    'Idempotency-Key: key-1',
    '',
    '[',
    '  {',
    '    "title": "a\ufffdb"',
    '  }',
    ']',
    '',
  ]);
  assert.ok(describeDetails(deliveryOf('no\njson')).includes('json'));
  const many = describeDetails(deliveryOf(Array.from({ length: 300 }, (_, at) => at)));
  assert.match(many.at(-2) ?? '', /^\(the body has 1091 bytes; wm webhook log 1/);
  assert.ok(many.length < 210);
  assert.match(describeDetails(deliveryOf('x'.repeat(100_000))).at(-2) ?? '', /100000 bytes/);
});

test('only the start of a long body line is shown: a terminal would need seconds to wrap it', () => {
  for (const body of [
    'x'.repeat(60_000),
    [{ comment: 'x'.repeat(60_000) }],
    `${'x'.repeat(999)}\u{1f600}${'y'.repeat(99)}`,
  ]) {
    const lines = describeDetails(deliveryOf(body));
    assert.ok(lines.every((line) => line.length <= 1_000));
    const rest = /\n\(the body has \d+ bytes; wm webhook log \d+ --body prints all of it\)\n/;
    assert.match(lines.join('\n'), rest);
  }
});
