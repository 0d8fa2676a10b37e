// What `wm __complete` prints, for lines that are not worth a pseudo-terminal each.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { splitLine } from '#app/complete/complete.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { setStage } from '#test/support/terminal/stage.ts';

async function linesOf(...typed: string[]): Promise<string[]> {
  const { status, output, errors } = await run(['__complete', ...typed]);
  assert.deepEqual([status, errors], [0, '']);
  return output.split('\n').slice(0, -1);
}
/** A line, split at its spaces; the last word is completed. Which words are offered, behind the kind. */
const offered = async (line: string) => {
  const words = line.split(' ');
  return (await linesOf('fish', words.pop() ?? '', 'wm', ...words)).map((shown) => shown.split('\t')[0]);
};

/** What is offered, and nothing else; all words unless another kind is said. */
const exact: readonly (readonly [about: string, line: string, ...offered: string[]])[] = [
  ['a command or an alias', 'webhook l', 'list', 'ls', 'listen', 'log', 'label'],
  ['a command', 'hel', 'help'],
  ['a command of a group', 'auth ref', 'refresh'],
  ['a topic', 'help exit', 'exit-codes'],
  ['nothing after an unknown word', 'nonsense '],
  ['nothing after an unknown word of a group', 'task nonsense '],
  ['nothing after another name, which belongs to its group', 'ls '],
  ['a flag', 'task update X --stat', '--status'],
  ['a flag only once', 'task update X --status Active --stat'],
  ['a flag behind an unknown one', '--nonsense task update --stat', '--status'],
  ['a list, which may be given again', 'webhook create --events all --events', '--events'],
  ['a negation', 'whoami --no-in', '--no-input'],
  ['a short form', 'whoami -y', '-y'],
  ['a flag of wm alone', '--vers', '--version'],
  ['no flag of wm alone in a group', 'task --vers'],
  ['the values of a switch', 'whoami --json=', '--json=true', '--json=false'],
  ['no value of an unknown flag', 'whoami --nonsense='],
  ['a choice, ignoring case', 'task update X --status COM', 'Completed'],
  ['all choices', 'task list --status ', 'Active', 'Deferred', 'Completed', 'Cancelled'],
  ['all events', 'webhook create --events all', 'all'],
  [
    'the last event of a list',
    'webhook create --events=comment,TaskCreated,comm',
    '--events=comment,TaskCreated,CommentAdded',
    '--events=comment,TaskCreated,CommentDeleted',
  ],
  ['an event', 'webhook trigger TaskDel', 'TaskDeleted'],
  ['a cause', 'emulator revoke password', 'password-reset', 'password-policy-changed'],
  ['oneself', 'task update X --add-responsibles @', '@me'],
  ['what separates a command', 'emulator exec ', '--'],
  ['the words of a nested wm', 'emulator exec -- wm who', 'whoami'],
  ['nothing behind --', 'doctor -- '],
  ['no value of a flag behind --, which is none', 'task list -- --status COM'],
];

for (const [about, line, ...words] of exact)
  test(`offers ${about}: wm ${line}`, async () => {
    assert.deepEqual(await offered(line), ['words', ...words]);
  });

test('offers files, also behind = and @', async () => {
  for (const [line, kind] of [
    ['task update --from ', 'files\t'],
    ['task update --from=t', 'files\t--from='],
    ['task update X --description @n', 'files\t@'],
    ['emulator exec -- ', 'files\t'],
  ] as const) {
    const words = line.split(' ');
    assert.deepEqual(await linesOf('fish', words.pop() ?? '', 'wm', ...words), [kind], line);
  }
});

test('offers these words among others, and not those', async () => {
  for (const [line, isOffered, ...words] of [
    ['', true, 'task', 'webhook', 'completion', 'doctor', 'help'],
    ['help ', false, 'help'],
    ['--help a', true, 'all'],
    ['help a', true, 'all'],
    ['task list --help a', true, 'all'],
    ['help webhook suspend a', true, 'all'],
    ['task get --', true, '--no-with-invitations'],
    ['task get --', false, '--no-json'],
    ['task get --no-', true, '--no-json'],
    ['whoami --help -', false, '--help'],
    // Where nothing else is left to say.
    ['whoami ', true, '--json'],
    ['webhook create --events=TaskCreated,comm', true, '--events=TaskCreated,comment'],
    ['emulator exec -', true, '--tls'],
  ] as const)
    for (const word of words)
      assert.equal((await offered(line)).includes(word), isOffered, `${line}: ${word}`);
});

