// Words that are no command and flags that no command has: what may have been meant is named, as a line that works, and
// what may be a secret is not shown again.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { joinWithOr } from '#contract/format-list.ts';
import { run } from '#test/support/program/program.ts';
import { version } from '#version.ts';
import { createWorld } from '#world/create-world.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };
const wm = (...typed: string[]) => run(typed, { environment });

const meant: readonly [typed: string, meant: string][] = [
  ['whoam', 'wm whoami'],
  ['tsk', 'wm task'],
  ['webhok list', 'wm webhook'],
  ['webhook resum', 'wm webhook resume'],
  ['webhook pase', 'wm webhook pause'],
  ['help webhook resum', 'wm webhook resume'],
  ['webhook help resum', 'wm webhook resume'],
  ['emulator emmit', 'wm emulator emit'],
  ['emulator make_tasks', 'wm emulator make-tasks'],
  ['auth Status', 'wm auth status'],
  // In a group, and the group was forgotten.
  ['resume', 'wm webhook resume'],
  ['rm', 'wm webhook delete'],
  ['update IEAAA', 'wm task update'],
  ['webhook undoo', 'wm webhook undo'],
  ['webhook status', 'wm webhook get'],
  ['webhook retry X', 'wm webhook replay'],
];

for (const [typed, line] of meant) {
  test(`wm ${typed}: suggests ${line}, which exists`, async () => {
    const ran = await wm(...typed.split(' '));
    assert.equal(ran.status, 2, ran.output);
    assert.ok(ran.errors.endsWith(`  Did you mean ${line}?\n`), ran.errors);
    const help = await wm(...line.split(' ').slice(1), '--help');
    assert.equal(help.status, 0, help.errors);
  });
}

test('undo applies to tasks or webhooks; notes, labels and moves have their own commands', async () => {
  assert.match((await wm('undo')).errors, /Did you mean wm task undo or wm webhook undo\?/);
  assert.match((await wm('webhook', 'note')).errors, /suspend ID --note TEXT.*wm webhook label ID LABEL$/m);
  for (const words of [['move'], ['task', 'move'], ['webhook', 'move']])
    assert.match((await wm(...words)).errors, /To move a task: wm task update ID --add-parents FOLDER$/m);
});

test('suggests the command to finish a task, and says that wm does not delete tasks', async () => {
  for (const word of ['done', 'complete', 'close', 'finish'])
    assert.equal(
      (await wm('task', word, 'X')).errors,
      `wm: Unknown command 'wm task ${word}'\n  To finish a task: wm task update ID --status Completed\n`,
    );
  for (const word of ['delete', 'rm', 'remove'])
    assert.equal(
      (await wm('task', word, 'X')).errors,
      `wm: Unknown command 'wm task ${word}'\n  wm does not delete tasks. To cancel one: wm task update ID --status Cancelled\n`,
    );
  assert.doesNotMatch((await wm('folder', 'delete')).errors, /tasks/);
});

test('shows a boolean flag together with the value that it does not take', async () => {
  assert.equal((await wm('whoami', '-y=true')).errors, "wm: Unknown flag '-y=true'\n  See --help.\n");
});

test('lists every command that has the word', async () => {
  const { errors } = await wm('list');
  const lists = commands.map(({ words }) => words).filter((words) => words.endsWith(' list'));
  const line = joinWithOr(lists.map((words) => `wm ${words}`));
  assert.equal(errors, `wm: Unknown command 'list'\n  Did you mean ${line}?\n`);
});

test('wm ls: suggests the lists, tasks first, each once and by its main name', async () => {
  const { errors } = await wm('ls');
  const lists = commands.filter(({ alias }) => alias === 'ls').map(({ words }) => `wm ${words}`);
  assert.equal(lists[0], 'wm task list');
  assert.equal(errors, `wm: Unknown command 'ls'\n  Did you mean ${joinWithOr(lists)}?\n`);
});

for (const [typed, place] of [
  ['folder create X --space Studio', '--space'],
  ['task create X --space=Studio', '--space'],
  ['task create X --project Studio', '--project'],
] as const) {
  test(`wm ${typed}: suggests --folder`, async () => {
    const ran = await wm(...typed.split(' '));
    assert.equal(ran.status, 2);
    assert.equal(
      ran.errors,
      `wm: Unknown flag '${place}'\n  Give it with --folder, which takes a folder, a project or a space.\n`,
    );
  });
}

