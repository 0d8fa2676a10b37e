// What a filter of --jq gets from outside: the variables of --arg, and no environment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';

const wm = (status: number, ...argv: string[]) =>
  run(['webhook', 'events', ...argv], { exit: status, environment: { HOME: '/x' } });

test('--arg sets a variable and can be repeated', async () => {
  const ran = await wm(
    0,
    ...['--jq', '.[] | select(.name == $name) | "\\(.name) \\($b) \\($ARGS.named.b)\\($empty)"'],
    ...['--arg', 'name=TaskCreated', '--arg', `b=it's "=" \n--x`, '--arg', 'empty='],
  );
  assert.equal(ran.output, `TaskCreated it's "=" \n--x it's "=" \n--x\n`);
});

test('--arg without --jq, and an invalid --arg', async () => {
  const alone = await wm(2, '--arg', 'a=b');
  assert.match(alone.errors, /^wm: --arg needs --jq\n/);
  for (const assignment of ['canary', '=canary', '1a=canary', 'a b=canary']) {
    const ran = await wm(2, '--jq', '.', '--arg', assignment);
    assert.equal(
      JSON.parse(ran.errors).error.message,
      '--arg: a value is not of the form NAME=VALUE, where NAME has letters, digits and _',
    );
  }
  const unknown = await wm(2, '--jq', '$other', '--arg', 'a=b');
  assert.match(unknown.errors, /\$other is not defined/);
});

for (const [filter, name] of [
  ['$ENV.HOME', '$ENV'],
  ['.[] | select(.name == $ENV.X)', '$ENV'],
  ['env.HOME', 'env'],
  ['env', 'env'],
  ['.[0] | env["HOME"]', 'env'],
  ['"\\(env.HOME)"', 'env'],
  ['"\\("a" + $ENV.HOME)"', '$ENV'],
  ['[1, (env | .HOME)]', 'env'],
  ['# remark\nenv.HOME', 'env'],
] as const)
  test(`the filter ${filter} reads the environment: an early error names the variable`, async () => {
    const ran = await wm(2, '--jq', filter);
    assert.equal(ran.output, '');
    assert.deepEqual(JSON.parse(ran.errors).error, {
      code: 'usage',
      message: `--jq: ${name} is empty: a filter gets no environment variables`,
      hint: 'Give it a value with --arg NAME=VALUE, and write $NAME in the filter.',
    });
  });

test('a filter that only contains the words does not read the environment', async () => {
  const filters = [
    '"$ENV env"',
    '"\\(1) env $ENV" # env $ENV\n',
    '{env: 1}.env',
    '{"env": 1} | {env}.env',
    'def env: 1; env',
    '.[0].env',
    '"a" as $env | $env',
    '"(" | ltrimstr("\\"env")',
  ];
  const ran = await wm(0, '--jq', filters.map((filter) => `(${filter})`).join(', '));
  assert.equal(ran.output, '$ENV env\n1 env $ENV\n1\n1\n1\nnull\na\n(\n');
});
