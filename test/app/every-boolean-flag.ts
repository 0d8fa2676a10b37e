// Every boolean flag of a command, typed in each of the ways that boolean-flags.test.ts describes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { commonFlags, everywhereFlags } from '#cli/flags/common-flags.ts';
import { type Flags, toKebabCase } from '#cli/flags/flag.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };

/** Whatever stands before it is understood first, and nothing is run. */
const atTheEnd = ['--timeout', 'never'];
const understood = 'wm: --timeout: "never" is not a whole number from 1 to 86400\n';

/** The commands of the quick suite. */
const quick = ['login', 'task update', 'emulator exec'];

export function testEveryBooleanFlag(suite: 'quick' | 'deep'): void {
  for (const { words, load } of commands) {
    if (quick.includes(words) !== (suite === 'quick')) continue;
    test(`wm ${words}: each boolean flag in each form`, async () => {
      const { default: command } = await load();
      const shared: Flags = command.sendsRequests ? commonFlags : everywhereFlags;
      const names = Object.entries({ ...shared, ...command.flags })
        .filter(([, flag]) => flag.placeholder === undefined && flag.negatable !== 'only')
        .map(([name]) => toKebabCase(name));
      assert.ok(names.length >= 4, names.join());
      const runs = words === 'emulator exec' ? ['--', 'none'] : [];
      const required = Object.values(command.arguments).filter(({ optional }) => !optional);
      const operands = runs.length > 0 ? [] : required.map(() => 'x');
      const ran = (...argv: string[]) =>
        run([...words.split(' '), ...operands, ...argv, ...atTheEnd, ...runs], { environment });
      for (const name of names) {
        for (const form of [
          `--${name}`,
          `--no-${name}`,
          `--${name}=true`,
          `--${name}=false`,
          `--${name}=FALSE`,
        ]) {
          const { status, errors } = await ran(form);
          assert.equal(status, 2);
          // With --json it is said as JSON.
          const message = errors.startsWith('{') ? `wm: ${JSON.parse(errors).error.message}\n` : errors;
          assert.equal(message, understood, form);
        }
        const wrong = await ran(`--${name}=canary`);
        assert.equal(wrong.status, 2);
        assert.ok(wrong.errors.includes(`The value of --${name} must be true or false`), wrong.errors);
        assert.ok(!wrong.errors.includes('canary'), wrong.errors);
        if (runs.length > 0) continue;
        const apart = await ran(`--${name}`, 'true');
        assert.equal(apart.status, 2);
        assert.ok(apart.errors.includes(`Write --${name} or --${name}=true.`), apart.errors);
      }
    });
  }
}
