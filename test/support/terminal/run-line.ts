// Runs a line of /bin/sh on a stage. Where the test itself runs `wm`, the shell gets only what a plain call of `wm` is piped into: the
// shell and the script that hands the call over would take most of the time.

import { spawn } from 'node:child_process';
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

async function runInShell(
  { folder, environment, putOnPath }: Stage,
  line: string,
  input?: string,
): Promise<Ended> {
  if (/\bwm\b/.test(line)) await putOnPath?.();
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', line], {
      cwd: folder,
      env: environment,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      // A group of its own, so that what the line started can be ended with it.
      detached: true,
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), patienceMs);
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        texts[name] += text;
      });
    }
    // A reader such as `head` may leave before the end.
    child.stdin?.on('error', () => {}).end(input);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ status: code ?? -1, output: texts.stdout, errors: texts.stderr });
    });
  });
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