for (const [typed, flag, meantFlag] of [
  ['whoami --jsno', '--jsno', '--json'],
  ['whoami --no-inptu', '--no-inptu', '--no-input'],
  ['whoami --hlp', '--hlp', '--help'],
  ['--jsno', '--jsno', '--json'],
  ['webhook --qiet', '--qiet', '--quiet'],
  ['task update A --addParents B', '--addParents', '--add-parents'],
  ['task update A --no-folow', '--no-folow', '--no-follow'],
  ['task update A --stauts=Active', '--stauts', '--status'],
  // A list and a creation have different names for it: only the s is wrong.
  ['task create A --folder B --responsible @me', '--responsible', '--responsibles'],
  ['task list --responsibles @me', '--responsibles', '--responsible'],
] as const) {
  test(`wm ${typed}`, async () => {
    const ran = await wm(...typed.split(' '));
    assert.equal(ran.status, 2);
    assert.equal(ran.errors, `wm: Unknown flag '${flag}'\n  Did you mean ${meantFlag}?\n`);
  });
}

test('help and version also work as words', async () => {
  const page = async (...typed: string[]) => {
    const ran = await wm(...typed);
    assert.equal(ran.status, 0, ran.errors);
    return ran.output;
  };
  for (const typed of [['version'], ['-v']]) assert.equal(await page(...typed), `${version}\n`);
  for (const word of ['version', '--version']) {
    const described = JSON.parse(await page(word, '--json'));
    const installation = { installation: 'clone', path: resolve('bin/wm.js') };
    const node = process.version.slice(1);
    assert.deepEqual(described, { version, ...installation, node, platform: process.platform });
  }
  assert.equal(await page('task', 'help'), await page('task', '--help'));
  assert.equal(await page('task', 'help', 'update'), await page('task', 'update', '--help'));
  assert.equal(await page('help', 'task', 'update'), await page('task', 'update', '--help'));
  for (const word of ['help', 'version']) assert.equal(await page('help', word), await page('--help'));
  for (const flags of [['-q'], ['--no-color'], ['--profile', 'x']]) {
    assert.equal(await page(...flags, 'help', 'task', 'list'), await page('task', 'list', '--help'));
    assert.equal(await page('webhook', ...flags, 'help'), await page('webhook', '--help'));
    assert.equal(await page(...flags, 'help'), await page('--help'));
    assert.equal(await page(...flags, '--help', 'all'), await page('--help', 'all'));
    assert.equal(await page('--help', 'all', ...flags), await page('--help', 'all'));
  }
  for (const word of ['-help', '-hq', '-qh', '--help=true'])
    assert.equal(await page('task', 'update', word), await page('task', 'update', '--help'));
  for (const word of ['-Vq', '-qV', '--version=true'])
    assert.equal(await page('whoami', word), `${version}\n`);
  // With a command to run, -v shows its requests; alone, --verbose is what it says.
  assert.match(await page('--verbose'), /wm whoami/);
});

test('an id that begins with a dash: the hint says where to put it, and that works', async () => {
  for (const [typed, id] of [
    [['-abc'], '-abc'],
    [['-n5x', '--title', 'x'], '-n5x'],
  ] as const) {
    const ran = await wm('task', 'update', '--follow', ...typed);
    assert.equal(ran.status, 2);
    assert.ok(ran.errors.startsWith(`wm: Unknown flag '${id}'\n`), ran.errors);
    const last = /put it last: (-- .*)\n$/.exec(ran.errors)?.[1];
    assert.equal(last, `-- ${id}`);
    const sent = await wm('task', 'update', '--follow', '--dry-run', ...last.split(' '));
    assert.equal(sent.status, 0, sent.errors);
    assert.match(sent.output, new RegExp(`/tasks/${id}\\?follow=true\n`));
  }
});

for (const [typed, text, argument] of [
  [['task', 'comment', 'IEA1'], '- first', 'TEXT'],
  [['task', 'comment', 'IEA1', '--html'], '-5 degrees', 'TEXT'],
  [['task', 'comment', 'IEA1', '--timeout', '5'], '--- Draft ---', 'TEXT'],
  [['task', 'create', '--folder', 'IEAAAAAQI4AB5FLD'], '- first', 'TITLE'],
  [['task', 'update', '--follow', 'IEA1', 'IEA2'], '- a title', 'ID'],
] as const)
  test(`wm ${typed.join(' ')} '${text}': names the argument it may be, and where to put it`, async () => {
    const ran = await wm(...typed, text);
    assert.equal(ran.status, 2);
    assert.equal(
      ran.errors,
      `wm: Unknown flag '${text}'\n  See --help for the flags. If it is the ${argument}, put it last: -- '${text}'\n`,
    );
    const again = await wm(...typed, '--dry-run', '--', text);
    assert.doesNotMatch(again.errors, /Unknown flag|argument/);
  });

