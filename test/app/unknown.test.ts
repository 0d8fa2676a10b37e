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
const wm = (typed: string | readonly string[], status = 0) =>
  run(typeof typed === 'string' ? typed.split(' ') : typed, { exit: status, environment });

/** What is typed, and the commands that may be meant. */
const meantCommands: readonly (readonly [typed: string, ...meant: readonly string[]])[] = [
  ['whoam', 'whoami'],
  ['tsk', 'task'],
  ['webhok list', 'webhook'],
  ['webhook resum', 'webhook resume'],
  ['webhook pase', 'webhook pause'],
  ['help webhook resum', 'webhook resume'],
  ['webhook help resum', 'webhook resume'],
  ['emulator emmit', 'emulator emit'],
  ['emulator make_tasks', 'emulator make-tasks'],
  ['auth Status', 'auth status'],
  // In a group, and the group was forgotten.
  ['resume', 'webhook resume'],
  ['rm', 'webhook delete'],
  ['update IEAAA', 'task update'],
  ['webhook undoo', 'webhook undo'],
  ['webhook status', 'webhook get'],
  ['webhook retry X', 'webhook replay'],
  // Words that people know from elsewhere.
  ['webhook unpause', 'webhook resume'],
  ['webhook enable', 'webhook resume'],
  ['webhook stop', 'webhook suspend'],
  ['webhook disable', 'webhook suspend'],
  ['webhook Stop IEAAAAAQJAAAAAAB --yes', 'webhook suspend'],
  ['webhook test', 'webhook verify', 'webhook trigger'],
  ['webhook add', 'webhook create'],
  ['webhook show', 'webhook get'],
  ['auth login', 'login'],
  ['auth login --profile work', 'login'],
  ['auth logout', 'logout'],
  ['auth whoami', 'whoami'],
  ['task show', 'task get'],
  ['task view IEAAAAAQKQAB5BNG', 'task get'],
  ['task edit', 'task update'],
  ['task assign', 'task update'],
  ['task search', 'task list'],
  ['task find launch', 'task list'],
  ['task add', 'task create'],
  ['task new', 'task create'],
  ['user list', 'contact list'],
  ['users', 'contact list'],
  ['project list', 'folder list'],
  ['project', 'folder list'],
  ['project create', 'folder create'],
  ['me', 'whoami'],
  ['sign-in', 'login'],
];

for (const [typed, ...meant] of meantCommands) {
  test(`wm ${typed}: suggests ${meant.join(' or ')}, which exists`, async () => {
    const { output, errors } = await wm(typed, 2);
    assert.equal(output, '');
    assert.ok(
      errors.endsWith(`  Did you mean ${meant.map((words) => `wm ${words}`).join(' or ')}?\n`),
      errors,
    );
    for (const words of meant) {
      const help = await wm(`${words} --help`);
      assert.match(help.output, /^Usage: wm /);
    }
  });
}

test('undo applies to tasks or webhooks; notes, labels and moves have their own commands', async () => {
  assert.match((await wm('undo', 2)).errors, /Did you mean wm task undo or wm webhook undo\?/);
  assert.match((await wm('webhook note', 2)).errors, /suspend ID --note TEXT.*wm webhook label ID LABEL$/m);
  for (const words of ['move', 'task move', 'webhook move'])
    assert.match((await wm(words, 2)).errors, /To move a task: wm task update ID --add-parents FOLDER$/m);
});

for (const [words, hint] of [
  ['done complete close finish', 'To finish a task: wm task update ID --status Completed'],
  ['delete rm remove', 'wm does not delete tasks. To cancel one: wm task update ID --status Cancelled'],
] as const)
  test(`wm task ${words.replaceAll(' ', ', ')}: ${hint}`, async () => {
    for (const word of words.split(' '))
      assert.equal(
        (await wm(`task ${word} X`, 2)).errors,
        `wm: Unknown command 'wm task ${word}'\n  ${hint}\n`,
      );
    assert.doesNotMatch((await wm('folder delete', 2)).errors, /tasks/);
  });

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

