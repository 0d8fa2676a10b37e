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
const wordsOf = async (word: string, ...before: string[]) =>
  (await linesOf('fish', word, 'wm', ...before)).map((line) => line.split('\t')[0]);

test('commands and their aliases; nothing after an unknown word', async () => {
  const first = await wordsOf('');
  for (const word of ['task', 'webhook', 'completion', 'doctor', 'help'])
    assert.ok(first.includes(word), word);
  assert.deepEqual(await wordsOf('l', 'webhook'), ['words', 'list', 'ls', 'listen', 'log', 'label']);
  assert.deepEqual(await wordsOf('', 'nonsense'), ['words']);
  assert.deepEqual(await wordsOf('', 'task', 'nonsense'), ['words']);
  assert.ok(!(await wordsOf('', 'help')).includes('help'));
  assert.deepEqual(await wordsOf('hel'), ['words', 'help']);
  assert.deepEqual(await wordsOf('exit', 'help'), ['words', 'exit-codes']);
  for (const before of [['--help'], ['help'], ['task', 'list', '--help'], ['help', 'webhook', 'suspend']])
    assert.ok((await wordsOf('a', ...before)).includes('all'), before.join(' '));
  assert.deepEqual(await wordsOf('ref', 'auth'), ['words', 'refresh']);
  assert.deepEqual(await wordsOf('', 'ls'), ['words'], 'another name belongs to its group');
});

test('flags: those of the command first, each once, negations and short forms on request', async () => {
  assert.deepEqual(await wordsOf('--stat', 'task', 'update', 'X'), ['words', '--status']);
  assert.deepEqual(await wordsOf('--stat', 'task', 'update', 'X', '--status', 'Active'), ['words']);
  assert.deepEqual(await wordsOf('--stat', '--nonsense', 'task', 'update'), ['words', '--status']);
  assert.deepEqual(
    await wordsOf('--events', 'webhook', 'create', '--events', 'all'),
    ['words', '--events'],
    'a list may be given again',
  );
  assert.ok((await wordsOf('--', 'task', 'get')).includes('--no-with-invitations'));
  assert.ok(!(await wordsOf('--', 'task', 'get')).includes('--no-json'));
  assert.ok((await wordsOf('--no-', 'task', 'get')).includes('--no-json'));
  assert.deepEqual(await wordsOf('--no-in', 'whoami'), ['words', '--no-input']);
  assert.deepEqual(await wordsOf('-y', 'whoami'), ['words', '-y']);
  assert.deepEqual(await wordsOf('--vers'), ['words', '--version']);
  assert.deepEqual(await wordsOf('--vers', 'task'), ['words']);
  assert.ok(!(await wordsOf('-', 'whoami', '--help')).includes('--help'));
  assert.deepEqual(await wordsOf('--json=', 'whoami'), ['words', '--json=true', '--json=false']);
  assert.deepEqual(await wordsOf('--nonsense=', 'whoami'), ['words']);
  assert.ok((await wordsOf('', 'whoami')).includes('--json'), 'where nothing else is left to say');
});