test('does not repeat a text with = that begins with a dash', async () => {
  const ran = await wm('task', 'comment', 'IEA1', '- token=canary');
  assert.equal(
    ran.errors,
    "wm: Unknown flag '- token'\n  See --help for the flags. If it is the TEXT, put it last: -- TEXT\n",
  );
});

test('does not repeat a possible secret', async () => {
  for (const typed of [
    ['login', '--with-token=canary'],
    ['login', '--token=canary'],
    ['login', '--pasword=canary'],
    ['whoami', 'canary'],
    ['auth', 'token', 'canary', 'canary'],
    ['webhook', 'create', 'https://example.com/', 'canary'],
  ]) {
    const ran = await wm(...typed);
    assert.equal(ran.status, 2, ran.output);
    assert.ok(!(ran.output + ran.errors).includes('canary'), ran.errors);
  }
});

for (const [typed, message] of [
  ['--limit 5 task list', 'Write: wm task list --limit 5'],
  ['--limit 1 task list', 'Write: wm task list --limit 1'],
  ['task --limit 5 list', 'Write: wm task list --limit 5'],
  ['--folder X --limit 5 task list', 'Write: wm task list --limit 5'],
  ['--token canary task list', 'wm takes no secret on the command line'],
  ['task list -n 5', '-n is --dry-run. To limit a list, write --limit N.'],
  ['task list —limit 5', 'Write two hyphens in place of the long dash: --limit'],
] as const)
  test(`suggests a correction: wm ${typed}`, async () => {
    const { status, errors } = await wm(...typed.split(' '));
    assert.equal(status, 2);
    assert.ok(errors.includes(message) && !/canary|--FLAG/.test(errors), errors);
  });

test('too many arguments: says how many the command takes, and which', async () => {
  const { errors } = await wm('webhook', 'create', 'a', 'b', 'c');
  assert.equal(
    errors,
    'wm: Too many arguments: 3 were given\n' +
      '  This command takes at most 1: URL. Quote values that contain spaces. See --help.\n',
  );
});

test('a flag without its value does not take -- as the value', async () => {
  const ran = await wm('task', 'update', 'A', '--title', '--', 'x');
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /^wm: --title needs a value, but -- follows it\n/);
});

test('an unknown short flag: does not repeat what follows it', async () => {
  for (const [typed, flag] of [
    ['-x=canary', '-x'],
    ['-qx', '-qx'],
  ] as const) {
    const { status, errors } = await wm('webhook', 'list', typed);
    assert.equal(status, 2, errors);
    assert.equal(errors, `wm: Unknown flag '${flag}'\n  See --help.\n`);
  }
});

test('does not take a number after known letters for an argument', async () => {
  const { status, errors } = await wm('folder', 'create', '--folder', 'IEA1', '--dry-run', '-q5');
  assert.equal(status, 2, errors);
  assert.match(errors, /^wm: Unknown flag '-q5'\n/);
});

test('reports a word between a group and its command as the unknown command', async () => {
  for (const word of ['-', '-5']) {
    const { status, errors } = await wm('folder', word, 'list');
    assert.equal(status, 2, errors);
    assert.equal(errors, `wm: Unknown command 'wm folder ${word}'\n  See: wm folder --help\n`);
  }
  assert.match((await wm('-5')).errors, /^wm: Unknown command '-5'\n/);
});

test('common boolean flags combined in one argument between a group and its command', async () => {
  const { status, errors } = await wm('webhook', '-nq', 'list');
  assert.equal(status, 0, errors);
});

test('-- between a group and its command has no effect', async () => {
  const plain = await wm('webhook', 'events', '--quiet');
  for (const typed of [
    ['webhook', '--', 'events'],
    ['--quiet', 'webhook', '--', 'events'],
    ['webhook', '--quiet', '--', 'events'],
  ]) {
    const ran = await wm(...typed);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.output, plain.output);
  }
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
