// A command on a shell's PATH that the test itself runs: its script hands over what it was called with, and does what the test
// says. So a line of a shell can call `wm` without a process of Node, which takes twenty times as long as all the rest.

import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';

export interface Call {
  readonly words: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Takes what standard input holds, to its end. */
  readInput(): Promise<Uint8Array>;
}

/** What is written, in order, and the exit status. */
export interface Reply {
  readonly writes: readonly (readonly [to: 'output' | 'errors', text: string])[];
  readonly status: number;
}

export type Answer = (call: Call) => Promise<Reply>;

/** How many calls of a command can wait for the test at the same time; others look until one has ended. */
const bells = Array.from({ length: 16 }, (_, at) => `${at + 1}`);

/** Puts the command into `folder`. `before`: lines of the script before it asks the test. */
export async function putShellCommand(
  test: TestContext,
  folder: string,
  name: string,
  answer: Answer,
  before = '',
): Promise<void> {
  const calls = join(folder, `.${name}`);
  await mkdir(calls);
  execFileSync('mkfifo', ['asks', ...bells], { cwd: calls });
  // Only what the shell does itself: each program that it ran would take as long as the script. Where the system shows the
  // environment of a process, the test reads it there.
  const script = `#!/bin/sh
${before}
asks='${calls}/asks' call='${calls}'/$$ bell=1
set -C
until true > '${calls}'/$bell.taken; do bell=$((bell % ${bells.length} + 1)); done 2> /dev/null
set +C
environment=/proc/$$/environ
[ -r $environment ] || { environment="$call.environment"; env -0 > "$environment"; }
printf '%s\\0' "$environment" "$PWD" "$@" > "$call.words"
echo $$ $bell > "$asks"
while read -r step < '${calls}'/$bell; do . "$call.$step"; done
`;
  await writeFile(join(folder, name), script, { mode: 0o755 });
  // Holding both ends open keeps scripts from blocking, and the test from seeing an end of file.
  const flags = constants.O_RDWR | constants.O_NONBLOCK;
  const socket = new Socket({ fd: openSync(join(calls, 'asks'), flags), readable: true, writable: false });
  const opened = await Promise.all(bells.map((bell) => open(join(calls, bell), flags)));
  test.after(async () => {
    socket.destroy();
    for (const bell of opened) await bell.close();
  });

  /** Calls that take their input. */
  const taking = new Map<string, () => void>();
  createInterface(socket).on('line', (line) => {
    const [number = '', bell = ''] = line.split(' ');
    const goOn = taking.get(number);
    taking.delete(number);
    if (goOn) goOn();
    else if (number === 'free') void rm(join(calls, `${bell}.taken`), { force: true });
    else void serve(number, bell);
  });

  async function serve(number: string, bell: string): Promise<void> {
    const call = join(calls, number);
    const run = async (step: string, lines: readonly string[]) => {
      await writeFile(`${call}.${step}`, lines.map((line) => `${line}\n`).join(''));
      await opened[Number(bell) - 1]?.write(`${step}\n`);
    };
    const takeInput = async () => {
      const taken = new Promise<void>((resolve) => taking.set(number, resolve));
      await run('take', ['cat > "$call.input"', 'echo $$ > "$asks"']);
      await taken;
      return readFile(`${call}.input`);
    };
    let input: Promise<Uint8Array> | undefined;
    const [environment = '', here = '', ...words] = await readTexts(`${call}.words`);
    const variables = (await readTexts(environment)).map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)] as const;
    });
    const { writes, status } = await answer({
      words,
      folder: here,
      environment: Object.fromEntries(variables),
      readInput() {
        input ??= takeInput();
        return input;
      },
    });
    await run('end', [
      `echo free ${bell} > "$asks"`,
      ...writes.map(([to, text]) => `printf %s ${quote(text)}${to === 'errors' ? ' >&2' : ''}`),
      `exit ${status}`,
    ]);
  }
}

async function readTexts(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).split('\0').slice(0, -1);
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
