// Under npx, which puts `wm` on no PATH, every command is printed as the user has to type it. Data are not touched.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { execWith } from '#test/emulator/commands/in-process.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { createWorld } from '#world/create-world.ts';
import { processOf, startInside } from './processes.ts';

const npx = { npm_lifecycle_event: 'npx' };

for (const [words, stream] of [
  [[], 'output'],
  [['--help'], 'output'],
  [['webhook', 'suspend', '--help'], 'output'],
  [['help', 'webhooks'], 'output'],
  [['bogus'], 'errors'],
  [['whoami'], 'errors'],
  [['whoami', '--json'], 'errors'],
] as const)
  test(`wm ${words.join(' ')} names commands as npx wm`, async () => {
    const plain = await run(words);
    const typed = await run(words, { exit: plain.status, environment: npx });
    const names = (plain[stream] ?? '').match(/\bwm (?=[a-z]+\b|--help|COMMAND)/g) ?? [];
    assert.ok(names.length > 0);
    assert.equal((typed[stream] ?? '').replaceAll('npx wm ', 'wm '), plain[stream]);
    assert.doesNotMatch(typed[stream] ?? '', /(?<!npx )\bwm (?:login|demo|webhook|task|emulator|--help)\b/);
  });

test('with npx, the demo shows its commands and the next one as npx wm', async () => {
  const world = { process: processOf(startInside) };
  const { PATH } = process.env;
  const { output } = await run(['demo'], { exit: 0, environment: { PATH, ...npx }, world });
  assert.match(output, /\$ npx wm task update /);
  assert.match(output, /Next: `npx wm emulator exec -- \w+`/);
  assert.doesNotMatch(output, /(?<!npx )\bwm (?:task|webhook|emulator|login)\b/);
});

test('exec: the command finds wm on its PATH, and that wm prints commands without npx', async () => {
  const { streams } = createWorld();
  const input = { ...streams.input, isTerminal: true };
  const printed: string[] = [];
  const errors = { ...streams.errors, write: async (text: string) => void printed.push(String(text)) };
  const { status } = await execWith(
    ['--', 'sh'],
    async (environment) => {
      assert.equal(environment['npm_lifecycle_event'], undefined);
      const { errors } = await run(['bogus'], { environment });
      assert.match(errors, /See: wm --help/);
      return 0;
    },
    { streams: { input, output: errors, errors } },
    npx,
  );
  assert.equal(status, 0);
  assert.match(printed.join(''), /^ {2}wm webhook list$/m);
});

test('prints records unchanged', async (context) => {
  const { environment } = await setStage(context);
  const title = 'Run wm task list';
  await run(['task', 'update', 'IEAAAAAQKQAB5BNG', '--title', title], { environment });
  for (const flags of [[], ['--json'], ['--jq', '.[].title']]) {
    const { output } = await run(['task', 'list', ...flags], { environment: { ...environment, ...npx } });
    assert.match(output, new RegExp(title));
  }
});

test('does not print npx for a package that npx fetched', async (context) => {
  const folder = await ownFolder(context);
  const fetched = join(folder, '_npx', 'node_modules', 'wm-cli');
  await mkdir(fetched, { recursive: true });
  await writeFile(join(fetched, 'wm.js'), '');
  const { process } = createWorld();
  const self = [globalThis.process.execPath, join(fetched, 'wm.js')] as const;
  const { errors } = await run(['bogus'], { environment: npx, world: { process: { ...process, self } } });
  assert.match(errors, /See: wm --help/);
});