const place = 'Give it with --folder, which takes a folder, a project or a space.';
const meantFlags: readonly (readonly [typed: string, flag: string, hint: string])[] = [
  ['folder create X --space Studio', '--space', place],
  ['task create X --space=Studio', '--space', place],
  ['task create X --project Studio', '--project', place],
  ['whoami -y=true', '-y=true', 'See --help.'],
  ['webhook list -x=canary', '-x', 'See --help.'],
  ['webhook list -qx', '-qx', 'See --help.'],
  // A number after known letters is not an argument.
  [
    'folder create --folder IEA1 --dry-run -q5',
    '-q5',
    'See --help for the flags. If it is the TITLE, put it last: -- -q5',
  ],
  ['whoami --jsno', '--jsno', 'Did you mean --json?'],
  ['whoami --no-inptu', '--no-inptu', 'Did you mean --no-input?'],
  ['whoami --hlp', '--hlp', 'Did you mean --help?'],
  ['task update A --addParents B', '--addParents', 'Did you mean --add-parents?'],
  ['task update A --no-folow', '--no-folow', 'Did you mean --no-follow?'],
  ['task update A --stauts=Active', '--stauts', 'Did you mean --status?'],
  // A list and a creation have different names for it: only the s is wrong.
  ['task create A --folder B --responsible @me', '--responsible', 'Did you mean --responsibles?'],
  ['task list --responsibles @me', '--responsibles', 'Did you mean --responsible?'],
  // Words that people know from elsewhere.
  ['task update A --assignee @me', '--assignee', 'Did you mean --add-responsibles?'],
  ['task update A --assigned-to @me', '--assigned-to', 'Did you mean --add-responsibles?'],
  ['task update A --unassign @me', '--unassign', 'Did you mean --remove-responsibles?'],
  ['task update A --state Active', '--state', 'Did you mean --status?'],
  ['task update A --priority High', '--priority', 'Did you mean --importance?'],
  ['task update A --deadline 2026-12-01', '--deadline', 'Did you mean --due?'],
  ['task update A --name x', '--name', 'Did you mean --title?'],
  ['task update A --body x', '--body', 'Did you mean --description?'],
  ['task update A --folder x', '--folder', 'Did you mean --add-parents?'],
  ['task update --file x', '--file', 'Did you mean --from?'],
  ['task update A --force', '--force', 'Did you mean --yes?'],
  ['task update A --note x', '--note', 'To comment on a task: wm task comment ID TEXT'],
  ['task update A --comment=x', '--comment', 'To comment on a task: wm task comment ID TEXT'],
  ['task update A --attach x', '--attach', 'To attach a file: wm task attach ID FILE'],
  ['task update A --done', '--done', 'To finish a task: wm task update ID --status Completed'],
  ['task create x --assignee @me', '--assignee', 'Did you mean --responsibles?'],
  ['task create --title x', '--title', 'Did you mean the argument TITLE, without a flag?'],
  ['task create --name x', '--name', 'Did you mean the argument TITLE, without a flag?'],
  ['task comment A --text x', '--text', 'Did you mean the argument TEXT, without a flag?'],
  ['task list --assignee @me', '--assignee', 'Did you mean --responsible?'],
  ['task list --search x', '--search', 'Did you mean --title?'],
  ['task list --state Active', '--state', 'Did you mean --status?'],
  ['task list --project x', '--project', 'Did you mean --folder?'],
  ['task list --order-by due', '--order-by', 'Did you mean --sort?'],
  ['task list --since x', '--since', 'Did you mean --updated-since?'],
  ['task list --output json', '--output', 'Did you mean --json?'],
  ['task list --max 5', '--max', 'Did you mean --limit?'],
  ['task get A --open', '--open', 'Did you mean --web?'],
  ['folder list --name x', '--name', 'Did you mean --title?'],
  ['timelog add A --note x', '--note', 'Did you mean --comment?'],
  ['timelog add A --time 2', '--time', 'Did you mean --hours?'],
  ['webhook list --state Active', '--state', 'Did you mean --status?'],
  ['webhook list --endpoint x', '--endpoint', 'Did you mean --url?'],
  ['webhook create x --event-type y', '--event-type', 'Did you mean --events?'],
  [
    'webhook create x --note y',
    '--note',
    'Only a suspension takes a note: wm webhook suspend ID --note TEXT',
  ],
  ['webhook delete A --force', '--force', 'Did you mean --yes?'],
  ['whoami --account x', '--account', 'Did you mean --profile?'],
];

