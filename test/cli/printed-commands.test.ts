// Printed commands are made in one place, from the command line as it was parsed: what names the account, the certificates, the note
// or the place is not lost, and is quoted for the user's shell. Each command that a test's run prints is parsed (test/support/program/printed.ts);
// here are those of the transcripts, the rule for the source, and what a hint must not drop.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { assertParsed, printedCommand, printedCommands } from '#test/support/program/printed.ts';
import { signedOut } from '#test/support/program/signed-out.ts';
import { certificate } from '#test/support/service/certificate.ts';
import { createWorld } from '#world/create-world.ts';
import { withHooks } from '../webhooks/three-webhooks.ts';

/** Where a command line is made of parts, or only names a command. */
const makers: Readonly<Record<string, string>> = {
  'cli/format-command.ts': 'the one place',
  'login/profile.ts': 'below the commands: only the name of a profile, and app/program.ts adds the rest',
  'client/session.ts': 'for programs, which have no command line',
  'receiver/sink/sink-page.ts': 'names the command, and is none to run',
};

test('no other file builds a command from parts', async () => {
  const files = (await readdir('src', { recursive: true }))
    .map((file) => file.replaceAll('\\', '/'))
    // What app/ prints names commands: its only parts are the words of one.
    .filter((file) => file.endsWith('.ts') && !file.startsWith('app/') && makers[file] === undefined);
  const first = [...new Set(commands.map(({ words }) => words.split(' ')[0]))].join('|');
  // Its words, flags and placeholders, without what only a sentence has, up to a part.
  const made = new RegExp(`\\bwm (?:${first})(?: [\\w=-]+)* ?[\\w=-]*\\$\\{|: wm \\$\\{`);
  const wrong = [];
  for (const file of files)
    for (const line of (await readFile(`src/${file}`, 'utf8')).split('\n'))
      if (made.test(line) && !/^\s*(?:\/\/|\/?\*)/.test(line)) wrong.push(`${file}: ${line.trim()}`);
  assert.deepEqual(wrong, [], 'use cli/format-command.ts');
});

function stringsIn(json: string): readonly string[] {
  const strings: string[] = [];
  JSON.parse(json, (_, value) => typeof value === 'string' && strings.push(value));
  return strings;
}

test('every command that the transcripts print exists', async () => {
  let count = 0;
  for (const name of await readdir('test/transcript')) {
    if (!name.endsWith('.txt')) continue;
    const text = await readFile(`test/transcript/${name}`, 'utf8');
    // What is typed may be wrong on purpose, and a comment is a person's.
    const printed = text
      .split('\n')
      .filter((line) => !/^(?:[$#<]|.*…|.*Usage: )/.test(line))
      .map((line) => line.replace(/^[~!]\s?/, ''))
      .map((line) => (/^\{"(?:error|warning)"/.test(line) ? stringsIn(line).join('\n') : line));
    for (const command of printedCommands(printed.join('\n'))) {
      count++;
      await assertParsed(command, 'linux');
    }
  }
  assert.ok(count > 40, String(count));
});

test('a command without its webhook or task: the hint repeats what was typed', async (context) => {
  const { wm } = await emulated(context);
  const flags = ['--note', "ticket 4711: Ada's", '--timeout', '7'];
  const suspend = await wm(['webhook', 'suspend', ...flags]);
  assert.deepEqual(printedCommand(suspend.errors, 'Name the webhook: '), [
    'webhook',
    'suspend',
    'ID',
    ...flags,
  ]);
  const update = await wm(['task', 'update', '--title', '-5°']);
  assert.deepEqual(printedCommand(update.errors, 'or its title: '), ['task', 'update', 'ID', '--title=-5°']);
});

test('a hint from a lower floor keeps the --profile and --ca that were typed', async (context) => {
  const { wm, signIn } = await signedOut(context);
  const ca = join(await ownFolder(context), "Ada's ca.pem");
  await writeFile(ca, certificate);
  const flags = ['--profile', 'work', '--ca', ca];
  const before = await wm(['task', 'list', ...flags]);
  assert.deepEqual(printedCommand(before.errors, 'To sign in: '), ['login', ...flags]);
  const json = await wm(['task', 'list', ...flags, '--json']);
  assert.deepEqual(printedCommand(`: ${JSON.parse(json.errors).error.next}`, ': '), ['login', ...flags]);
  await signIn('login', '--profile', 'work');
  const start = await wm(['login', '--start', '--complete', ...flags]);
  assert.notEqual(start.status, 0);
  const complete = await wm(['login', '--complete', '--force', ...flags]);
  assert.deepEqual(printedCommand(complete.errors, 'Start one: '), [
    ...['login', '--start', '--profile', 'work', '--force'],
    ...['--ca', ca],
  ]);
});

test('a request that wm does not make: the path is quoted, and the profile kept', async (context) => {
  const { wm } = await emulated(context);
  const path = '/tasks?title=a&limit=1';
  const ran = await wm(['api', 'GET', path, '--body', '-', '--profile', 'work'], { input: '{}' });
  assert.deepEqual(printedCommand(ran.errors, 'For example: '), [
    ...['api', 'POST', path],
    ...['--body', 'FILE', '--profile', 'work'],
  ]);
});

test('the emulator: the command keeps the --ca that was typed', async (context) => {
  const { wm, emulator, folder } = await emulated(context);
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, certificate);
  const { origin } = new URL(emulator.baseUrl);
  const ran = await wm(['emulator', 'user', '--licence', 'full', '--url', origin, '--ca', ca]);
  const expected = ['emulator', 'user', 'KUAABENQ', '--remove', '--url', origin, '--ca', ca];
  assert.deepEqual(printedCommand(ran.errors, 'For example: '), expected);
});

test('on Windows, a printed command is quoted for the shells there', async (context) => {
  const { wm } = await withHooks(context);
  const { process: own } = createWorld();
  const world = { process: { ...own, platform: 'win32' as const, onInterrupt: () => () => {} } };
  // That it parses as PowerShell takes it apart is checked for each run.
  const ran = await wm(['webhook', 'suspend', '--note', "Ada's 50% 'x'"], { world });
  assert.match(ran.errors, /--note 'Ada''s 50% ''x'''/);
});
