// `wm` for Windows, run by wine as whole commands against an emulator on Linux. What stands in the way is what wine lacks:
// docs/platforms.md lists it. scripts/test-windows.mjs installs what this uses.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Stage, type Staging, setStage } from '#test/support/terminal/stage.ts';

const installed = resolve('build/windows');
const drive = join(installed, 'prefix', 'drive_c');
const program = 'npm\\node_modules\\wm-cli\\bin\\wm.js';
const wine = '/usr/lib/wine/wine64';

/** A Linux path as a program under wine names it: below C: where that is, else below Z:. */
export function windowsPath(path: string): string {
  const inside = path.startsWith(`${drive}/`) ? `C:${path.slice(drive.length)}` : `Z:${path}`;
  return inside.replaceAll('/', '\\');
}

export interface Ran {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

export interface Running {
  readonly ended: Promise<Ran>;
  /** Waits for the first match in what it has written to either stream. */
  shows(pattern: RegExp): Promise<RegExpExecArray>;
  /** As Windows ends a process: without notice. */
  kill(): void;
}

export interface Start {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Below the folder. */
  readonly at?: string;
}

export interface Windows extends Stage {
  /** The folder, and what is in it, as Windows names it. */
  path(...names: readonly string[]): string;
  /** Writes a file in the folder; its name as Windows has it. */
  put(name: string, content: string | Uint8Array): Promise<string>;
  start(words: readonly string[], how?: Start): Running;
  wm(words: readonly string[], how?: Start): Promise<Ran>;
  /** Fails where the command does. */
  good(words: readonly string[], how?: Start): Promise<Ran>;
  /** Node by itself. */
  node(words: readonly string[], how?: Start): Running;
  /** A line for cmd.exe, which finds npm's wm.cmd on its path. */
  cmd(line: string, how?: Start): Promise<Ran>;
  /** The line for a shell in a terminal. */
  terminalLine(words: readonly string[]): string;
  control(path: string, body?: unknown): Promise<unknown>;
}

/** A test of rows in docs/platforms.md. test/documents/platforms.test.ts compares their names with those that the page says run here. */
export function testRows(names: readonly string[], run: (test: TestContext) => Promise<void>): void {
  test(names.join('; '), run);
}

/** A line for Linux that runs Node for Windows. */
export const wineLine = (words: readonly string[]): readonly string[] => [wine, node, ...words];

export async function setWindows(context: TestContext, staging: Staging = {}): Promise<Windows> {
  assert.ok(existsSync(drive), 'npm run test:windows installs what this needs');
  const stage = await setStage(context, { signedOut: true, ...staging });
  const folder = await mkdtemp(join(drive, 't-'));
  const children = new Set<ChildProcess>();
  context.after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });
  const { PATH, HOME, ...rest } = stage.environment;
  const environment: Record<string, string> = {
    ...rest,
    PATH: PATH ?? '',
    HOME: HOME ?? '',
    LANG: 'C.UTF-8',
    NODE: node,
    WM_CONFIG_DIR: `${windowsPath(folder)}\\config`,
    WINEPREFIX: join(installed, 'prefix'),
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
  };
  let runs = 0;
  const startProgram = (line: readonly string[], how: Start = {}): Running => {
    runs++;
    const name = (kind: string) => join(stage.folder, `.${runs}.${kind}`);
    const [output, errors] = [name('output'), name('errors')];
    // Node under wine cannot use a pipe or a socket of Linux as a standard stream.
    const files = [openSync(output, 'w'), openSync(errors, 'w')];
    if (how.input !== undefined) {
      writeFileSync(name('input'), how.input);
      files.unshift(openSync(name('input'), 'r'));
    }
    const child = spawn(wine, [...line], {
      cwd: join(folder, how.at ?? ''),
      env: { ...environment, ...how.environment },
      stdio: how.input === undefined ? ['ignore', ...files] : files,
    });
    for (const file of files) closeSync(file);
    children.add(child);
    const written = () => [readFileSync(output, 'utf8'), readFileSync(errors, 'utf8')] as const;
    const ended = new Promise<Ran>((done, fail) => {
      child.on('error', fail).on('exit', (code, signal) => {
        children.delete(child);
        const [out, err] = written();
        done({ status: code ?? (signal === null ? -1 : 137), output: lines(out), errors: lines(err) });
      });
    });
    return {
      ended,
      shows(pattern) {
        return new Promise((found, fail) => {
          const look = () => {
            const match = pattern.exec(lines(written().join('\n')));
            if (!match) return false;
            for (const watcher of watchers) watcher.close();
            found(match);
            return true;
          };
          const watchers = [output, errors].map((file) => watch(file, () => void look()));
          if (look()) return;
          void ended.then((ran) => {
            if (!look()) fail(new Error(`ended before ${pattern}: ${JSON.stringify(ran)}`));
          });
        });
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
  const words = (typed: readonly string[]) => [
    node,
    windowsPath(join(installed, program.replaceAll('\\', '/'))),
    ...typed,
  ];
  const wm = (typed: readonly string[], how?: Start) => startProgram(words(typed), how).ended;
  const path = (...names: readonly string[]) => [windowsPath(folder), ...names].join('\\');
  return {
    ...stage,
    folder,
    environment,
    path,
    async put(name, content) {
      await writeFile(join(folder, name), content);
      return path(...name.split('/'));
    },
    node: (typed, how) => startProgram([node, ...typed], how),
    async cmd(line, how) {
      // In a batch file a % is doubled.
      const text = `@set PATH=${windowsPath(join(installed, 'npm'))};%PATH%\r\n@${line.replaceAll('%', '%%')}\r\n`;
      await writeFile(join(folder, 'line.cmd'), text);
      return startProgram(['cmd', '/c', path('line.cmd')], how).ended;
    },
    start: (typed, how) => startProgram(words(typed), how),
    wm,
    async good(typed, how) {
      const ran = await wm(typed, how);
      assert.equal(ran.status, 0, `${typed.join(' ')}\n${ran.output}${ran.errors}`);
      return ran;
    },
    terminalLine: (typed) => [wine, ...words(typed)].map((word) => `'${word}'`).join(' '),
    async control(where, body = {}) {
      const response = await fetch(`${stage.emulator.controlUrl}/${where}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      return JSON.parse(await response.text());
    },
  };
}

const node = windowsPath(join(installed, 'npm', 'node.exe'));

/** Waits until the emulator has got the request of its fault, which it answers with silence. */
export async function untilSent({ emulator }: Windows): Promise<void> {
  for (;;) if (/"faults":\s*\[\]/.test(await (await fetch(`${emulator.controlUrl}/faults`)).text())) return;
}

/** Node writes \n alone. What cmd.exe writes ends with \r\n. */
const lines = (text: string) => text.replaceAll('\r\n', '\n');