for (const [typed, flag, hint] of meantFlags) {
  test(`wm ${typed}: ${hint}`, async () => {
    const { output, errors } = await wm(typed, 2);
    assert.equal(output, '');
    assert.equal(errors, `wm: Unknown flag '${flag}'\n  ${hint}\n`);
    const [, suggested = ''] = /mean (--[a-z-]+)\?/.exec(hint) ?? [];
    const [words = ''] = /^[a-z]+(?: [a-z]+)?/.exec(typed) ?? [];
    const help = await wm(`${words} --help all`.trim());
    assert.ok(help.output.replaceAll('[no-]', 'no-').includes(suggested), help.output);
  });
}

for (const [typed, meant] of [
  ['task update A --status Done', 'Completed'],
  ['task update A --status closed', 'Completed'],
  ['task update A --status in-progress', 'Active'],
  ['task update A --status on_hold', 'Deferred'],
  ['task update A --importance urgent', 'High'],
  ['task update A --importance Medium', 'Normal'],
  ['webhook list --status paused', 'Suspended'],
  ['webhook list --status enabled', 'Active'],
] as const) {
  test(`wm ${typed}: did you mean ${meant}?`, async () => {
    assert.ok((await wm(typed, 2)).errors.endsWith(`; did you mean ${meant}?\n`));
  });
}

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

test('an id that begins with a dash: the hint says where to put it, and that works', async () => {
  for (const [typed, id] of [
    ['-abc', '-abc'],
    ['-n5x --title x', '-n5x'],
  ] as const) {
    const { errors } = await wm(`task update --follow ${typed}`, 2);
    assert.ok(errors.startsWith(`wm: Unknown flag '${id}'\n`), errors);
    assert.ok(errors.endsWith(`put it last: -- ${id}\n`), errors);
    const sent = await wm(`task update --follow --dry-run -- ${id}`);
    assert.match(sent.output, new RegExp(`/tasks/${id}\\?follow=true\n`));
  }
});

for (const [typed, text, argument] of [
  ['task comment IEA1', '- first', 'TEXT'],
  ['task comment IEA1 --html', '-5 degrees', 'TEXT'],
  ['task comment IEA1 --timeout 5', '--- Draft ---', 'TEXT'],
  ['task create --folder IEAAAAAQI4AB5FLD', '- first', 'TITLE'],
  ['task update --follow IEA1 IEA2', '- a title', 'ID'],
] as const)
  test(`wm ${typed} '${text}': names the argument it may be, and where to put it`, async () => {
    const { errors } = await wm([...typed.split(' '), text], 2);
    const hint = `See --help for the flags. If it is the ${argument}, put it last: -- '${text}'`;
    assert.equal(errors, `wm: Unknown flag '${text}'\n  ${hint}\n`);
    const again = await run([...typed.split(' '), '--dry-run', '--', text], { environment });
    assert.doesNotMatch(again.errors, /Unknown flag|argument/);
  });

test('does not repeat a possible secret', async () => {
  const { errors } = await wm(['task', 'comment', 'IEA1', '- token=canary'], 2);
  const hint = 'See --help for the flags. If it is the TEXT, put it last: -- TEXT';
  assert.equal(errors, `wm: Unknown flag '- token'\n  ${hint}\n`);
  for (const typed of [
    'login --with-token=canary',
    'login --token=canary',
    'login --pasword=canary',
    'whoami canary',
    'auth token canary canary',
    'webhook create https://example.com/ canary',
  ]) {
    const ran = await wm(typed, 2);
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
  [
    'webhook create a b c',
    'wm: Too many arguments: 3 were given\n  This command takes at most 1: URL. Quote values that contain spaces. See --help.\n',
  ],
  ['task update A --title -- x', 'wm: --title needs a value, but -- follows it\n'],
  ['folder - list', "wm: Unknown command 'wm folder -'\n  See: wm folder --help\n"],
  ['folder -5 list', "wm: Unknown command 'wm folder -5'\n  See: wm folder --help\n"],
  ['-5', "wm: Unknown command '-5'\n"],
  ['--jsno', "wm: Unknown flag '--jsno'\n  Did you mean --json?\n"],
  ['webhook --qiet', "wm: Unknown flag '--qiet'\n  Did you mean --quiet?\n"],
] as const)
  test(`suggests a correction: wm ${typed}`, async () => {
    const { errors } = await wm(typed, 2);
    assert.ok(errors.includes(message) && !/canary|--FLAG/.test(errors), errors);
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
