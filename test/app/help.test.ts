// `wm help`: a page for each topic, and every command as data, which matches what the program itself shows and does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import type { describeProgram } from '#app/reference/describe-program.ts';
import { helpTopics } from '#app/topics/topics.ts';
import { variables } from '#cli/environment-variables.ts';
import { failureMeanings } from '#failure.ts';
import { run } from '#test/support/program/program.ts';
import { allExitStatuses } from '../witness/errors.ts';

/** `status`: what it ends with. */
const wm = (status: number, ...argv: string[]) => run(argv, { exit: status });

type ProgramDescription = Awaited<ReturnType<typeof describeProgram>>;
type CommandDescription = ProgramDescription['commands'][number];

async function describe(...words: string[]): Promise<ProgramDescription> {
  const { output } = await wm(0, 'help', ...words, '--json');
  return JSON.parse(output);
}

const described = await describe();

test('indents each line of an example', async () => {
  const { output } = await wm(0, 'login', '--help');
  assert.match(output, /^ {2}wm login --start\n {2}wm login --complete < landing\.txt$/m);
});

test('every topic has a page, and three ways to open it', async () => {
  assert.deepEqual(Object.keys(helpTopics), [
    'exit-codes',
    'environment',
    'output',
    'dates',
    'webhooks',
    'scripting',
    'topics',
  ]);
  for (const [name, { summary }] of Object.entries(helpTopics)) {
    const { output } = await wm(0, 'help', name);
    assert.ok(output.startsWith(`wm help: ${summary} (${name})\n`), output);
    assert.equal((await wm(0, 'help', '--help', name)).output, output);
    const page = JSON.parse((await wm(0, 'help', name, '--json')).output);
    assert.equal(page.name, name);
    assert.ok(page.parts.length > 0 && page.examples.length > 0);
  }
});

test('wm --help all and wm help topics list the topics', async () => {
  const list = (await wm(0, 'help', 'topics')).output;
  const overview = (await wm(0, '--help', 'all')).output;
  assert.equal((await wm(0, 'help', 'all')).output, overview);
  assert.equal((await wm(0, 'help')).output, (await wm(0, '--help')).output);
  for (const flag of ['--no-color', '--no-quiet', '--quiet'])
    assert.equal((await wm(0, 'help', flag)).output, (await wm(0, '--help')).output, flag);
  for (const [name, { summary }] of Object.entries(helpTopics)) {
    const row = new RegExp(`^ {2}${name} +${summary}$`, 'm');
    if (name !== 'topics') assert.match(list, row);
    assert.match(overview, row);
  }
});

test('the pages take their facts from tables', async () => {
  const exits = (await wm(0, 'help', 'exit-codes')).output;
  for (const [code, { exit }] of Object.entries(failureMeanings)) {
    const row = new RegExp(`^ {2}${exit} [^\\n]*(?:\\n {7}[^\\n]*)*\\b${code}\\b`, 'm');
    assert.match(exits, row);
  }
  const environment = (await wm(0, 'help', 'environment')).output;
  for (const [name, { meaning }] of Object.entries(variables))
    assert.match(environment, new RegExp(`^ {2}${name} +${meaning}$`, 'm'));
  const webhooks = (await wm(0, 'help', 'webhooks')).output;
  for (const fact of ['200, 201, 202 and 204', '408 and 429', 'X-Hook-Signature', '185.157.64.0/22'])
    assert.ok(webhooks.includes(fact), fact);
});

test('the exit codes page is also found as exit statuses', async () => {
  const { output } = await wm(0, 'help', 'exit-codes');
  for (const name of ['exit-status', 'exit-statuses']) {
    const ran = await wm(0, 'help', name);
    assert.deepEqual([ran.status, ran.output], [0, output]);
  }
});

