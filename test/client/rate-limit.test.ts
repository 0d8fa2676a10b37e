// The rate limit: a wait that the service asks for is kept where it fits into the time-out, and named where it does not.
// The clock is moved by hand, so an hour takes no time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, hook, hooks, lines } from '#test/support/service/scripted-service.ts';

function limited(...headers: string[]): string {
  return jsonReply(429, { error: 'too_many_requests', errorDescription: 'Slow down' }, headers);
}
const good = jsonReply(200, hooks(hook));

// The clock begins at noon of Monday 5 January 2026.
const noon = 'Date: Mon, 05 Jan 2026 12:00:00 GMT';
for (const [header, waits, date = noon] of [
  ['Retry-After: 7', 7000],
  ['Retry-After: 29', 29_000],
  ['Retry-After: Mon, 05 Jan 2026 12:00:11 GMT', 11_000],
  ['Retry-After: Mon Jan  5 12:00:11 2026', 11_000],
  ['Retry-After: Mon, 05 Jan 2026 11:59:03 GMT', 3000, 'Date: Mon, 05 Jan 2026 11:59:00 GMT'],
  ['Retry-After: Tue, 06 Jan 2026 11:59:04 GMT', 4000, 'Date: Tue, 06 Jan 2026 11:59:00 GMT'],
  ['Retry-After: Mon, 05 Jan 2026 11:59:05 GMT', 5000, 'Date: Monday, 05-Jan-26 11:59:00 GMT'],
  ['Retry-After: Mon, 05 Jan 2026 11:59:06 GMT', 6000, 'Date: Mon Jan  5 11:59:00 2026'],
] as const) {
  test(`${header}, ${date}: waits for it, whatever the method`, async () => {
    for (const method of ['GET', 'POST'] as const) {
      const asked = await ask(lines[method], [limited(header, date), good]);
      assert.equal(asked.status, 0, asked.errors);
      assert.deepEqual(asked.clock.waits, [waits]);
      assert.equal(asked.requests.length, 2);
    }
  });
}

for (const { header, says } of [
  { header: 'Retry-After: 30', says: '30 s' },
  { header: 'Retry-After: 90', says: '90 s' },
  { header: 'Retry-After: Mon, 05 Jan 2026 12:10:00 GMT', says: '600 s' },
  { header: 'Retry-After: 99999999999999999999', says: '31536000 s' },
  { header: 'Retry-After: Wed, 21 Oct 2065 07:28:00 GMT', says: '31536000 s' },
]) {
  test(`${header} exceeds the remaining time: exit 6 at once, with the wait`, async () => {
    for (const line of Object.values(lines)) {
      const asked = await ask(line, [limited(header, noon)]);
      assert.equal(asked.status, 6, asked.errors);
      assert.deepEqual(asked.clock.waits, []);
      assert.equal(asked.requests.length, 1);
      assert.ok(
        asked.errors.includes(
          `the service asks to wait ${says}, which is longer than the rest of the time limit`,
        ),
        asked.errors,
      );
    }
  });
}

test('the hint works: --timeout with the number it suggests', async () => {
  const first = await ask(lines.GET, [limited('Retry-After: 90'), good]);
  const [, seconds = ''] = /--timeout (\d+)/.exec(first.errors) ?? [];
  const second = await ask([...lines.GET, '--timeout', seconds], [limited('Retry-After: 90'), good]);
  assert.equal(second.status, 0, second.errors);
  assert.deepEqual(second.clock.waits, [90_000]);
});

test('a wait of more than a day suggests no --timeout, since none is that long', async () => {
  const asked = await ask(lines.GET, [limited('Retry-After: 90000')]);
  assert.equal(asked.status, 6);
  assert.match(asked.errors, /90000 s/);
  assert.doesNotMatch(asked.errors, /--timeout/);
});

test('without a Retry-After, or with an invalid one or one without a wait, uses the default backoff', async () => {
  for (const headers of [
    [],
    ['Retry-After: 0'],
    ['retry-after:  00 '],
    ['Retry-After: Mon, 05 Jan 2026 12:00:11 GMT'],
    ['Retry-After: Mon, 05 Jan 2026 12:00:11 GMT', 'Date: now'],
    ['Retry-After: Mon, 05 Jan 2026 11:00:00 GMT', noon],
    ['Retry-After: Mon, 05 Jan 2026 12:00:00 GMT', noon],
    ['Retry-After: Sun, 04 Jan 2026 11:59:04 GMT', 'Date: Sun, 04 Jan 2026 11:59:00 GMT'],
    ['Retry-After: Tue, 06 Jan 2026 12:01:04 GMT', 'Date: Tue, 06 Jan 2026 12:01:00 GMT'],
    ['Retry-After: soon'],
    ['Retry-After: -5'],
    ['Retry-After: 1.5'],
    ['Retry-After:'],
  ]) {
    const asked = await ask(lines.GET, [limited(...headers), limited(...headers), limited(...headers), good]);
    assert.equal(asked.status, 6, asked.errors);
    assert.equal(asked.requests.length, 3);
    assert.equal(asked.clock.waits.length, 2);
    assert.ok(
      asked.clock.waits.every((wait) => wait > 0 && wait <= 1000),
      `${headers}: ${asked.clock.waits}`,
    );
  }
});

test('all waits of one request together stay within the time limit', async () => {
  const asked = await ask(lines.GET, [limited('Retry-After: 20'), limited('Retry-After: 20'), good]);
  assert.equal(asked.status, 6, asked.errors);
  assert.deepEqual(asked.clock.waits, [20_000]);
  assert.equal(asked.requests.length, 2);
});

test('respects a Retry-After with a 503, too', async () => {
  const asked = await ask(lines.GET, [jsonReply(503, { error: 'server_error' }, ['Retry-After: 9']), good]);
  assert.equal(asked.status, 0, asked.errors);
  assert.deepEqual(asked.clock.waits, [9000]);
});
