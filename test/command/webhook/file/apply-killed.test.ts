// `wm webhook apply`, killed at each of its requests, and run again: the state is the same each time, without duplicates, with
// and without what this machine recorded, and where the service shows no more than the contract says.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { forget, record } from './local-record.ts';
import { recordingProxy } from './recording-proxy.ts';
import { fileOf, withFile } from './with-file.ts';

const url = (name: string) => `url: http://hooks.example.com/${name}`;
const folder = 'scope: {folder: IEAAAAAQI4AB5FLD}';

/** A file, and webhooks of which it creates, replaces, suspends, resumes, deletes and keeps one. */
async function scene(context: TestContext, bare: boolean, flags: readonly string[] = []) {
  const service = await withFile(context, { bare });
  const { environment } = service;
  const proxy = await recordingProxy(context, environment['WM_HOST'], environment['WM_TOKEN'] ?? '');
  const env = { ...environment, WM_HOST: proxy.host };
  const place = { folder: service.folder, environment: env };
  const wm = (...typed: readonly string[]) => service.wm(typed, { environment: { WM_HOST: proxy.host } });
  const created: Record<string, object> = {};
  const add = async (name: string, ...events: readonly string[]) => {
    const flags = ['--folder', 'IEAAAAAQI4AB5FLD', '--events', events.join(',')];
    const made = await wm('webhook', 'create', `http://hooks.example.com/${name}`, ...flags, '--json', '-q');
    const { id } = JSON.parse(made.output);
    const at = '2026-01-02T03:04:05.000Z';
    created[id] = {
      created: {
        at,
        hookUrl: `http://hooks.example.com/${name}`,
        folderId: 'IEAAAAAQI4AB5FLD',
        events,
        signed: false,
      },
    };
    return id;
  };
  await add('kept', 'TaskCreated');
  await add('replaced', 'TaskCreated');
  await add('suspended', 'TaskCreated');
  const stopped = await add('resumed', 'TaskCreated');
  await wm('webhook', 'suspend', stopped, '--yes', '-q');
  await add('twice', 'TaskCreated');
  await add('twice', 'TaskTitleChanged');
  await add('other', 'TaskCreated');
  await record(place, created);
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
  return { proxy, wm, file, place, env, flags };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** A process of its own, which can be killed. */
async function apply(
  { env, file, place, flags }: Scene,
  onStart: (kill: () => void) => void = () => {},
): Promise<number | null> {
  const child = spawn(process.execPath, [resolve('bin/wm.js'), 'webhook', 'apply', file, '--yes', ...flags], {
    cwd: place.folder,
    env: { ...env, PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  onStart(() => child.kill('SIGKILL'));
  const [status] = await once(child, 'exit');
  return status;
}

async function reference(whole: Scene) {
  whole.proxy.watch();
  assert.equal(await apply(whole), 0);
  return { requests: whole.proxy.count(), state: await whole.proxy.state() };
}

test('a whole run, and a second one, which changes nothing', async (context) => {
  const whole = await scene(context, false);
  assert.equal(await apply(whole), 0);
  const after = await whole.proxy.state();
  const folderUrl = '/api/v4/folders/IEAAAAAQI4AB5FLD/webhooks';
  const line = (status: string, name: string, event: string) =>
    `${status} ${folderUrl} hookUrl=http://hooks.example.com/${name}&events=["${event}"]`;
  assert.deepEqual(
    after,
    [
      'Active /api/v4/webhooks hookUrl=http://hooks.example.com/new',
      line('Active', 'kept', 'TaskCreated'),
      line('Active', 'other', 'TaskCreated'),
      line('Active', 'resumed', 'TaskCreated'),
      line('Active', 'twice', 'TaskCreated'),
      line('Suspended', 'replaced', 'TaskDeleted'),
      line('Suspended', 'suspended', 'TaskCreated'),
    ].toSorted(),
  );
  whole.proxy.watch();
  assert.equal(await apply(whole), 0);
  assert.equal(whole.proxy.count(), 1, 'the list alone');
  assert.deepEqual(await whole.proxy.state(), after);
});

interface Mode {
  readonly name: string;
  readonly bare: boolean;
  /** Whether this machine has its records before the first run, and before the second. */
  readonly records: readonly [boolean, boolean];
  readonly flags?: readonly string[];
}

const modes: readonly Mode[] = [
  { name: 'with the assumed fields', bare: false, records: [true, true] },
  { name: 'with the assumed fields, the records lost', bare: false, records: [true, false] },
  { name: 'with the assumed fields, without records', bare: false, records: [false, false] },
  { name: 'with --bare', bare: true, records: [true, true] },
  // Then the service shows no difference between two webhooks of one URL: they are blocked unless the flag is there.
  { name: 'with --bare, without records', bare: true, records: [false, false], flags: ['--replace-unknown'] },
];

for (const { name, bare, records, flags = [] } of modes) {
  test(`killed at each request, and run again: ${name}`, async (context) => {
    const start = async () => {
      const begun = await scene(context, bare, flags);
      if (!records[0]) await forget(begun.place);
      return begun;
    };
    const { requests, state } = await reference(await start());
    assert.ok(requests >= 12, String(requests));
    for (let at = 1; at <= requests; at++) {
      for (const when of ['before', 'after'] as const) {
        const broken = await start();
        const status = await apply(broken, (kill) => broken.proxy.watch({ at, when, stop: kill }));
        assert.equal(status, null, `request ${at}: killed`);
        broken.proxy.watch();
        if (!records[1]) await forget(broken.place);
        // It is not to be killed, so it needs no process of its own.
        const again = () => broken.wm('webhook', 'apply', broken.file, '--yes', ...flags);
        assert.equal((await again()).status, 0, `killed ${when} request ${at}`);
        assert.deepEqual(await broken.proxy.state(), state, `killed ${when} request ${at}`);
        // Nobody knows afterwards what the flag has made, so it makes it anew.
        if (flags.length > 0) continue;
        broken.proxy.watch();
        assert.equal((await again()).status, 0);
        assert.equal(broken.proxy.count(), 1, 'a third run changes nothing');
      }
    }
  });
}