test('a misspelt topic, a misspelt command, and unknown words', async () => {
  for (const [argv, hint] of [
    ['exit-code', 'Did you mean wm help exit-codes?'],
    ['environmet', 'Did you mean wm help environment?'],
    ['webhok', 'Did you mean wm webhook?'],
    ['resum', 'Did you mean wm webhook resume?'],
    ['xyzzyx', 'See: wm --help'],
  ] as const) {
    const { errors } = await wm(2, 'help', argv);
    assert.ok(errors.endsWith(`  ${hint}\n`), errors);
  }
  const none = await wm(2, 'help', 'xyzzyx', 'y', '--json');
  assert.deepEqual(JSON.parse(none.errors).error, {
    code: 'usage',
    message: "Unknown command or help topic 'xyzzyx y'",
    hint: 'See: wm help --help',
    next: 'wm help --help',
  });
});

test('--json lists every command with its words, in the order of the overview', async () => {
  assert.deepEqual(
    described.commands.map(({ command, summary }) => [command, summary]),
    commands.map(({ words, summary }) => [`wm ${words}`, summary]),
  );
  assert.deepEqual(
    described.exitStatuses.map(({ status }) => status),
    allExitStatuses,
  );
  assert.deepEqual(
    described.environment.map(({ name }) => name),
    Object.keys(variables),
  );
});

test('finds a command by its words or alias, and a group; never by part of a word', async () => {
  const words = async (...argv: string[]) => (await describe(...argv)).commands.map(({ command }) => command);
  assert.deepEqual(await words('task', 'get'), ['wm task get']);
  assert.deepEqual(await words('webhook', 'pause'), ['wm webhook suspend']);
  const auth = commands.filter((row) => row.words.startsWith('auth ')).map((row) => `wm ${row.words}`);
  assert.deepEqual(await words('auth'), auth);
  const part = await wm(2, 'help', 'aut', '--json');
  assert.match(JSON.parse(part.errors).error.hint, /^Did you mean wm help auth, wm help auth status, /);
});

test('the JSON description of a flag, by example', async () => {
  const [update] = (await describe('task', 'update')).commands;
  const [trigger] = (await describe('webhook', 'trigger')).commands;
  const [token] = (await describe('emulator', 'token')).commands;
  const flag = (of: typeof update, name: string) => of?.flags.find((row) => row.flag === name);
  const { help: _, ...status } = flag(update, '--status') ?? assert.fail();
  assert.deepEqual(status, {
    flag: '--status',
    usage: '--status STATUS',
    type: 'TaskStatus',
    choices: ['Active', 'Deferred', 'Completed', 'Cancelled'],
  });
  assert.equal(flag(update, '--description')?.acceptsFile, true);
  assert.equal(flag(update, '--add-parents')?.repeatable, true);
  assert.equal(flag(trigger, '--to')?.required, true);
  assert.deepEqual(
    [flag(trigger, '--count')].map((row) => [row?.type, row?.minimum, row?.maximum, row?.default]),
    [['integer', 1, 1000, '1']],
  );
  assert.ok(flag(token, '--scope')?.choices?.includes('wsReadOnly'));
  assert.deepEqual(
    described.commands
      .find(({ command }) => command === 'wm login')
      ?.flags.find((row) => row.flag === '--port'),
    {
      flag: '--port',
      usage: '--port PORT',
      help: 'The port of the loopback callback (or WM_CALLBACK_PORT; default: a free port)',
      type: 'integer',
      minimum: 0,
      maximum: 65535,
      default: 'a free port',
      environment: ['WM_CALLBACK_PORT'],
    },
  );
  const exec = described.commands.find(({ command }) => command === 'wm emulator exec');
  assert.equal(exec?.usage, 'wm emulator exec [flags] -- COMMAND...');
  assert.equal(exec?.arguments[0]?.afterDoubleDash, true);
});

