// SIGHUP to a command that runs for long without a terminal, as under nohup: it says once that it ignores it, and SIGTERM ends it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { inFront } from '#test/support/service/intercept.ts';

const skip = process.platform === 'win32' && 'no SIGHUP there';
const message = 'Ignoring SIGHUP: wm runs without a terminal, as under nohup. To end wm, send SIGTERM.';

/** Starts the program with pipes in the place of a terminal. `prints` resolves once standard output or standard error matches. */
function start(
  context: TestContext,
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
) {
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => void child.kill('SIGKILL'));
  const texts = { output: '', errors: '' };
  const watchers = new Set<() => void>();
  const collect = (name: keyof typeof texts, stream: ChildProcess['stdout']) =>
    stream?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
      for (const watch of watchers) watch();
    });
  collect('output', child.stdout);
  collect('errors', child.stderr);
  const ended = new Promise<number | null>((done) => child.on('close', done));
  const prints = (pattern: RegExp) => {
    const printed = new Promise<string>((done) => {
      const watch = () => {
        const [, match] = pattern.exec(texts.output) ?? pattern.exec(texts.errors) ?? [];
        if (match !== undefined) done(match);
      };
      watchers.add(watch);
      watch();
    });
    return Promise.race([
      printed,
      ended.then((status) => assert.fail(`it ended with ${status}: ${texts.errors}`)),
    ]);
  };
  return { child, texts, ended, prints };
}

for (const { name, argv, request, says } of [
  {
    name: 'webhook listen',
    argv: ['--port', '0', '--unsigned', '--print', 'all', '--json', '--journal', 'FOLDER'],
    request: { method: 'POST', body: '[]' },
    says: /"listening".*?"url":"(http:[^"]+)"/,
  },
  {
    name: 'emulator start',
    argv: ['--port', '0', '--json'],
    request: { method: 'GET' },
    says: /"baseUrl":"(http:[^"]+)\/api/,
  },
] as const)
  test(`wm ${name} without a terminal: continues after SIGHUP and says so once`, {
    skip,
  }, async (context) => {
    const { folder, environment } = await emulated(context);
    const words = [...name.split(' '), ...argv].map((word) =>
      word.replace('FOLDER', join(folder, 'journal')),
    );
    const { child, texts, ended, prints } = start(context, words, environment);
    const url = await prints(says);
    child.kill('SIGHUP');
    await prints(new RegExp(`(${message})`));
    child.kill('SIGHUP');
    assert.equal((await fetch(url, request)).status, 200);
    child.kill('SIGTERM');
    assert.equal(await ended, 0, texts.errors);
    assert.equal(texts.errors.split(message).length, 2, texts.errors);
  });

test('wm emulator exec without a terminal: does not pass SIGHUP on', { skip }, async (context) => {
  const { environment } = await emulated(context);
  const wait =
    "process.on('SIGHUP', () => process.exit(7)); require('node:net').createServer().listen(0); console.log('ready')";
  const words = ['emulator', 'exec', '--', process.execPath, '-e', wait];
  const { child, texts, ended, prints } = start(context, words, environment);
  await prints(/(ready)/);
  child.kill('SIGHUP');
  await prints(new RegExp(`(${message})`));
  child.kill('SIGTERM');
  assert.equal(await ended, 143, texts.errors);
});

test('a bulk run without a terminal sends every row after SIGHUP', { skip }, async (context) => {
  const { folder, environment, task } = await emulated(context);
  const file = join(folder, 'tasks.csv');
  await writeFile(file, `id,title\n${sample.task},one\n${sample.bug},two\n`);
  const host = await inFront(context, environment['WM_HOST'], ({ method }) => {
    if (method === 'PUT') running.child.kill('SIGHUP');
    return false;
  });
  const words = ['task', 'update', '--from', file, '--yes', '--concurrency', '1'];
  const running = start(context, words, { ...environment, WM_HOST: host });
  assert.equal(await running.ended, 0, running.texts.errors);
  assert.equal(running.texts.errors.split(message).length, 2, running.texts.errors);
  assert.deepEqual([(await task(sample.task)).title, (await task(sample.bug)).title], ['one', 'two']);
});

for (const terminal of ['input', 'output', 'errors'] as const)
  test(`standard ${terminal} is a terminal: SIGHUP still ends it`, async () => {
    const signals = handSignals();
    const { streams } = collectStreams();
    const output = {
      ...streams.output,
      async write(text: string | Uint8Array) {
        await streams.output.write(text);
        signals.interrupt('SIGHUP');
      },
    };
    const own = { ...streams, output };
    const world = {
      process: { ...signals.process, ignoreHangup: () => assert.fail('it would outlive its terminal') },
      streams: { ...own, [terminal]: { ...own[terminal], isTerminal: true } },
    };
    await run(['emulator', 'start', '--port', '0', '--json'], { exit: 0, world });
  });
