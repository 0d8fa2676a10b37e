// Every example of every `--help` does what it says: it is run, as it stands, against an emulator that has what it
// names. Those that cannot be are named here, each with its reason.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { commands } from '#app/commands.ts';
import { run } from '#test/support/program/program.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { runLine } from '#test/support/terminal/run-line.ts';
import { type Stage, setStage } from '#test/support/terminal/stage.ts';

/** By the beginning of the line: not run at all. */
const notRun: readonly (readonly [string, string])[] = [
  ['wm login', 'needs a person in a browser; test/login and the transcripts have it'],
  ['wm demo', 'is the whole of README.md; test/documents/readme.test.ts runs it'],
  ['wm emulator start', 'does not end'],
  ['wm emulator exec -- npm test', 'runs these tests'],
  ['wm emulator exec --tls -- npm test', 'runs these tests'],
  ['wm emulator exec --signed-out -- wm login', 'as wm login'],
  ['curl ', 'asks a service of the public network'],
  ['wm auth convert-v3', 'asks a service of the public network'],
  ['wm webhook check-signature "$', 'needs the signature of a real delivery; the transcripts have one'],
  ['printf %s "$CHALLENGE"', 'needs a challenge and a secret; the transcripts sign'],
  ['npx openapi-typescript', 'downloads it; test/openapi runs it'],
  ['wm contract probe --replay', 'needs a record; test/tools writes and replays one'],
  ['wm webhook log', 'needs deliveries; the transcripts have some'],
  ['wm webhook replay', 'needs deliveries; the transcripts have some'],
  ['wm webhook trigger', 'needs a receiver; the transcripts have one'],
  ['wm webhook rotate-secret', 'needs a receiver that knows the secret; the transcripts have one'],
  ["wm task get 'Write the launch page' --watch", 'does not end'],
  ['wm webhook watch --interval', 'does not end'],
  ['wm webhook watch --exec', 'does not end'],
  ['wm webhook watch --resume', 'does not end'],
  ['wm webhook listen', 'does not end'],
  ['wm webhook forward', 'needs NATS servers; test/sink has them'],
  ['wm webhook sink', 'needs NATS servers; test/sink has them'],
  ['wm emulator requests --follow', 'does not end'],
  ['eval "$(wm completion', 'needs that shell, on a terminal; test/app/completion has them'],
  ['wm completion fish | source', 'needs fish, on a terminal; test/app/completion has it'],
  ['wm completion powershell |', 'needs PowerShell'],
  ['wm completion install', 'changes files of the shell; test/app/completion has them'],
  ['wm completion uninstall', 'changes files of the shell; test/app/completion has them'],
  ['pass show', 'needs a password manager'],
  ['WM_WEBHOOK_SECRET=...', 'needs a receiver that knows the secret; the transcripts have one'],
];

/** Those that do something else here, and what. */
const otherwise: readonly (readonly [string, string])[] = [
  ['wm webhook verify IEAAAAAQJAAAAAAB', '1 of 3 checks failed: dns'],
  [
    'wm webhook verify https://hooks.example.com/billing --events TaskStatusChanged,TaskCreated',
    '1 of 3 checks failed: dns',
  ],
  [
    'wm webhook verify http://hooks.example.com/billing --connect-to 127.0.0.1:8080',
    '1 of 4 checks failed: connection',
  ],
  ['wm webhook suspend', 'Missing: ID'],
  ['wm webhook resume', 'Missing: ID'],
  ['wm webhook delete', 'Missing: ID'],
  ["wm webhook resume --all --status suspended --url 'https://old.example/*'", 'No webhook matches'],
  ['wm webhook secret IEAAAAAQJAAAAAAB --store', 'Missing: the secret'],
  ['wm webhook secret https://hooks.example.com/billing --env --yes >> .env', 'No webhook matches'],
  ['wm task update --from tasks.csv --errors failed.csv', 'Not confirmed'],
  ['wm task undo IEAAAAAQKQAB5BNG', 'Not confirmed'],
  ['wm task undo --run last', 'Not confirmed'],
  ['wm webhook undo', 'Not confirmed'],
  ['wm logout', 'Not confirmed'],
  ['wm webhook list --profile work', 'Not signed in (profile work'],
  ['wm emulator requests --expect updateTask=1', 'Expected 1 updateTask request, found'],
  ['wm auth refresh', 'Cannot refresh a permanent token'],
];

