// Plays each transcript of this folder against a fresh emulator and holds what appears against what it says. How one is
// written stands in session.ts; what a name in double braces may be, in match.ts.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { commands } from '../../src/command/commands.ts';
import { sampleApplications, sampleTokens } from '../../src/emulator/state/sample-ids.ts';
import { fill, type Known, matchLines } from './match.ts';
import { playOnTerminal } from './on-terminal.ts';
import { answerConsent } from './person.ts';
import { isOnTerminal, readSession, type Step, writeStep } from './session.ts';
import { receiverSecret, type Stage, setStage } from './stage.ts';

const folder = 'test/transcript';
/** A command that takes longer is ended, and has failed. */
const patienceMs = 60_000;

if (process.argv[2] === 'press') await press(process.argv.slice(3));
else await runTests();

/** The command `press` of the transcripts: presses a button of the consent page and goes, or shows, where that leads. */
async function press([button, address]: readonly string[]): Promise<void> {
  const wish = button === 'deny' ? 'Deny' : 'Allow';
  const landing = await answerConsent(address ?? '', { press: wish });
  if (button === 'show') process.stdout.write(`${landing}\n`);
  else await fetch(landing);
}

async function runTests(): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8')));

  // All at once, each with its emulator, would leave none of them the processor for seconds.
  describe('transcripts', { concurrency: 3 * availableParallelism() }, () => {
    for (const [at, name] of names.entries()) {
      const text = texts[at] ?? '';
      const needsCurl = readSession(text).with.includes('curl');
      const skip = process.platform === 'win32' ? 'needs /bin/sh' : needsCurl && !hasCurl() && 'needs curl';
      test(name, { skip }, (context) => play(context, name, text));
      // Again without what is only assumed of the service, on which the program may not depend.
      const set = readSession(text).with;
      if (set.includes('bare')) continue;
      if (!set.includes('assumed'))
        test(`${name}, with --bare`, { skip }, (context) => play(context, name, text, true));
      // One that says that it shows what is assumed does, or it would be played like the others.
      else
        test(`${name}, with --bare: shows what is only assumed`, { skip }, (context) =>
          assert.rejects(() => play(context, name, text, true)),
        );
    }
  });

  test('every command has a transcript', () => {
    const typed = texts.flatMap((text) => readSession(text).steps.map(({ command }) => command));
    const without = commands.filter(
      ({ words }) => !typed.some((line) => new RegExp(`\\bwm ${words}\\b(?!.*--help)`).test(line)),
    );
    assert.deepEqual(
      without.map(({ words }) => words),
      [],
    );
  });

  test('what a transcript does not say, or says of another kind, fails', () => {
    const known: Known = new Map([['{{host}}', '127.0.0.1:4010']]);
    const fits = (expected: string[], lines: string[]) => matchLines(expected, lines, known) !== undefined;
    assert.ok(fits(['a', '...', 'z'], ['a', 'b', 'c', 'z']));
    assert.ok(fits(['at {{host}} {{number}} {{number}}.'], ['at 127.0.0.1:4010 7 7.']));
    assert.ok(!fits(['a'], ['a', 'b']));
    assert.ok(!fits(['a', 'b'], ['a']));
    assert.ok(!fits(['a.c'], ['abc']));
    assert.ok(!fits(['at {{host}}'], ['at 127.0.0.1:4011']));
    assert.ok(!fits(['{{number}} {{number}}'], ['7 8']));
    assert.ok(!fits(['{{hook}}'], ['IEAAAAAQ']));
    assert.throws(() => fits(['{{nonsense}}'], ['a']), /no kind/);
    assert.throws(() => fill('{{hook}}', known), /nothing has shown/);
    assert.throws(() => readSession('$ true\nhello'), /line 2/);
    assert.throws(() => readSession('$ true\n~ hello'), /line 2/);
    assert.throws(() => readSession('with: terminal\n$ true\n~ ?\n< y\n< y'), /line 5/);
    assert.deepEqual(readSession('with: dumb\n$ true\n~ a\n~ b\n< y\n~ c').steps[0]?.dialogue, [
      { shows: ['a', 'b'], keys: 'y' },
      { shows: ['c'], keys: undefined },
    ]);
  });
}

function hasCurl(): boolean {
  return spawnSync('curl', ['--version']).status === 0;
}

async function play(context: TestContext, name: string, text: string, bare = false): Promise<void> {
  const session = readSession(text);
  assert.match(text, /^# .{20}/, 'a transcript begins by saying what it shows');
  const stage = await setStage(context, {
    signedOut: session.with.includes('signed-out'),
    emulator: { mode: bare || session.with.includes('bare') ? 'bare' : 'default' },
    // Back at once, as an opener of browsers is.
    commands: {
      press: `"${process.execPath}" "${fileURLToPath(import.meta.url)}" press "$@" 2>>press.log &`,
    },
  });
  let known: Known = new Map([
    ['{{host}}', stage.emulator.host],
    ['{{token}}', stage.emulator.token],
    ['{{token-2}}', sampleTokens.ben],
    ['{{home}}', stage.folder],
  ]);
  for (const step of session.steps) {
    const command = fill(step.command, known);
    if (isOnTerminal(session.with)) {
      const type = session.with.includes('dumb') ? 'dumb' : 'xterm-256color';
      known = await playOnTerminal(context, stage, { ...step, command }, type, known);
      continue;
    }
    const got = await run(stage, command);
    const afterOutput = matchLines(step.output, got.output, known);
    const after = afterOutput && matchLines(step.errors, got.errors, afterOutput);
    if (!after || got.exit !== step.exit)
      assert.fail(await difference(stage, name, step, { command, ...got }));
    known = after;
  }
}

type Got = Pick<Step, 'output' | 'errors' | 'exit'>;

/** What a command says of a wait of three seconds: only a busy machine has one. */
const waiting = /^Waiting for (?:process \d+|another wm), which is .* \(up to \d+ s\)\.$/;

function run({ folder: home, environment, receiver }: Stage, command: string): Promise<Got> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], {
      cwd: home,
      env: {
        ...environment,
        RECEIVER_SECRET: receiverSecret,
        RECEIVER_ADDRESS: receiver,
        OTHER_ID: sampleApplications.two.id,
        OTHER_SECRET: sampleApplications.two.secret,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that what the line started can be ended with it.
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceMs);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      const errors = linesOf(texts.stderr).filter((line) => !waiting.test(line));
      resolve({ output: linesOf(texts.stdout), errors, exit: code ?? -1 });
    });
  });
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  return text.endsWith('\n')
    ? text.slice(0, -1).split('\n')
    : [...text.split('\n'), '(no newline at the end)'];
}

async function difference(
  { folder: home }: Stage,
  name: string,
  step: Step,
  got: Omit<Step, 'line' | 'dialogue'>,
): Promise<string> {
  const log = await readFile(`${home}/press.log`, 'utf8').catch(() => '');
  return `${folder}/${name}:${step.line}\n\nexpected\n${writeStep(step)}\n\ngot\n${writeStep(got)}\n${log}`;
}
