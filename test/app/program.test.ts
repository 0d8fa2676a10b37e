// An error that nobody expected: one line for whoever meets it, and with WM_DEBUG where it came from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';

async function broken(thrown: unknown, environment: Readonly<Record<string, string>> = {}) {
  return run(['whoami'], {
    environment: { WM_TOKEN: 'canary-token', WM_HOST: 'api.example.com', ...environment },
    world: { http: { send: () => Promise.reject(thrown) } },
  });
}

for (const [what, thrown, message, stack] of [
  ['an error', new TypeError('a bug inside'), 'TypeError: a bug inside', /^TypeError: a bug inside\n {4}at /],
  ['anything else', 'half a sentence', 'half a sentence', /^'half a sentence'\n$/],
] as const) {
  test(`${what} thrown: only WM_DEBUG adds its stack`, async () => {
    const { status, output, errors } = await broken(thrown);
    assert.ok(errors.startsWith(`wm: ${message}\n`), errors);
    assert.doesNotMatch(errors, /\n {4}at /);
    assert.deepEqual([status, output], [1, '']);
    const debugged = await broken(thrown, { WM_DEBUG: '1' });
    assert.equal(debugged.status, status);
    assert.ok(debugged.errors.startsWith(errors));
    assert.match(debugged.errors.slice(errors.length), stack);
  });
}

test('WM_DEBUG adds nothing to an expected failure', async () => {
  const { status, errors } = await run(['whoami', '--nonsense'], { environment: { WM_DEBUG: '1' } });
  assert.deepEqual([status, errors], [2, "wm: Unknown flag '--nonsense'\n  See --help.\n"]);
});