test('profiles for --profile, and the records of that profile', async (context) => {
  const { environment, emulator } = await setStage(context, { signedOut: true });
  const wm = async (input: string, ...typed: string[]) => {
    const ran = await run(typed, { exit: 0, environment, input });
    return ran.output;
  };
  await wm(emulator.token, 'login', '--with-token', '--host', emulator.host, '--profile', 'work');
  const reply = () => wm('', '__complete', 'fish', 'wo', 'wm', 'whoami', '--profile');
  assert.match(await reply(), /^words\nwork\t.*127\.0\.0\.1/);
  await wm('', 'task', 'get', 'IEAAAAAQKQAB5BNG', '--profile', 'work');
  const tasks = () => wm('', '__complete', 'fish', 'launch', 'wm', '--profile', 'work', 'task', 'get');
  assert.match(await tasks(), /IEAAAAAQKQAB5BNG\tWrite/);
  // Each space is in both lists.
  await wm('', 'space', 'list', '--profile', 'work');
  await wm('', 'folder', 'list', '--profile', 'work');
  const list = ['--profile', 'work', 'task', 'list', '--folder'];
  const places = await wm('', '__complete', 'fish', '', 'wm', ...list);
  const ids = places
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split('\t')[0]);
  assert.ok(ids.length > 1, places);
  assert.deepEqual(ids, [...new Set(ids)]);
  await wm('', 'logout', '--profile', 'work', '--yes');
  assert.equal(await tasks(), 'words\n');
  assert.equal(await reply(), 'words\n');
});

