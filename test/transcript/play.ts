// Plays a transcript against a fresh emulator and holds what appears against what it says. How one is written stands in
// session.ts; what a name in double braces may be, in match.ts.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Agent, fetch, type RequestInit } from 'undici';
import { sampleApplications, sampleTokens } from '#emulator/state/sample-ids.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { runLine } from '#test/support/terminal/run-line.ts';
import { receiverSecret, type Stage, setStage } from '#test/support/terminal/stage.ts';
import { fill, type Known, matchLines } from './match.ts';
import { playOnTerminal } from './on-terminal.ts';
import { isOnTerminal, readSession, type Session, type Step, writeStep } from './session.ts';
import type { Call, Reply } from './shell-command.ts';

const folder = 'test/transcript';

/** The quick suite's transcripts: a few of each product. */
const quick = [
  'batch-invalid.txt',
  'find-odd.txt',
  'folder-titles.txt',
  'in-use.txt',
  'next.txt',
  'sign-in-landing.txt',
  'sign-in.txt',
  'task-errors.txt',
  'task-list-gaps.txt',
  'task-many.txt',
  'task-name-gaps.txt',
  'task-records.txt',
  'task-resume.txt',
  'task-rows.txt',
  'task-spreadsheet.txt',
  'task-undo-lost.txt',
  'task-undo.txt',
  'task.txt',
  'token-wins.txt',
  'webhook-deleted.txt',
  'webhook-diff-bare.txt',
  'webhook-listen.txt',
  'webhook-rotate-unknown.txt',
  'webhook.txt',
];

export async function readTranscripts(): Promise<readonly Transcript[]> {
  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.txt')).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(`${folder}/${name}`, 'utf8');
      const session = readSession(text);
      const needsCurl = session.with.includes('curl') && !hasCurl;
      const skip = process.platform === 'win32' ? 'needs /bin/sh' : needsCurl && 'needs curl';
      return { name, text, session, skip, isDeep: !quick.includes(name) };
    }),
  );
}

/** The command `press` of the transcripts: presses a button of the consent page and goes, or shows, where that leads. */
async function press({ words: [button, address = ''], folder: home, environment }: Call): Promise<Reply> {
  const authorities = environment['NODE_EXTRA_CA_CERTS'];
  const connect = authorities === undefined ? {} : { ca: await readFile(authorities) };
  const send = (url: string | URL, options: RequestInit = {}) =>
    fetch(url, { ...options, dispatcher: new Agent({ connect }) });
  const landing = answerConsent(address, { press: button === 'deny' ? 'Deny' : 'Allow' }, send);
  if (button === 'show') return { writes: [['output', `${await landing}\n`]], status: 0 };
  // Back at once, as an opener of browsers is.
  landing
    .then((callback) => send(callback))
    .catch((error: unknown) => appendFile(join(home, 'press.log'), `${error}\n`));
  return { writes: [], status: 0 };
}

export interface Transcript {
  /** Of its file. */
  readonly name: string;
  readonly text: string;
  readonly session: Session;
  /** Why it cannot be played here. */
  readonly skip: string | false;
  readonly isDeep: boolean;
}

/** `bare`: without what is only assumed of the service. `isInside`: the test itself runs `wm`, where that is the same. */
export async function play(
  context: TestContext,
  { name, text, session }: Transcript,
  { bare = false, isInside = false } = {},
): Promise<void> {
  assert.match(text, /^# .{20}/, 'a transcript begins by saying what it shows');
  const stage = await setStage(context, {
    signedOut: session.with.includes('signed-out'),
    isInside: isInside && !isOnTerminal(session.with),
    emulator: { mode: bare || session.with.includes('bare') ? 'bare' : 'default' },
    commands: { press },
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
      known = await playOnTerminal(
        context,
        stage,
        { ...step, command },
        { type, isSmall: session.with.includes('80x24') },
        known,
      );
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
const waiting =
  /^(?:Waiting for (?:process \d+|another wm), which is .*|Still refreshing the sign-in \S+) \(up to \d+ s\)\.$/;

async function run(stage: Stage, command: string): Promise<Got> {
  const environment = {
    ...stage.environment,
    RECEIVER_SECRET: receiverSecret,
    RECEIVER_ADDRESS: stage.receiver,
    OTHER_ID: sampleApplications.two.id,
    OTHER_SECRET: sampleApplications.two.secret,
  };
  const { status, output, errors } = await runLine({ ...stage, environment }, command);
  return {
    output: linesOf(output),
    errors: linesOf(errors).filter((line) => !waiting.test(line)),
    exit: status,
  };
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
