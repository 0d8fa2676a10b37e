// The setting of the tests of `wm webhook rotate-secret`: an emulator, and a receiver that knows some secrets.

import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EmulatorOptions } from '#emulator/service/settings.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { type Kill, killingHttp } from '#test/support/program/killed-run.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { respondRightly, startReceiver, type TestReceiver } from '../verification/receivers.ts';
import { type RecordingServer, recordingServer } from './recording-server.ts';

export const oldSecret = '0ld-5ecret';
export const newSecret = 'n3w-5ecret';

export interface Rotating extends Emulated {
  readonly recording: RecordingServer;
  readonly receiver: TestReceiver;
  /** The secrets that the receiver knows. */
  readonly knows: Set<string>;
  /** The file with the new secret. */
  readonly secretFile: string;
  /** Creates a webhook of one event with the old secret; its id. */
  create(path?: string, argv?: readonly string[]): Promise<string>;
  /** With the new secret from the file, and --yes. */
  rotate(id: string, ...typed: readonly string[]): ReturnType<Emulated['wm']>;
  /** The same, without a look at the receiver, as words of a command. */
  unverified(id: string): readonly string[];
  /** Runs these words, and kills that at its n-th request; the requests until then. */
  killed(words: readonly string[], kill: Kill): Promise<readonly string[]>;
  /** Every webhook of the service: `Active URL`, sorted. */
  state(): Promise<readonly string[]>;
}

/** The secrets that are stored on this machine, by name. */
export async function storedSecrets({
  environment,
}: Pick<Emulated, 'environment'>): Promise<ReadonlyMap<string, string>> {
  const folder = join(environment['WM_CONFIG_DIR'] ?? '', 'webhook-secrets');
  const names = await readdir(folder).catch(() => []);
  const texts = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFile(join(folder, name), 'utf8'));
  const all = (await Promise.all(texts)).map((text): { webhookId: string; secret: string } =>
    JSON.parse(text),
  );
  return new Map(all.map(({ webhookId, secret }) => [webhookId, secret]));
}

export const unlimited = ['--within', '300'];

export async function rotating(
  test: TestContext,
  { mode }: Pick<EmulatorOptions, 'mode'> = {},
): Promise<Rotating> {
  const recording = recordingServer(createWorld().server);
  const service = await emulated(
    test,
    { allowLocalHooks: true, ...(mode && { mode }) },
    { server: recording.server },
  );
  const knows = new Set([oldSecret, newSecret]);
  const receiver = await startReceiver(test, async (arrived) => {
    let last = await respondRightly('a secret that no webhook has')(arrived);
    for (const key of knows) {
      last = await respondRightly(key)(arrived);
      if (last.status === 200) return last;
    }
    return last;
  });
  const secretFile = join(service.folder, 'new-secret.txt');
  await writeFile(secretFile, `${newSecret}\n`);
  return {
    ...service,
    recording,
    receiver,
    knows,
    secretFile,
    async create(path = 'hook', argv = ['--events', 'TaskCreated']) {
      const url = `http://127.0.0.1:${receiver.port}/${path}`;
      const made = await service.wm(['webhook', 'create', url, ...argv, '--json', '-q'], {
        environment: { WM_WEBHOOK_SECRET: oldSecret },
      });
      assert.equal(made.status, 0, made.errors);
      return JSON.parse(made.output).id;
    },
    rotate: (id, ...argv) =>
      service.wm([
        'webhook',
        'rotate-secret',
        id,
        '--secret-file',
        secretFile,
        ...unlimited,
        '--yes',
        ...argv,
      ]),
    unverified: (id) => ['webhook', 'rotate-secret', id, '--secret-file', secretFile, '--no-verify', '--yes'],
    async killed(words, kill) {
      const stop = killingHttp(createWorld().http, kill);
      await Promise.race([service.wm(words, { world: stop.world }), stop.killed]);
      return stop.requests;
    },
    async state() {
      const listed = await service.wm(['webhook', 'list', '--json', '-q']);
      const all: readonly { status: string; hookUrl: string }[] = JSON.parse(listed.output);
      return all.map(({ status, hookUrl }) => `${status} ${new URL(hookUrl).pathname}`).toSorted();
    },
  };
}

/** As on another machine, which did not create the webhooks. */
export async function forget({ environment, folder }: Emulated): Promise<void> {
  const { stateFolder } = createFiles(environment, process.platform, folder);
  await rm(join(stateFolder, 'webhooks'), { recursive: true, force: true });
}

/** A clock so late that requests of an earlier run can no longer take effect. */
export const later = () => ({ clock: clockAt(Date.now() + 600_000) });