test('values: choices ignoring case, lists, events and groups, files, the words of a nested wm', async () => {
  assert.deepEqual(await wordsOf('COM', 'task', 'update', 'X', '--status'), ['words', 'Completed']);
  assert.deepEqual(await wordsOf('', 'task', 'list', '--status'), [
    'words',
    'Active',
    'Deferred',
    'Completed',
    'Cancelled',
  ]);
  assert.deepEqual(await wordsOf('all', 'webhook', 'create', '--events'), ['words', 'all']);
  assert.deepEqual(await wordsOf('--events=comment,TaskCreated,comm', 'webhook', 'create'), [
    'words',
    '--events=comment,TaskCreated,CommentAdded',
    '--events=comment,TaskCreated,CommentDeleted',
  ]);
  assert.ok(
    (await wordsOf('--events=TaskCreated,comm', 'webhook', 'create')).includes(
      '--events=TaskCreated,comment',
    ),
  );
  assert.deepEqual(await wordsOf('TaskDel', 'webhook', 'trigger'), ['words', 'TaskDeleted']);
  assert.deepEqual(await wordsOf('password', 'emulator', 'revoke'), [
    'words',
    'password-reset',
    'password-policy-changed',
  ]);
  assert.deepEqual(await wordsOf('@', 'task', 'update', 'X', '--add-responsibles'), ['words', '@me']);
  assert.deepEqual(await linesOf('fish', '', 'wm', 'task', 'update', '--from'), ['files\t']);
  assert.deepEqual(await linesOf('fish', '--from=t', 'wm', 'task', 'update'), ['files\t--from=']);
  assert.deepEqual(await linesOf('fish', '@n', 'wm', 'task', 'update', 'X', '--description'), ['files\t@']);
  assert.deepEqual(await wordsOf('', 'emulator', 'exec'), ['words', '--']);
  assert.ok((await wordsOf('-', 'emulator', 'exec')).includes('--tls'));
  assert.deepEqual(await linesOf('fish', '', 'wm', 'emulator', 'exec', '--'), ['files\t']);
  assert.deepEqual(await wordsOf('who', 'emulator', 'exec', '--', 'wm'), ['words', 'whoami']);
  assert.deepEqual(await wordsOf('', 'doctor', '--'), ['words']);
  assert.deepEqual(
    await wordsOf('COM', 'task', 'list', '--', '--status'),
    ['words'],
    'no flag, so it takes no value',
  );
});

test('profiles for --profile, and the records of that profile', async (context) => {
  const { environment, emulator } = await setStage(context, { signedOut: true });
  const wm = async (input: string, ...typed: string[]) => {
    const ran = await run(typed, { status: 0, environment, input });
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
  const places = await wm(
    '',
    '__complete',
    'fish',
    '',
    'wm',
    '--profile',
    'work',
    'task',
    'list',
    '--folder',
  );
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
  assert.deepEqual(
    described.map((line) => line.slice(0, 6).trim()),
    ['list', 'ls', 'listen', 'log', 'label'],
  );
  for (const line of described) assert.ok(line.length < 30, line);
  assert.deepEqual(await bash('wm webhook l', 'l', '37', '80'), [
    'words',
    'list',
    'ls',
    'listen',
    'log',
    'label',
  ]);
  assert.deepEqual(await bash('cd x && WM_HOST=y wm task unde', 'unde', '9', 'x'), ['words']);
  assert.deepEqual(await bash('cd x && WM_HOST=y wm task und', 'und'), ['words', 'undo']);
  assert.deepEqual(await bash('', ''), await bash('wm ', ''), 'an empty line is that of wm');
});

test('bash: completes an unquoted URL itself, since bash cannot replace it up to its colon', async (context) => {
  const { environment, folder } = await setStage(context);
  const wm = async (...typed: string[]) => {
    const { output } = await run(typed, { status: 0, environment });
    return output.split('\n').slice(0, -1);
  };
  const urls = ['https://a.example.com/one', 'https://a.example.com/two', 'https://b.example.com/?x=$(y)'];
  const state = join(folder, 'config', 'state', 'completion');
  await mkdir(state, { recursive: true, mode: 0o700 });
  const lines = urls.map((url, index) => `webhook\tIEAAAAAQWEBHOOK${index}\t${url}\n`);
  await writeFile(join(state, `@${environment['WM_HOST']?.replace(':', '_')}.tsv`), lines.join(''));
  const bash = (line: string, replaced: string) => wm('__complete', 'bash', line, replaced, '9', '80');
  assert.deepEqual(await bash('wm webhook get https://a.example.com/o', '//a.example.com/o'), [
    'words',
    '//a.example.com/one',
  ]);
  assert.deepEqual(await bash('wm webhook get https:', ''), [
    'words',
    '//a.example.com/two',
    '//a.example.com/one',
  ]);
  assert.deepEqual(await bash('wm webhook get https://b', '//b'), ['words']);
  assert.deepEqual(await bash('wm webhook get "https://a.example.com/o', 'https://a.example.com/o'), [
    'words',
    'IEAAAAAQWEBHOOK0',
  ]);
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
