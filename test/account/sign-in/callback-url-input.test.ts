// The reader of the landing URL lets go of standard input, however its reading ends.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readCallbackUrlLine } from '#account/sign-in/callback-url.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createClock } from '#world/clock.ts';

function reading(signal: AbortSignal) {
  const raw = new PassThrough();
  const { streams } = collectStreams({ input: { raw } });
  const invalid: (readonly [number, string])[] = [];
  const result = readCallbackUrlLine(
    { streams, clock: createClock() },
    {
      check: (line) => (line === 'right' ? undefined : `${line.length} characters`),
      onInvalid: (...told) => invalid.push(told),
      signal,
    },
  );
  const listeners = () => ['data', 'end', 'error'].map((event) => raw.listenerCount(event));
  return { raw, result, invalid, listeners };
}

const never = new AbortController().signal;

test('ends at once if the sign-in is over before reading begins', async () => {
  const { raw, result, listeners } = reading(AbortSignal.abort());
  raw.write('right\n');
  assert.deepEqual(await result, {});
  assert.deepEqual(
    listeners(),
    reading(never)
      .listeners()
      .map((count) => count - 1),
  );
  assert.ok(raw.isPaused());
});

test('several lines in one chunk: takes the first valid one and numbers the invalid ones before it', async () => {
  const { raw, result, invalid } = reading(never);
  raw.write('\nwrong\n  \nright\nlater\n');
  assert.deepEqual(await result, { line: 'right' });
  assert.deepEqual(invalid, [[2, '5 characters']]);
  assert.ok(raw.isPaused());
});

test('a character split across chunks, and a last line without a line break', async () => {
  const { raw, result, invalid } = reading(never);
  const bytes = Buffer.from('ä\nright');
  raw.write(bytes.subarray(0, 1));
  raw.end(bytes.subarray(1));
  assert.deepEqual(await result, { line: 'right' });
  assert.deepEqual(invalid, [[1, '1 characters']]);
});

test('skips a line that is too long, and counts it as one line', async () => {
  const { raw, result, invalid } = reading(never);
  raw.write('x'.repeat(16 * 1024 + 1));
  raw.write('y'.repeat(16 * 1024));
  raw.write('z\nright\n');
  assert.deepEqual(await result, { line: 'right' });
  assert.deepEqual(invalid, [[1, 'It is longer than 16384 characters.']]);
});
