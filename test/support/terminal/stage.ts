// What a session of a test stands on: a fresh emulator, a receiver behind hooks.example.com, an empty folder as home, and
// an environment in which `wm` is the built program and nothing of the person who runs the tests is left.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { deliveryHeaders } from '#contract/delivery.ts';
import { sign } from '#contract/signature.ts';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { type Answer, type Call, putShellCommand, type Reply } from '#test/transcript/shell-command.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Output } from '#world/world.ts';
import { run } from '../program/program.ts';
import { textOf } from '../program/streams.ts';
import { listening } from '../service/listening.ts';

/** The secret that the receiver knows. */
export const receiverSecret = 'a secret of 3 words & é';

export interface Stage {
  readonly emulator: RunningEmulator;
  /** ADDRESS:PORT of what stands behind hooks.example.com. */
  readonly receiver: string;
  /** Home and working folder; removed afterwards. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Where the test itself runs `wm`: puts it on the PATH of shells, once. */
  readonly putOnPath?: () => Promise<void>;
}

export interface Staging {
  /** As `wm emulator exec --signed-out` has it. */
  readonly signedOut?: boolean;
  /** More commands for the PATH: shell scripts, or what the test runs. */
  readonly commands?: Readonly<Record<string, string | Answer>>;
  readonly emulator?: EmulatorOptions;
  /** The test itself runs `wm`, but where the command must be a process of its own. */
  readonly isInside?: boolean;
}

export async function setStage(test: TestContext, staging: Staging = {}): Promise<Stage> {
  const faults: string[] = [];
  const port = await startReceiver(test);
  const emulator = await startEmulator(createWorld(), {
    connectTo: [{ host: 'hooks.example.com', address: '127.0.0.1', port }],
    // Some commands ask for what there is not, on purpose: a probe, a trigger that is wrong.
    log: (line) => {
      if (!/"wmContractProbe"|wm emulator stub --help/.test(line)) faults.push(line);
    },
    fixedTokens: true,
    ...staging.emulator,
  });
  assert.ok(!('fault' in emulator));
  const folder = await mkdtemp(join(tmpdir(), 'wm-stage-'));
  const before = process.cwd();
  test.after(async () => {
    process.chdir(before);
    await emulator.close();
    // A command that a test left behind may still be writing there.
    await rm(folder, { recursive: true, maxRetries: 10 });
    assert.deepEqual(faults, [], 'the emulator failed');
  });

  const commands = join(folder, '.bin');
  await putCommands(test, commands, staging);
  const own = {
    PATH: `${commands}:${process.env['PATH']}`,
    HOME: folder,
    LANG: 'C.UTF-8',
  };
  const { WM_TOKEN, ...signedOut } = emulatorEnvironment(own, emulator, join(folder, 'config'));
  const environment = staging.signedOut ? signedOut : { ...signedOut, WM_TOKEN };
  const stage = { emulator, receiver: `127.0.0.1:${port}`, folder, environment: onlyText(environment) };
  if (!staging.isInside) return stage;
  let put: Promise<void> | undefined;
  const putOnPath = () => {
    put ??= putShellCommand(test, commands, 'wm', runInside, needsProcess);
    return put;
  };
  return { ...stage, putOnPath };
}

async function putCommands(test: TestContext, folder: string, { commands = {}, isInside }: Staging) {
  await mkdir(folder);
  // A link needs a right there, and no test there starts a shell.
  if (process.platform === 'win32') return;
  for (const [name, answer] of Object.entries(commands))
    if (typeof answer === 'function') await putShellCommand(test, folder, name, answer);
    else await writeFile(join(folder, name), `#!/bin/sh\n${answer}\n`, { mode: 0o755 });
  // `wm` looks itself up there. Before a shell runs it, putOnPath puts the real one in its place.
  if (isInside) await writeFile(join(folder, 'wm'), '', { mode: 0o755 });
  else await symlink(resolve('bin/wm.js'), join(folder, 'wm'));
}

/** What runs a child on its own streams, is ended by a signal, or reads and writes as it goes on. */
const forProcess = [' emulator exec ', ' emulator start ', ' webhook listen ', ' demo '];
/** Alone. */
const versionFlag = ' --version ';

export function isForProcess(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): boolean {
  const line = ` ${words.join(' ')} `;
  return (
    Boolean(environment['NODE_EXTRA_CA_CERTS']) ||
    line === versionFlag ||
    forProcess.some((some) => line.includes(some))
  );
}

/** The same in a shell. */
const needsProcess = `
program='${resolve('bin/wm.js')}'
if [ -n "$NODE_EXTRA_CA_CERTS" ]; then exec "$program" "$@"; fi
case " $* " in
  ${forProcess.map((some) => `*'${some}'*`).join(' | ')} | '${versionFlag}') exec "$program" "$@" ;;
esac`;

async function* readLazily(read: () => Promise<Uint8Array>) {
  yield await read();
}

/** Runs `wm` in this process, in that folder. */
export async function runInside({ words, folder, environment, readInput }: Call): Promise<Reply> {
  const { http, inspectConnection, keychain, browser, secrets, lock } = createWorld(environment);
  const writes: (readonly ['output' | 'errors', string])[] = [];
  const collect = (to: 'output' | 'errors'): Output => ({
    isTerminal: false,
    columns: undefined,
    write: async (text) => void writes.push([to, textOf(text)]),
    raw: new PassThrough(),
  });
  // Files that the words name are looked for from there.
  const before = process.cwd();
  process.chdir(folder);
  const { status } = await run(words, {
    environment,
    world: {
      ...{ http, inspectConnection, keychain, browser, secrets, lock },
      files: createFiles(environment, process.platform, folder),
      streams: {
        input: { isTerminal: false, readAll: readInput, raw: Readable.from(readLazily(readInput)) },
        output: collect('output'),
        errors: collect('errors'),
      },
    },
  }).finally(() => process.chdir(before));
  return { writes, status };
}

function onlyText(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const set = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return Object.fromEntries(set);
}

/** Answers every delivery with 200, and a handshake as the secret demands. */
async function startReceiver(test: TestContext): Promise<number> {
  const server = createServer((request, response) => {
    const challenge = request.headers[deliveryHeaders.secret.toLowerCase()];
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      // A delivery has that header, too.
      if (typeof challenge === 'string' && /"requestType"/.test(body))
        response.setHeader(deliveryHeaders.secret, sign(receiverSecret, challenge));
      response.end();
    });
  });
  const port = await listening(server);
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return port;
}
