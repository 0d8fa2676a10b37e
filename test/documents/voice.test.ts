// Holds the voice of the project: the examples in docs/voice.md are real, and phrases that sound translated stay out of the docs,
// of src/ and of the names of tests.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import type { Output } from '#world/world.ts';
import { phrasesInName, translatedPhrases } from '../../scripts/translated-phrases.mjs';

const page = await readFile('docs/voice.md', 'utf8');
const examples = [...page.matchAll(/^```console\n\$ wm (.*)\n([^`]*)^```$/gm)].map(
  ([, command = '', shown = '']) => ({ command, shown: anyId(shown) }),
);

/** The emulator chooses the ids of webhooks at random. */
function anyId(text: string): string {
  return text.replace(/\bIEAAAAAQW\w{11}\b/g, 'WEBHOOK');
}

test('docs/voice.md has six kinds of text, on one screen', () => {
  assert.equal(examples.length, 5);
  assert.equal([...page.matchAll(/^\*\*/gm)].length, 6);
  assert.ok(page.split('\n').length <= 60, 'it is longer than a screen');
  for (const { shown } of examples)
    for (const line of shown.split('\n')) assert.ok(line.length <= 160, `longer than two lines: ${line}`);
});

test('real runs print the examples of docs/voice.md, and the commands in their hints work', async (context) => {
  const { wm } = await emulated(context);
  await wm(['webhook', 'create', 'https://hooks.example.com/billing', '--events', 'task']);
  const followed: string[] = [];
  for (const { command, shown } of examples) {
    if (command === 'whoami') continue;
    const { output, errors } = await wm(command.split(' '));
    assert.ok(anyId(`${errors}${output}`).includes(shown), `wm ${command} prints:\n${errors}${output}`);
    const before = /.*: (?=wm [a-z ]+\n$)/.exec(shown)?.[0];
    if (!before) continue;
    const words = printedCommand(shown, before);
    await wm(words, { exit: 0 });
    followed.push(words.join(' '));
  }
  assert.deepEqual(followed, ['whoami', 'webhook list']);
});

test('a terminal shows the progress line from docs/voice.md', async (context) => {
  const shown = await slowWhoami(context);
  assert.equal(examples.find(({ command }) => command === 'whoami')?.shown, shown);
});

/** The line that a terminal shows when the service does not respond for three seconds. The service then rejects the token. */
async function slowWhoami(context: TestContext): Promise<string> {
  const clock = createTestClock((milliseconds) => {
    if (milliseconds === 3000) clock.advance(milliseconds);
  });
  const held: ServerResponse[] = [];
  let shown = '';
  const server = createServer((_, response) => {
    if (shown === '') held.push(response);
    else response.writeHead(401).end();
  });
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const host = `127.0.0.1:${await listening(server)}`;
  const output: Output = {
    isTerminal: false,
    columns: 200,
    write: async () => {},
    raw: new PassThrough(),
  };
  const write = async (text: string) => {
    shown ||= text;
    for (const response of held.splice(0)) response.writeHead(401).end();
  };
  const input = { isTerminal: false, readAll: async () => new Uint8Array(), raw: Readable.from([]) };
  const streams = { input, output, errors: { ...output, isTerminal: true, write } };
  const environment = { WM_TOKEN: 'token-of-a-test', WM_HOST: host };
  await run(['whoami'], { environment, world: { clock, streams } });
  return shown.replace(host, 'api.example.com');
}

test('the doc comment in docs/voice.md is in the file that it names', async () => {
  const [, file = '', comment = ''] = /in (src\/\S+):\n\n```ts\n(.*)\n```/.exec(page) ?? [];
  assert.ok(`\n${await readFile(file, 'utf8')}`.includes(`\n${comment}\n`), file);
});

test('finds the phrases across line ends, and does not flag good English', () => {
  const text = 'Copy is no folder. Whoever\n * reads it\nis no\n// fool; those\n> that do';
  assert.deepEqual(translatedPhrases(text), ['is no folder', 'Whoever', 'is no fool', 'those that']);
  assert.deepEqual(translatedPhrases('There is no folder. It is no longer there. It is not a folder.'), []);
});

test('docs, READMEs, src/ and scripts/ contain none of the phrases', async () => {
  const readmes = ['README.md', 'AGENTS.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/README.md'];
  const [docs, source, scripts] = await Promise.all(
    (['docs', 'src', 'scripts'] as const).map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    ),
  );
  const files = [
    ...readmes,
    ...(docs ?? []).filter((name) => name.endsWith('.md')),
    ...(source ?? []).filter((name) => /\.(?:ts|md|css)$/.test(name)),
    ...(scripts ?? []).filter((name) => /(?<!translated-phrases)\.[cm]js$/.test(name)),
  ];
  assert.ok(files.length > 900, `only ${files.length} files`);
  const found = await Promise.all(
    files.map(async (file) =>
      translatedPhrases(await readFile(file, 'utf8')).map((phrase) => `${file}: ${phrase}`),
    ),
  );
  assert.deepEqual(found.flat(), []);
});

test('no name of a test sounds translated, or has a retired word', async () => {
  const tests = (await readdir('test', { recursive: true }))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !name.includes('/node_modules/'));
  const named = /\btest(?:\.\w+)?\(\s*(['"`])((?:(?!\1)[^\\]|\\.)*)\1/g;
  const found = await Promise.all(
    tests.map(async (file) =>
      [...(await readFile(file, 'utf8')).matchAll(named)].flatMap(([, , name = '']) =>
        phrasesInName(name).map((phrase: string) => `${file}: "${phrase}" in: ${name}`),
      ),
    ),
  );
  assert.deepEqual(found.flat(), []);
});
