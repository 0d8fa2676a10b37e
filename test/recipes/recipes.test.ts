// npm run recipes: follows the recipes of src/README.md in a copy of the project. With every step the checks hold, and
// what was made up works from the command line on; with any one step left out, a check fails: here, or in types.test.ts beside it.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { allChecks } from './checks.ts';
import { copyProject } from './copy.ts';
import { testWithoutEachStep } from './one-step-short.ts';

const copy = await copyProject();
after(() => copy.remove());

test('the checks pass with every step of every recipe', async () => {
  await copy.follow();
  for (const check of allChecks) {
    const { status, output } = await copy.check(check);
    assert.equal(status, 0, `${check}\n${output}`);
  }
});

const script = `
set -eu
t=${sample.task}
shows() { wm task get $t --json | grep -o '"key":"madeUp","value":"[^"]*"' || echo 'nothing made up'; }
wm task update --help all | grep -e --made-up
wm task update $t --made-up 'a b' --undoable --quiet
shows
wm task undo $t --yes --quiet
shows
printf 'id,madeUp\\n%s,from a file\\n' $t | wm task update --from - --yes --quiet
shows
wm webhook events | grep -o TaskMadeUp
wm made-up
wm made-up --fail || echo "exit $?"
`;

test('the invented parts work, starting from the command line', async () => {
  await copy.follow();
  assert.equal((await copy.run(process.execPath, 'scripts/build.mjs')).status, 0);
  const wm = [process.execPath, 'bin/wm.js'] as const;
  const { status, output } = await copy.run(...wm, 'emulator', 'exec', '--', 'sh', '-c', script);
  assert.equal(status, 0, output);
  const lines = output.split('\n').filter((line) => line !== '' && !line.includes(sample.task));
  assert.deepEqual(lines.slice(1), [
    '"key":"madeUp","value":"a b"',
    'nothing made up',
    '"key":"madeUp","value":"from a file"',
    'TaskMadeUp',
    'made up',
    'wm: It was made up',
    'exit 11',
  ]);
  assert.match(lines[0] ?? '', /^ +--made-up METADATA-VALUE +Set the made-up text$/);
});

testWithoutEachStep(copy, (check) => check !== 'types');