/** Those about a kept sign-in, which WM_TOKEN would hide: run without it, signed in to two profiles. */
const aboutSignIns = ['wm logout', 'wm auth switch', 'wm auth refresh'];

async function signedIn(stage: Stage): Promise<Stage> {
  const { WM_TOKEN: token = '', ...environment } = stage.environment;
  for (const profile of ['default', 'work']) {
    const login = ['login', '--with-token', '--profile', profile];
    const { status, errors } = await run(login, { environment, input: token });
    assert.equal(status, 0, errors);
  }
  return { ...stage, environment };
}

async function prepare(stage: Stage, command: string): Promise<readonly string[]> {
  const { emulator, folder } = stage;
  await writeFile(join(folder, 'notes.html'), '<b>Notes</b>');
  await writeFile(join(folder, 'tasks.csv'), 'id,status\nIEAAAAAQKQAB5BNG,Completed\n');
  const operation = { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: { title: 'x' } };
  await writeFile(join(folder, 'operations.ndjson'), JSON.stringify(operation));
  await writeFile(join(folder, 'seed.yaml'), 'version: 1\n');
  await writeFile(join(folder, 'approval.json'), '{"id":"A1"}');
  await writeFile(join(folder, 'hooks.yaml'), 'version: 1\nwebhooks: []\n');
  if (/wm task undo|--expect/.test(command))
    await runLine(stage, 'wm task update IEAAAAAQKQAB5BNG --importance High --undoable');
  if (command.includes('--run last')) await runLine(stage, 'wm task update --from tasks.csv --yes');
  const create = async (hookUrl: string): Promise<string> =>
    (await call(emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id;
  await create('https://old.example/billing');
  const ids = [
    await create('https://hooks.example.com/first'),
    await create('https://hooks.example.com/second'),
  ];
  if (command.startsWith('wm webhook undo')) await runLine(stage, `wm webhook suspend ${ids[0]} --yes`);
  return ids;
}

const skip = process.platform === 'win32' && 'needs /bin/sh';

/** The quick suite's examples. */
const quick = [
  ...['logout', 'task list', 'task comment', 'timelog add', 'folder create', 'webhook suspend'],
  ...['webhook apply', 'history', 'emulator exec', 'emulator fault'],
];

/** One test for each command. */
export async function testExamples(suite: 'quick' | 'deep'): Promise<void> {
  for (const { words, load } of commands) {
    if (quick.includes(words) !== (suite === 'quick')) continue;
    const { examples: own, topics = {} } = (await load()).default;
    const pages = await Promise.all(Object.values(topics).map((topic) => topic.load()));
    const examples = [own, ...pages.map((page) => page.default.examples)].flatMap(Object.entries<string>);
    const run = examples.filter(([, command]) => !notRun.some(([start]) => command.startsWith(start)));
    if (run.length === 0) continue;
    test(`the examples of wm ${words}`, { skip }, async (context) => {
      for (const [description, command] of run) {
        // Two at once would change the folder of the one process that they are in.
        const stage = await setStage(context, { isInside: !/\| *wm /.test(command) });
        const [first = '', second = ''] = await prepare(stage, command);
        // No sample data hold a webhook: an example can only name one that is not there.
        const real = command
          .replace('IEAAAAAQJAAAAAAB', first)
          .replace('IEAAAAAQJAAAAAAC', second)
          // Nobody listens there. Many a developer has a server on 8080.
          .replace('127.0.0.1:8080', '127.0.0.1:1');
        const isAboutSignIns = aboutSignIns.some((start) => command.startsWith(start));
        const onStage = isAboutSignIns ? await signedIn(stage) : stage;
        const { status, output, errors } = await runLine(onStage, real);
        const text = output + errors;
        const other = otherwise.find(([typed]) => typed === command);
        if (other) assert.ok(text.includes(other[1]), `${description}\n${command}\n${text}`);
        else assert.equal(status, 0, `${description}\n${command}\n${text}`);
      }
    });
  }
}
