// The runner of the tests: files that share a process see nothing of each other, and every way to fail is reported.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { report, testEnded } from './run-report.ts';

test('files that share a process each have their own environment, folder and hooks', async (t) => {
  const { lines, ended, output, temporary } = await report(t, [
    `
    console.log('pid', process.pid);
    process.env.LEFT = 'behind';
    delete process.env.PATH;
    writeFileSync(tmpdir() + '/left', '');
    process.chdir(tmpdir());
    beforeEach(() => console.log('hook'));
    after(() => console.log('after'));
    test('first', () => console.log('first'));`,
    `
    console.log('pid', process.pid);
    test('second', () => {
      assert.equal(process.env.LEFT, undefined);
      assert.notEqual(process.env.PATH, undefined);
      assert.deepEqual(readdirSync(tmpdir()), []);
      assert.equal(process.cwd(), ${JSON.stringify(process.cwd())});
      console.log('second');
    });`,
  ]);
  assert.deepEqual(lines, ['0: first: passed', '1: second: passed']);
  assert.deepEqual(ended, ['0', '1']);
  const [pid, hook, first, after, samePid, second] = output.trim().split('\n');
  assert.deepEqual([hook, first, after, second], ['hook', 'first', 'after', 'second']);
  assert.equal(pid, samePid);
  assert.ok(existsSync(temporary));
});

test('each test that fails is reported once, with its parents and its error', async (t) => {
  const { lines, ended } = await report(t, [
    `
    test('is fine', () => {});
    test('is skipped', { skip: 'for a reason' }, () => {});
    test('fails', () => { throw new Error('first'); });
    describe('outer', () => void test('inner', () => { throw new Error('second'); }));
    test('compares', () => assert.deepEqual({ run() {} }, { kind: 'other' }));`,
    "throw new Error('at once');",
    `
    before(() => { throw new Error('in a hook'); });
    test('never runs', () => {});`,
    '',
    "test('is fine', () => {});",
  ]);
  assert.deepEqual(lines.slice(0, 4), [
    '0: is fine: passed',
    '0: is skipped: skipped: for a reason',
    '0: fails: Error: first',
    '0: outer > inner: Error: second',
  ]);
  assert.match(lines[4] ?? '', /^0: compares: AssertionError .*Expected values to be/);
  assert.equal(lines[5], '1: the file loads: Error: at once');
  assert.ok(lines.includes('2: its hooks: Error: in a hook'), lines.join('\n'));
  assert.deepEqual(lines.slice(-2), ['3: the file: it has no test', '4: is fine: passed']);
  assert.deepEqual(ended, ['0', '1', '2', '3', '4']);
});

test('with a pattern, only tests whose names match it run', async (t) => {
  const { lines, ended } = await report(
    t,
    [
      "test('first', () => {});\ndescribe('outer', () => void test('second', () => {}));",
      "test('third', () => {});",
    ],
    'outer > s',
  );
  assert.deepEqual(lines, ['0: outer > second: passed']);
  assert.deepEqual(ended, ['0', '1']);
});

for (const { how, body, named } of [
  {
    how: 'waits for what never comes',
    body: "test('hangs', () => new Promise(() => process.stdin.resume() && writeSync(1, 'expire')));",
    named: 'hangs',
  },
  {
    how: 'is an endless loop inside another',
    body: "describe('outer', () => void test('inner', () => { writeSync(1, 'expire'); for (;;); }));",
    named: 'outer > inner',
  },
])
  testEnded(how, body, named);

test('a file that exits its process fails, and the files after it still run', async (t) => {
  const { lines } = await report(t, [
    "test('exits', () => process.exit(0));",
    "test('is killed at once', () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); });",
    "test('is fine', () => {});",
  ]);
  assert.deepEqual(lines, [
    '0: exits: the process ended with 0',
    '1: is killed at once: the process ended with SIGKILL',
    '2: is fine: passed',
  ]);
});

test('an error after its test has ended fails the test that is running then, or the file', async (t) => {
  const { lines } = await report(t, [
    `
    const throwLater = () => void setImmediate(() => { throw new Error('late'); });
    test('ends', throwLater);
    test('waits', () => new Promise(() => {}));
    test('ends too', throwLater);
    after(() => new Promise(setImmediate));`,
    "test('is fine', () => {});",
  ]);
  assert.deepEqual(lines, [
    '0: ends: passed',
    '0: waits: Error: late',
    '0: ends too: passed',
    '0: the file: Error: late',
    '1: is fine: passed',
  ]);
});
