// Words in place of a command: list and ls, help and version, and what may stand between a group and its command.
// test/transcript/unknown-words.txt has words that mean nothing.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { run } from '#test/support/program/program.ts';
import { version } from '#version.ts';
import { createWorld } from '#world/create-world.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const wm = (typed: string | readonly string[], status = 0) =>
  run(typeof typed === 'string' ? typed.split(' ') : typed, { exit: status, environment });

test('lists every command that has the word', async () => {
  const lists = commands.map(({ words }) => words).filter((words) => words.endsWith(' list'));
  const line = joinWithOr(lists.map((words) => `wm ${words}`));
  assert.equal((await wm('list', 2)).errors, `wm: Unknown command 'list'\n  Did you mean ${line}?\n`);
});

test('wm ls: suggests the lists, tasks first, each once and by its main name', async () => {
  const lists = commands.filter(({ alias }) => alias === 'ls').map(({ words }) => `wm ${words}`);
  assert.equal(lists[0], 'wm task list');
  const { errors } = await wm('ls', 2);
  assert.equal(errors, `wm: Unknown command 'ls'\n  Did you mean ${joinWithOr(lists)}?\n`);
});

test('help and version also work as words', async () => {
  const page = async (typed: string) => (await wm(typed)).output;
  for (const typed of ['version', '-v', 'whoami -Vq', 'whoami -qV', 'whoami --version=true'])
    assert.equal(await page(typed), `${version}\n`);
  for (const word of ['version', '--version']) {
    const installation = { installation: 'clone', path: resolve('bin/wm.js') };
    const node = process.version.slice(1);
    const expected = { version, ...installation, node, platform: process.platform };
    assert.deepEqual(JSON.parse(await page(`${word} --json`)), expected);
  }
  for (const [typed, same] of [
    ['task help', 'task --help'],
    ['task help update', 'task update --help'],
    ['help task update', 'task update --help'],
    ['help help', '--help'],
    ['help version', '--help'],
    ['task update -help', 'task update --help'],
    ['task update -hq', 'task update --help'],
    ['task update -qh', 'task update --help'],
    ['task update --help=true', 'task update --help'],
    ...['-q', '--no-color', '--profile x'].flatMap((flags) => [
      [`${flags} help task list`, 'task list --help'] as const,
      [`webhook ${flags} help`, 'webhook --help'] as const,
      [`${flags} help`, '--help'] as const,
      [`${flags} --help all`, '--help all'] as const,
      [`--help all ${flags}`, '--help all'] as const,
    ]),
  ] as const)
    assert.equal(await page(typed), await page(same), typed);
  // With a command to run, -v shows its requests; alone, --verbose is what it says.
  assert.match(await page('--verbose'), /wm whoami/);
});

test('between a group and its command: boolean flags in one argument, and -- without an effect', async () => {
  await wm('webhook -nq list');
  const plain = await wm('webhook events --quiet');
  for (const typed of ['webhook -- events', '--quiet webhook -- events', 'webhook --quiet -- events'])
    assert.equal((await wm(typed)).output, plain.output);
});

test('the version includes how wm was installed', async () => {
  const { files, process } = createWorld();
  for (const [installation, self] of [
    ['deb', ['/usr/bin/wm']],
    ['executable', ['/usr/local/bin/wm']],
    ['npm', ['node', '/srv/node_modules/wm-cli/bin/wm.js']],
    ['npm', ['node.exe', 'C:\\work\\node_modules\\wm-cli\\bin\\wm.js']],
    ['clone', ['node', '/srv/wm/bin/wm.js']],
  ] as const) {
    const world = {
      process: { ...process, self },
      files: { ...files, realPath: async (path: string) => path },
    };
    const { output } = await run(['version', '--json'], { environment, world });
    const described = JSON.parse(output);
    assert.deepEqual([described.installation, described.path], [installation, self.at(-1)]);
  }
});
