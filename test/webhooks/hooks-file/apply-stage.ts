// An emulator with webhooks that a file changes in every way, and `wm webhook apply` there: run, killed, and run again.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { type Kill, killingHttp } from '#test/support/program/killed-run.ts';
import { createWorld } from '#world/create-world.ts';
import { forget, record } from './local-record.ts';
import { recordingServer } from './recording-server.ts';
import { fileOf, withFile } from './with-file.ts';

const folderId = 'IEAAAAAQI4AB5FLD';
const url = (name: string) => `url: http://hooks.example.com/${name}`;
const folder = `scope: {folder: ${folderId}}`;

export interface Mode {
  readonly name: string;
  readonly bare: boolean;
  /** Whether this machine has its records before the first run, and before the second. */
  readonly records: readonly [boolean, boolean];
  readonly flags?: readonly string[];
}

export const modes: readonly Mode[] = [
  { name: 'with the assumed fields', bare: false, records: [true, true] },
  { name: 'with the assumed fields, the records lost', bare: false, records: [true, false] },
  { name: 'with --bare', bare: true, records: [true, true] },
  // Then the service shows no difference between two webhooks of one URL: they are blocked unless the flag is there.
  { name: 'with --bare, without records', bare: true, records: [false, false], flags: ['--replace-unknown'] },
];

/** As in CI. A first run sends the same requests as with records, so a kill leaves the same state as in {@link modes}. */
export const withoutRecords: Mode = { name: 'without records', bare: false, records: [false, false] };

/** An emulator with a machine of its own, on which one run follows another. */
export async function openStage(context: TestContext, { bare, records, flags = [] }: Mode) {
  const recording = recordingServer(createWorld().server);
  const service = await withFile(context, { mode: bare ? 'bare' : 'default' }, { server: recording.server });
  const { environment, emulator } = service;
  const file = await service.write(
    fileOf(
      `${url('kept')}\n${folder}\nevents: [TaskCreated]`,
      `${url('replaced')}\n${folder}\nevents: [TaskDeleted]\nstatus: Suspended`,
      `${url('suspended')}\n${folder}\nevents: [TaskCreated]\nstatus: Suspended`,
      `${url('resumed')}\n${folder}\nevents: [TaskCreated]\nstatus: Active`,
      `${url('twice')}\n${folder}\nevents: [TaskCreated]`,
      `${url('new')}\nscope: account\nevents: all`,
    ),
  );
  const argv = ['webhook', 'apply', file, '--yes', ...flags];
  const send = async (method: string, path: string, parameters: Record<string, string> = {}) => {
    const response = await fetch(`${emulator.baseUrl}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${emulator.token}` },
      ...(method === 'GET' ? {} : { body: new URLSearchParams(parameters) }),
    });
    assert.equal(response.status, 200);
    return JSON.parse(await response.text()).data;
  };
  const created: Record<string, object> = {};
  const add = async (name: string, ...events: readonly string[]) => {
    const hookUrl = `http://hooks.example.com/${name}`;
    const parameters = { hookUrl, events: JSON.stringify(events) };
    const [{ id }] = await send('POST', `folders/${folderId}/webhooks`, parameters);
    const at = '2026-01-02T03:04:05.000Z';
    created[id] = { created: { at, hookUrl, folderId, events, signed: false } };
    return id;
  };
  return {
    recording,
    /** Since the last call of `reset`; webhooks are named by what they were created with. */
    requests(): readonly string[] {
      return recording
        .requests()
        .map((request) => request.replace(/(?<=webhooks\/)\w+/, (id) => recording.createdWith(id) ?? id));
    },
    /** Every webhook: its status and what it was created with. Sorted. */
    async state(): Promise<readonly string[]> {
      const all: readonly { id: string; status: string }[] = await send('GET', 'webhooks');
      return all.map(({ id, status }) => `${status} ${recording.createdWith(id)}`).toSorted();
    },
    /** Leaves only the webhooks that the file replaces, suspends, resumes, deletes and keeps. */
    async reset() {
      await service.control('reset');
      await rm(join(service.folder, 'config'), { recursive: true, force: true });
      for (const id of Object.keys(created)) delete created[id];
      await add('kept', 'TaskCreated');
      await add('replaced', 'TaskCreated');
      await add('suspended', 'TaskCreated');
      await send('PUT', `webhooks/${await add('resumed', 'TaskCreated')}`, { status: 'Suspended' });
      await add('twice', 'TaskCreated');
      await add('twice', 'TaskTitleChanged');
      await add('other', 'TaskCreated');
      if (records[0]) await record(service, created);
      recording.watch();
    },
    async loseRecords() {
      if (!records[1]) await forget(service);
    },
    /** Runs it, and kills it at this request. */
    async kill(kill: Kill): Promise<void> {
      const stop = killingHttp(createWorld().http, kill);
      assert.equal(await Promise.race([service.wm(argv, { world: stop.world }), stop.killed]), 'killed');
    },
    /** As a process. */
    async killProcess(kill: Kill): Promise<void> {
      const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
        cwd: service.folder,
        env: { ...environment, PATH: process.env['PATH'] },
        stdio: 'ignore',
      });
      recording.watch({ ...kill, stop: () => child.kill('SIGKILL') });
      assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
    },
    /** Returns its exit status. */
    async apply(): Promise<number> {
      return (await service.wm(argv)).status;
    },
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

const inFolder = (status: string, name: string, event: string) =>
  `${status} /api/v4/folders/${folderId}/webhooks hookUrl=http://hooks.example.com/${name}&events=["${event}"]`;

export const expected = [
  'Active /api/v4/webhooks hookUrl=http://hooks.example.com/new',
  inFolder('Active', 'kept', 'TaskCreated'),
  inFolder('Active', 'other', 'TaskCreated'),
  inFolder('Active', 'resumed', 'TaskCreated'),
  inFolder('Active', 'twice', 'TaskCreated'),
  inFolder('Suspended', 'replaced', 'TaskDeleted'),
  inFolder('Suspended', 'suspended', 'TaskCreated'),
].toSorted();

export const listAlone = ['GET /api/v4/webhooks'];

/** `kill`: runs it, and kills it. */
export async function killAndRunAgain(
  stage: Stage,
  description: string,
  kill: () => Promise<void>,
  isRepeatable: boolean,
) {
  const { recording } = stage;
  await stage.reset();
  await kill();
  recording.watch();
  await stage.loseRecords();
  assert.equal(await stage.apply(), 0, description);
  assert.deepEqual(await stage.state(), expected, description);
  if (!isRepeatable) return;
  recording.watch();
  assert.equal(await stage.apply(), 0, description);
  assert.deepEqual(recording.requests(), listAlone, `${description}: a third run changes nothing`);
}
