// A command on a shell's PATH that the test itself runs: its script hands over what it was called with, and does what the test
// says. So a line of a shell can call `wm` without a process of Node, which takes twenty times as long as all the rest.

import { execFileSync } from 'node:child_process';
import { constants, openSync } from 'node:fs';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
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
  execFileSync('mkfifo', [join(calls, 'asks')]);
  // A bell that is opened again before the test has let go of it rings without a step.
  const script = `#!/bin/sh
${before}
asks='${calls}/asks' call='${calls}'/$$
mkdir "$call"
mkfifo "$call/bell"
{ printf '%s\\0' "$PWD" "$#" "$@"; env -0; } > "$call/call"
echo $$ > "$asks"
while [ -p "$call/bell" ]; do read -r step < "$call/bell" && . "$call/$step"; done
`;
  await writeFile(join(folder, name), script, { mode: 0o755 });
  // Holding both ends open keeps scripts from blocking, and the test from seeing an end of file.
  const asks = openSync(join(calls, 'asks'), constants.O_RDWR | constants.O_NONBLOCK);
  const socket = new Socket({ fd: asks, readable: true, writable: false });
  test.after(() => socket.destroy());

  /** Calls that take their input. */
  const taking = new Map<string, () => void>();
  createInterface(socket).on('line', (number) => {
    const goOn = taking.get(number);
    taking.delete(number);
    if (goOn) goOn();
    else void serve(number);
  });

  async function serve(number: string): Promise<void> {
    const call = join(calls, number);
    // Without blocking: a script that was killed never opens its end.
    const bell = await open(join(call, 'bell'), constants.O_RDWR | constants.O_NONBLOCK);
    test.after(() => bell.close());
    const run = async (step: string, lines: readonly string[]) => {
      await writeFile(join(call, step), lines.map((line) => `${line}\n`).join(''));
      await bell.write(`${step}\n`);
    };
    const takeInput = async () => {
      const taken = new Promise<void>((resolve) => taking.set(number, resolve));
      await run('take', ['cat > "$call/input"', 'echo $$ > "$asks"']);
      await taken;
      return readFile(join(call, 'input'));
    };
    let input: Promise<Uint8Array> | undefined;
    const { writes, status } = await answer({
      ...parseCall(await readFile(join(call, 'call'), 'utf8')),
      readInput() {
        input ??= takeInput();
        return input;
      },
    });
    await run('end', [
      ...writes.map(([to, text]) => `printf %s ${quote(text)}${to === 'errors' ? ' >&2' : ''}`),
      `exit ${status}`,
    ]);
  }
}

function parseCall(text: string): Omit<Call, 'readInput'> {
  const [folder = '', count = '', ...rest] = text.split('\0');
  const variables = rest.slice(Number(count), -1).map((line) => {
    const at = line.indexOf('=');
    return [line.slice(0, at), line.slice(at + 1)] as const;
  });
  return { folder, words: rest.slice(0, Number(count)), environment: Object.fromEntries(variables) };
}

/** As one word of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