test('profiles with or without a user; PowerShell gets ASCII', async (context) => {
  const folder = await ownFolder(context);
  const profile = { host: 'h', hostSuffixes: [], signedInAt: 0 };
  const profiles = [
    { ...profile, name: 'a', user: 'Zoë' },
    { ...profile, name: 'b' },
  ];
  await writeFile(join(folder, 'profiles.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  const typed = Buffer.from('wm\nwhoami\n--profile\n').toString('base64');
  const { output } = await run(['__complete', 'powershell', typed], {
    environment: { WM_CONFIG_DIR: folder },
  });
  assert.match(output, /"Zo\\u00eb, h"/);
  assert.deepEqual(
    JSON.parse(output).map(({ description }: { description: string }) => description),
    ['Zoë, h', 'h'],
  );
});

test('prints no message if it cannot read or write', async (context) => {
  const folder = await ownFolder(context);
  const environment = { WM_CONFIG_DIR: folder };
  await writeFile(join(folder, 'profiles.json'), 'no JSON', { mode: 0o600 });
  const typed = ['__complete', 'fish', '', 'wm', 'whoami', '--profile'];
  assert.deepEqual(await run(typed, { environment }), { status: 0, output: 'words\n', errors: '' });
  const { streams, texts } = collectStreams();
  const output = { ...streams.output, write: () => Promise.reject(new Error('EPIPE')) };
  const unwritten = await run(typed, { environment, world: { streams: { ...streams, output } } });
  assert.deepEqual([unwritten.status, texts.errors], [1, '']);
});

test('bash: the replaced part, a single word alone, several with descriptions, keys that insert', async () => {
  const bash = (line: string, replaced: string, ...more: string[]) =>
    linesOf('bash', line, replaced, ...more);
  assert.deepEqual(await bash('wm task update X --status=Com', 'Com'), ['words', 'Completed']);
  assert.equal((await bash('wm task update X --status=', ''))[1], 'Active');
  assert.deepEqual(await bash('wm task update X "--status=Com', '--status=Com'), [
    'words',
    '--status=Completed',
  ]);
  const [, ...described] = await bash('wm webhook l', 'l', '9', '30');
  const names = ['list', 'ls', 'listen', 'log', 'label'];
  assert.deepEqual(
    described.map((line) => line.slice(0, 6).trim()),
    names,
  );
  for (const line of described) assert.ok(line.length < 30, line);
  assert.deepEqual(await bash('wm webhook l', 'l', '37', '80'), ['words', ...names]);
  assert.deepEqual(await bash('cd x && WM_HOST=y wm task unde', 'unde', '9', 'x'), ['words']);
  assert.deepEqual(await bash('cd x && WM_HOST=y wm task und', 'und'), ['words', 'undo']);
  assert.deepEqual(await bash('', ''), await bash('wm ', ''), 'an empty line is that of wm');
});

test('bash: completes an unquoted URL itself, since bash cannot replace it up to its colon', async (context) => {
  const { environment, folder } = await setStage(context);
  const wm = async (...typed: string[]) => {
    const { output } = await run(typed, { exit: 0, environment });
    return output.split('\n').slice(0, -1);
  };
  const urls = ['https://a.example.com/one', 'https://a.example.com/two', 'https://b.example.com/?x=$(y)'];
  const state = join(folder, 'config', 'state', 'completion');
  await mkdir(state, { recursive: true, mode: 0o700 });
  const lines = urls.map((url, index) => `webhook\tIEAAAAAQWEBHOOK${index}\t${url}\n`);
  await writeFile(join(state, `@${environment['WM_HOST']?.replace(':', '_')}.tsv`), lines.join(''));
  const bash = (line: string, replaced: string) => wm('__complete', 'bash', line, replaced, '9', '80');
  for (const [typed, replaced, ...offered] of [
    ['https://a.example.com/o', '//a.example.com/o', '//a.example.com/one'],
    ['https:', '', '//a.example.com/two', '//a.example.com/one'],
    ['https://b', '//b'],
    ['"https://a.example.com/o', 'https://a.example.com/o', 'IEAAAAAQWEBHOOK0'],
  ] as const)
    assert.deepEqual(await bash(`wm webhook get ${typed}`, replaced), ['words', ...offered]);
});

test('PowerShell: ASCII JSON without empty strings; words as base64', async () => {
  const reply = async (...words: string[]) => {
    const [json = ''] = await linesOf('powershell', Buffer.from(words.join('\n')).toString('base64'));
    assert.match(json, /^[\x20-\x7e]+$/);
    return JSON.parse(json);
  };
  assert.deepEqual(await reply('wm', 'task', 'upd'), [
    { word: 'update', label: 'update', description: 'Update tasks' },
  ]);
  assert.deepEqual(await reply('wm', 'task', 'update', 'X', '--status=comp'), [
    { word: '--status=Completed', label: 'Completed', description: '--status=Completed' },
  ]);
  assert.deepEqual(await reply('wm', 'é"x'), []);
  assert.ok(JSON.parse((await linesOf('powershell'))[0] ?? '').length > 10);
});

test('zsh: label and description next to the word; another shell is an error without a message', async () => {
  assert.deepEqual(await linesOf('zsh', '0', 'wm', 'task', 'und'), [
    'words',
    'undo\tundo  -- Undo the last update of tasks, or a bulk run',
  ]);
  for (const shell of [['tcsh'], []]) {
    const { status, output, errors } = await run(['__complete', ...shell]);
    assert.deepEqual([status, output, errors], [2, '', '']);
  }
  assert.ok((await linesOf('zsh')).length > 1);
});

test('splits a line as bash does', () => {
  const split = (line: string) => {
    const { before, word, raw } = splitLine(line);
    return [...before, '|', word, raw];
  };
  assert.deepEqual(split(''), ['|', '', '']);
  assert.deepEqual(split('a b'), ['a', '|', 'b', 'b']);
  assert.deepEqual(split('a b '), ['a', 'b', '|', '', '']);
  assert.deepEqual(split(`a 'b c' "d\\"\\e" f\\ g"h`), ['a', 'b c', 'd"\\e', '|', 'f gh', 'f\\ g"h']);
  assert.deepEqual(split('a; b | (c "'), ['c', '|', '', '"']);
  assert.deepEqual(split('X=1 Y=2 '), ['|', '', '']);
  assert.deepEqual(split('a \\'), ['a', '|', '', '\\']);
});
