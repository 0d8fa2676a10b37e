// A flag that lacks its value must not take the next flag for it: `--title -n` would send what was to be only shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };

for (const flag of ['--status', '-n', '-y', '--help', '-h', '--version', '-V']) {
  test(`--title ${flag}`, async () => {
    const ran = await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--title', flag], {
      exit: 2,
      environment,
    });
    assert.equal(
      ran.errors,
      `wm: --title needs a value, but ${flag} follows it\n  If that is the value, write --title=${flag}\n`,
    );
  });
}

test('accepts the value after =', async () => {
  for (const value of ['-n', '--help']) {
    const argv = ['task', 'update', 'IEAAAAAQKQAB5BNG', `--title=${value}`, '--dry-run'];
    const ran = await run(argv, { exit: 0, environment });
    assert.ok(ran.output.includes(`?title=${value}\n`), ran.output);
  }
});