for (const description of described.commands) {
  const words = description.command.split(' ').slice(1);

  test(`${description.command}: --help all shows the flags in the description and no others`, async () => {
    const { output } = await wm(0, ...words, '--help', 'all');
    const common = [...(description.sendsRequests ? described.requestFlags : []), ...described.commonFlags];
    const names = new Set(description.flags.map(({ flag }) => flag));
    const all = [...description.flags, ...common.filter(({ flag }) => !names.has(flag))];
    const [text = ''] = output.split('\nExamples:\n');
    const terms = [...text.matchAll(/^ {2}(-\S.*?)(?: {2}.*)?$/gm)].map(([, term]) => term);
    assert.deepEqual(terms.toSorted(), [...all.map(({ usage }) => usage), '-h, --help'].toSorted());
  });

  test(`${description.command}: required parts are required, and the listed choices are complete`, async () => {
    const required = description.arguments.filter((argument) => argument.required).map(({ name }) => name);
    const flags = description.flags.filter((flag) => flag.required).map(({ flag }) => flag);
    if (required.length > 0 || flags.length > 0) {
      const placeholders = flags.length > 0 ? description.arguments.map(() => 'x') : [];
      const { errors } = await run([...words, ...placeholders], { exit: 2, environment: { CI: '1' } });
      const missing = flags[0] ?? required[0] ?? '';
      assert.match(errors, new RegExp(`Missing: ${missing}\\b`), description.command);
    }
    for (const flag of description.flags.filter(
      ({ choices, type }) => choices !== undefined || type === 'integer',
    ))
      await rejectsOthers(description, flag);
  });
}

test('the first page of help has at most 40 lines: usage, a summary, about ten flags, three examples', async () => {
  const pages = [[], ...described.commands.map(({ command }) => command.split(' ').slice(1))];
  for (const words of pages) {
    const { output } = await run([...words, '--help'], { environment: { COLUMNS: '80' } });
    const name = `wm ${words.join(' ')}`;
    const lines = output.trimEnd().split('\n');
    assert.ok(lines.length <= 40, `${name.trim()} --help has ${lines.length} lines; at most 40`);
    if (!output.replaceAll(/\s+/g, ' ').includes(`${name.trim()} --help all`)) {
      const whole = await run([...words, '--help', 'all'], { environment: { COLUMNS: '80' } });
      assert.equal(output, whole.output, name);
      continue;
    }
    assert.ok((output.match(/^ {2}-/gm)?.length ?? 0) <= 13, name);
    assert.ok((output.match(/^(?:Examples:)?\n {2}# /gm)?.length ?? 0) <= 3, name);
  }
});

test('the first page names every group, and every command outside a group', async () => {
  const { output } = await wm(0, '--help');
  for (const { command } of described.commands.filter((command) => command.command !== 'wm help'))
    assert.match(output, new RegExp(`^ {2}${command.split(' ')[1]} `, 'm'));
});

test('help is as wide as COLUMNS', async () => {
  for (const page of [['--help'], ['task', 'update', '--help', 'all'], ['task'], ['help', 'exit-codes']]) {
    const { output } = await run(page, { environment: { COLUMNS: '60' } });
    const [text = ''] = output.split('\nExamples:\n');
    assert.ok(Math.max(...text.split('\n').map((line) => line.length)) <= 60, text);
    const other = await run(page, { environment: { COLUMNS: 'wide' } });
    assert.equal(other.output, (await wm(0, ...page)).output);
  }
});

/** Where any text will not do. */
const validFor: Readonly<Record<string, string>> = { '--sink': 'nats://127.0.0.1/X' };

async function rejectsOthers(
  description: CommandDescription,
  flag: CommandDescription['flags'][number],
): Promise<void> {
  const required = description.flags.filter((other) => other.required && other !== flag);
  const { errors } = await run(
    [
      ...description.command.split(' ').slice(1),
      ...required.flatMap((other) => [other.flag, validFor[other.flag] ?? 'x']),
      flag.flag,
      'xyzzyx',
      '--',
      ...description.arguments.map(() => 'x'),
    ],
    { exit: 2, environment: { CI: '1' } },
  );
  assert.match(errors, /"xyzzyx"/, flag.flag);
}
