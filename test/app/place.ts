// Where every command of the tree is called, and what is tried with a process: a reader that has gone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commands } from '#app/commands.ts';
import type { RunningEmulator } from '#emulator/emulator.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { createFiles } from '#world/files.ts';
import type { Environment } from '#world/world.ts';
import { type Invocation, invocations, placeholder } from './invocations.ts';

/** Those for which the quick suite tries it. */
const quick = ['task update', 'webhook list'];

export interface Place {
  readonly emulator: RunningEmulator;
  readonly folder: string;
  readonly environment: Environment;
  readonly values: Readonly<Record<string, string>>;
}

/** An emulator with two webhooks, files that rows name, and a receiver that accepts everything. */
export async function setPlace(
  context: TestContext,
  { usesProfile, before = [] }: Invocation,
): Promise<Place> {
  const signedOut = usesProfile === true;
  const { emulator, folder, environment } = await emulated(context, {}, { signedOut });
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
  const port = await listening(receiver);
  context.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  await writeFile(join(folder, 'hooks.yaml'), 'version: 1\nwebhooks: []\n');
  await writeFile(join(folder, 'body.json'), '[]');
  await writeFile(join(folder, 'secret.txt'), 'a secret\n');
  await writeFile(
    join(folder, 'operations.json'),
    JSON.stringify([
      { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: { title: 'One' } },
    ]),
  );
  const hookUrl = 'https://hooks.example.com/first';
  const webhook = (await call(emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id;
  const place = {
    emulator,
    folder,
    environment: { HOME: folder, ...environment },
    values: {
      [placeholder.webhook]: webhook,
      [placeholder.receiver]: `http://127.0.0.1:${port}/hook`,
      [placeholder.token]: emulator.token,
      [placeholder.folder]: folder,
    },
  };
  if (usesProfile) await succeed(place, ['login', '--with-token'], emulator.token);
  for (const argv of before) await succeed(place, filled(place, argv));
  return place;
}

async function succeed(place: Place, argv: readonly string[], input?: string): Promise<void> {
  await run(argv, { exit: 0, ...settingOf(place), ...(input === undefined ? {} : { input }) });
}

export function filled({ values }: Place, argv: readonly string[]): readonly string[] {
  return argv.map((word) =>
    Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), word),
  );
}

export function settingOf({ environment, folder }: Place) {
  return { environment, world: { files: createFiles(environment, process.platform, folder) } };
}

/** One test for each command: of the few that the quick suite tries, or of the others. */
export function testClosedReader(suite: 'quick' | 'deep'): void {
  for (const { words } of commands) {
    const invocation = invocations[words];
    // One that waits would have to be interrupted at a moment that nothing tells.
    if (invocation === undefined || invocation.notRun !== undefined || invocation.isInterrupted) continue;
    if (quick.includes(words) !== (suite === 'quick')) continue;
    const { status: wanted = 0, input } = invocation;
    test(`wm ${words}: stays quiet when its reader has gone`, async (context) => {
      const place = await setPlace(context, invocation);
      const argv = [...words.split(' '), ...filled(place, invocation.arguments)];
      const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
        cwd: place.folder,
        env: Object.fromEntries(
          Object.entries({ PATH: process.env['PATH'], HOME: place.folder, ...place.environment }).filter(
            (entry): entry is [string, string] => entry[1] !== undefined,
          ),
        ),
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      child.stdout.destroy();
      child.stdin.end(input === undefined ? '' : (place.values[input] ?? input));
      let errors = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      const [status] = await once(child, 'close');
      assert.equal(status, wanted, errors);
      assert.doesNotMatch(errors, /EPIPE|\bat .*:\d+:\d+/);
    });
  }
}
