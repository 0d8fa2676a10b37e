// A person's folder with one sign-in in it, and real `wm` processes that use it.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after } from 'node:test';
import {
  clientId,
  clientSecret,
  type Service,
  startService,
} from '#test/support/service/rotating-service.ts';

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly errors: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Item {
  readonly generation: number;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
  readonly host: string;
}

export interface Stage {
  readonly folder: string;
  start(...typed: string[]): Running;
  run(...typed: string[]): Promise<Ended>;
  item(): Promise<Item>;
  /** Makes the access token's time run out. Only while no wm runs. */
  expire(): Promise<void>;
  /** A sign-in made anew, as after `wm login`. */
  signInAnew(host?: string): Promise<void>;
  /** The process that makes the renewal, where one runs. */
  findHelper(): Promise<number | undefined>;
  close(): Promise<void>;
}

export async function makeStage(service: Service): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-renewal-'));
  const tokens = join(folder, 'tokens', 'default.json');
  await mkdir(join(folder, 'tokens'), { mode: 0o700 });
  const environment = {
    PATH: process.env['PATH'],
    HOME: folder,
    WM_CONFIG_DIR: folder,
    WM_TOKEN_STORE: 'file',
    WM_DEBUG: '1',
  };
  const item = async (): Promise<Item> => JSON.parse(await readFile(tokens, 'utf8'));

  const stage: Stage = {
    folder,
    item,
    start(...typed) {
      const child = spawn(process.execPath, [resolve('bin/wm.js'), ...typed], {
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      let errors = '';
      child.stdout.on('data', (text) => {
        output += text;
      });
      child.stderr.on('data', (text) => {
        errors += text;
      });
      const ended = new Promise<Ended>((done) => {
        child.on('exit', (status, signal) => {
          // A helper may hold the streams of a killed command open; what matters is that it has ended.
          if (signal) done({ status, signal, output, errors });
        });
        child.on('close', (status, signal) => done({ status, signal, output, errors }));
      });
      return { child, ended };
    },
    run: (...typed) => stage.start(...typed).ended,
    async expire() {
      await writeFile(tokens, JSON.stringify({ ...(await item()), expiresAt: 1 }));
    },
    async signInAnew(host = service.host) {
      await rm(join(folder, 'renewals'), { recursive: true, force: true });
      const refreshToken = service.refreshToken();
      const accessToken = refreshToken.replace('refresh', 'access');
      await writeFile(
        join(folder, 'profiles.json'),
        JSON.stringify({
          current: 'default',
          profiles: [
            { name: 'default', authUrl: `http://${host}`, host, hostSuffixes: [], clientId, signedInAt: 1 },
          ],
        }),
      );
      await writeFile(
        tokens,
        JSON.stringify({
          generation: 1,
          accessToken,
          refreshToken,
          expiresAt: Date.now() + 3_600_000,
          host,
          clientId,
          clientSecret,
        }),
        { mode: 0o600 },
      );
    },
    async findHelper() {
      for (const pid of await readdir('/proc')) {
        if (!/^\d+$/.test(pid)) continue;
        const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
        if (!(await read('cmdline')).includes('__refresh-process')) continue;
        if ((await read('environ')).includes(`WM_CONFIG_DIR=${folder}`)) return Number(pid);
      }
      return undefined;
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
  await stage.signInAnew();
  return stage;
}

/** One of each for all the tests of a file. */
export async function stageForAll(): Promise<{ readonly service: Service; readonly stage: Stage }> {
  const service = await startService();
  const stage = await makeStage(service);
  after(async () => {
    await stage.close();
    await service.close();
  });
  return { service, stage };
}
