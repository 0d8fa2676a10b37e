// Which flags count as typed by the tests: those of the command that ran, in each of their forms; and a run that typed none fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUntypedFlags, flagsToType } from '../../scripts/testing/typed-flags.mjs';

const flag = (flag: string, type = 'boolean', usage = flag) => ({ flag, type, usage });
const described = {
  commands: [
    { command: 'wm task', flags: [] },
    { command: 'wm task list', flags: [flag('--sort', 'text'), flag('--long'), flag('--follow')] },
    { command: 'wm api', flags: [flag('--field', 'text', '-F, --field KEY=VALUE'), flag('--include')] },
    { command: 'wm webhook list', flags: [flag('--sort', 'text')] },
    { command: 'wm webhook sink', flags: [flag('--replicas', 'integer')] },
  ],
  commonFlags: [flag('--profile', 'text'), flag('--quiet', 'boolean', '-q, --quiet')],
  requestFlags: [flag('--curl')],
};

function untyped(line: string, file = 'test/tasks/list.test.ts'): readonly string[] {
  const isToType = flagsToType({ suite: 'quick', isWhole: true, wanted: [] });
  assert.ok(isToType);
  const missing = findUntypedFlags(described, [{ file, commandLines: [line.split(' ')] }], isToType);
  return missing.map((one) => one.replace('wm ', ''));
}

const all = [
  ...['task list --sort', 'task list --long', 'task list --follow'],
  ...['api --field', 'api --include', 'webhook list --sort'],
];

for (const [line, typed] of [
  ['task list --sort title', ['task list --sort']],
  ['--profile work task list -q --sort=title --long', ['task list --sort', 'task list --long']],
  ['task list --no-follow', ['task list --follow']],
  ['api GET /account -qF a=b', ['api --field']],
  // A value is not a flag, nor is what follows --, nor what help is asked of.
  ['task list --sort --long', ['task list --sort']],
  ['task list -- --long', []],
  ['task list --long --help', []],
  ['task --long', []],
] as const)
  test(`wm ${line} types ${typed.join(', ') || 'nothing'}`, () => {
    assert.deepEqual(
      untyped(line),
      all.filter((one) => !typed.some((own) => own === one)),
    );
  });

test('a sweep over all commands does not count as typing a flag', () => {
  for (const file of ['every-command.test.ts', 'boolean-flags.test.ts', 'examples.test.ts'])
    assert.deepEqual(untyped('task list --long', `test/app/${file}`), all);
});

test('checks the whole quick suite, and test/sink for flags that need servers; a part only for a named command', () => {
  const judged = (given: Partial<Parameters<typeof flagsToType>[0]>) => {
    const isToType = flagsToType({
      suite: 'quick',
      isWhole: false,
      wanted: [],
      command: undefined,
      ...given,
    });
    return isToType && findUntypedFlags(described, [], isToType);
  };
  assert.equal(judged({ isWhole: true })?.length, all.length);
  assert.equal(judged({ isWhole: true, suite: 'deep' }), undefined);
  assert.equal(judged({ wanted: ['test/tasks'] }), undefined);
  assert.deepEqual(judged({ wanted: ['test/sink'] }), ['wm webhook sink --replicas']);
  assert.deepEqual(judged({ command: 'webhook list' }), ['wm webhook list --sort']);
  assert.throws(() => judged({ command: 'webhook lost' }), /No command has such flags/);
});
