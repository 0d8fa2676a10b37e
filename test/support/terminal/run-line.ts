// Runs a line of /bin/sh on a stage. Where the test itself runs `wm`, the shell gets only what a plain call of `wm` is piped into: the
// shell and the script that hands the call over would take most of the time.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { quote } from '#test/transcript/shell-command.ts';
import { isForProcess, runInside, type Stage } from './stage.ts';

export interface Ended {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

/** A line that takes longer is ended, and has failed. */
const patienceMs = 300_000;

export async function runLine(stage: Stage, line: string): Promise<Ended> {
  const call = stage.putOnPath ? parseCall(line) : undefined;
  if (!call) return runInShell(stage, line);
  const variables = Object.entries({ ...stage.environment, ...call.set });
  const environment = Object.fromEntries(variables.filter(([name]) => !call.unset.includes(name)));
  if (isForProcess(call.words, environment)) return runInShell(stage, line);
  const { writes, status } = await runInside({
    words: call.words,
    folder: stage.folder,
    environment,
    readInput: async () => new Uint8Array(),
  });
  const textOf = (stream: 'output' | 'errors') =>
    writes.flatMap(([to, text]) => (to === stream ? [text] : [])).join('');
  const own = { status, output: textOf('output'), errors: textOf('errors') };
  if (call.pipedInto === undefined) return own;
  const end = await runInShell(stage, call.pipedInto, own.output);
  return { ...end, errors: own.errors + end.errors };
}

type Shell = ChildProcessByStdio<Writable, Readable, Readable>;

/** Shells that wait for a line. To start one from the large process of the tests takes longer than most lines do. */
const idle: Shell[] = [];

/** Ends with the tests, which hold the other end of its input, and does not keep them. */
function startShell(): Shell {
  // A group of its own, so that what a line started can be ended with it.
  const shell = spawn('/bin/sh', { env: {}, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  shell.unref();
  for (const stream of [shell.stdin, shell.stdout, shell.stderr])
    if (stream instanceof Socket) stream.unref();
  for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding('utf8');
  return shell;
}

async function runInShell(
  { folder, environment, putOnPath }: Stage,
  line: string,
  input?: string,
): Promise<Ended> {
  if (/\bwm\b/.test(line)) await putOnPath?.();
  const shell = idle.pop() ?? startShell();
  const timer = setTimeout(() => process.kill(-(shell.pid ?? 0), 'SIGKILL'), patienceMs);
  const texts = { stdout: '', stderr: '' };
  const status = await new Promise<number>((resolve) => {
    for (const name of ['stdout', 'stderr'] as const)
      shell[name].on('data', (text: string) => {
        texts[name] += text;
        const end = /\0(\d+)\0$/.exec(texts.stdout);
        if (end && texts.stderr.endsWith('\0')) resolve(Number(end[1]));
      });
    shell.once('close', () => resolve(-1));
    const variables = Object.entries(environment).map(([name, value]) => `${name}=${quote(value)}`);
    const pipe = input === undefined ? '' : `printf %s ${quote(input)} |`;
    shell.stdin.write(`(
cd ${quote(folder)}; unset OLDPWD; export ${variables.join(' ')}; ${pipe} eval ${quote(line)}
) < /dev/null; printf '\\0%d\\0' $?; printf '\\0' >&2
`);
  });
  clearTimeout(timer);
  for (const stream of [shell.stdout, shell.stderr]) stream.removeAllListeners('data');
  shell.removeAllListeners('close');
  if (status >= 0) idle.push(shell);
  return { status, output: texts.stdout.replace(/\0\d+\0$/, ''), errors: texts.stderr.replace(/\0$/, '') };
}

const word = String.raw`(?:[\w@%+=:,./-]|'[^']*'|"[^"$\`\\]*")+`;
const gap = String.raw`(?: |\\\n)+`;
const plainCall = new RegExp(
  String.raw`^(?<unset>env(?: -u \w+)+ )?(?<set>(?:\w+=${word} )*)wm(?<words>(?:${gap}${word})*)(?: < /dev/null)?(?: +#.*| *\|(?!\|)(?<pipedInto>[^]*))?$`,
);

/** `wm` with words that no shell changes, variables that are set or unset before it, and what its output goes to. */
function parseCall(line: string) {
  const groups = plainCall.exec(line)?.groups;
  if (!groups) return undefined;
  const { unset = '', set = '', words = '', pipedInto } = groups;
  return {
    words: unquotedWords(words),
    unset: Array.from(unset.matchAll(/-u (\w+)/g), ([, name]) => name ?? ''),
    set: Object.fromEntries(
      unquotedWords(set).map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    ),
    pipedInto,
  };
}

/** The words of a line that a shell would not change. */
export function unquotedWords(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(word, 'g')), ([one]) =>
    one.replace(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );
}
