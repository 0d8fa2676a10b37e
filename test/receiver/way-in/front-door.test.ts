// The way in of `wm webhook listen`, as it is typed: a webhook that lasts as long as the receiver, and what comes while it is being
// suspended.

import assert from 'node:assert/strict';
import { test as onEverySystem, type TestContext } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { checkpoint } from '#test/support/gate.ts';
import { wordsOf } from '#test/support/program/cells.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { deliver, type ListenerSetting, startListener, startTarget } from '../listen/running-listener.ts';
import { type Place, setStatus, startPlace, test, webhooks } from './opened.ts';

function start(
  context: TestContext,
  { edge, service }: Place,
  typed: readonly string[],
  world: ListenerSetting['world'] = {},
) {
  return startListener(context, typed, {
    folder: service.folder,
    environment: service.environment,
    world: { http: edge.http, ...world },
  });
}

const portOf = (match: RegExpExecArray) => ({ port: Number(match[1]) });
const listening = /Listening on http:\/\/127\.0\.0\.1:(\d+)/;

test('a webhook that lasts as long as the receiver; deliveries while it is suspended are stored and forwarded', async (context) => {
  const place = await startPlace(context);
  const { edge, service } = place;
  const target = await startTarget(context);
  let whileSuspending: Promise<number> | undefined;
  let at = { port: 0 };
  const listener = start(
    context,
    place,
    [
      ...['--forward-to', target.url, '--tunnel', edge.command, '--path', '/wm'],
      ...['--create', '--events', 'TaskStatusChanged', '--payload-fields', 'title'],
      ...['--filter', 'TaskCreated:recurrent=true'],
    ],
    {
      http: {
        ...edge.http,
        async send(request, options) {
          if (request.method === 'PUT') {
            whileSuspending ??= deliver(at, [{ eventType: 'TaskCreated', taskId: 'T' }], { path: '/wm' });
            await whileSuspending;
          }
          return edge.http.send(request, options);
        },
      },
    },
  );
  at = portOf(await listener.prints(listening));
  await listener.prints(/^Created: https:\/\/name-1\.tunnel\.example\.com\/wm \(\w+\)\.$/m);
  assert.equal((await webhooks(place))[0]?.status, 'Active');
  const query = new Map([['operation', 'createWebhook']]);
  const [sent] = (await service.emulator.control('GET /requests', { query })).requests;
  assert.deepEqual(JSON.parse(new URLSearchParams(sent?.body).get('parameterisedEvents') ?? ''), [
    { event: 'TaskStatusChanged', fields: ['title'] },
    { event: 'TaskCreated', recurrent: true, fields: ['title'] },
  ]);
  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  await target.has(1);
  const ended = await listener.stop();
  assert.equal(ended.status, 0, ended.errors);
  assert.equal((await webhooks(place))[0]?.status, 'Suspended');
  assert.match(ended.errors, /^Suspended: .*, read back from the service\./m);
  assert.equal(await whileSuspending, 200);
  assert.equal(target.received.length, 2);
  await edge.gone();
});

test('--create with --folder, --space, --recursive, --label and --on-exit', async (context) => {
  const [folder, space] = [`folders/${sample.folder}`, `spaces/${sample.space}`];
  const deleted = /^Deleted: .*The service no longer has it\.$/m;
  const kept = /still delivers to this URL, where nothing listens now\.$/m;
  for (const [flags, onExit, where, sent, status, says] of [
    [['--folder', 'Website', '--recursive'], 'delete', folder, 'true', undefined, deleted],
    [['--space', 'Studio', '--label', 'my laptop'], 'keep', space, null, 'Active', kept],
  ] as const) {
    const place = await startPlace(context);
    const { edge, service } = place;
    const create = ['--create', ...flags, '--on-exit', onExit];
    const listener = start(context, place, ['--tunnel', edge.command, ...create]);
    await listener.prints(/^Created: /m);
    const { requests } = await service.emulator.control('GET /requests');
    const created = requests.find(({ method }) => method === 'POST');
    assert.equal(created?.path, `/api/v4/${where}/webhooks`);
    assert.equal(new URLSearchParams(created?.body).get('recursive'), sent);
    assert.match((await listener.stop()).errors, says);
    assert.equal((await webhooks(place))[0]?.status, status);
    if (onExit === 'keep') assert.equal((await service.wm(['webhook', 'get', 'my laptop'])).status, 0);
  }
});

const rejection = {
  status: 403,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":"access_forbidden","errorDescription":"A fault of the test"}'),
};

test('if the service does not let it be suspended, the exit status and the command say so', async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  const listener = start(context, place, ['--tunnel', edge.command, '--create', '--events', 'task'], {
    http: {
      ...edge.http,
      send: (request, options) =>
        request.method === 'PUT' ? Promise.resolve(rejection) : edge.http.send(request, options),
    },
  });
  await listener.prints(/^Created: /m);
  const [hook] = await webhooks(place);
  const ended = await listener.stop();
  assert.equal(ended.status, 3, ended.errors);
  assert.match(
    ended.errors,
    new RegExp(
      `^wm: Webhook ${hook?.id} was not suspended\n(?: .*\n)* {2}To suspend it: wm webhook suspend ${hook?.id}$`,
      'm',
    ),
  );
});

test('a tunnel that cannot start ends the receiver with its reason', async (context) => {
  const place = await startPlace(context);
  const listener = start(context, place, ['--tunnel', 'echo no such luck {port}; exit 3']);
  const { status, errors } = await listener.ended;
  assert.equal(status, 1, errors);
  assert.match(
    errors,
    /^wm: The tunnel ended with status 3\n {2}its last lines were: no such luck \d+\n {2}Try the command/m,
  );
});

test('a second Ctrl-C does not wait for the service, and says what is left to do', async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  const put = checkpoint();
  const listener = start(context, place, ['--tunnel', edge.command, '--create', '--events', 'task'], {
    http: {
      ...edge.http,
      send(request, options) {
        if (request.method !== 'PUT') return edge.http.send(request, options);
        put.reach();
        return put.opened.then(() => ({ fault: 'reset', sent: true, detail: 'the test has ended' }) as const);
      },
    },
  });
  await listener.prints(/^Created: /m);
  const [hook] = await webhooks(place);
  listener.interrupt();
  await put.reached;
  listener.interrupt();
  const { status, errors } = await listener.ended;
  // In a process of its own nothing would be left.
  put.open();
  assert.equal(status, 130, errors);
  assert.match(
    errors,
    new RegExp(`^Webhook ${hook?.id} may still deliver\\. To stop it: wm webhook suspend ${hook?.id}$`, 'm'),
  );
});

onEverySystem('--create when signed out or read-only ends before anything is started', async (context) => {
  const { wm } = await emulated(context, {}, { signedOut: true });
  const create = wordsOf('webhook listen --create --events task --public-url https://hooks.example.com');
  assert.equal((await wm(create)).status, 4);
  const readOnly = await wm([...create, '--read-only']);
  assert.match(readOnly.errors, /wm webhook listen makes changes, so it was not run/);
});

onEverySystem('flags that change a webhook need one, and a sign-in', async (context) => {
  const { wm } = await emulated(context);
  for (const flag of ['--suspend-when-unreachable', '--resume']) {
    const typed = wordsOf(`webhook listen ${flag} --public-url https://hooks.example.com`);
    const { status, errors } = await wm(typed);
    assert.equal(status, 5, errors);
    assert.match(
      errors,
      new RegExp(`^wm: No webhook delivers to https://hooks\\.example\\.com\n {2}${flag} needs one\n`),
    );
    const signedOut = await emulated(context, {}, { signedOut: true });
    assert.equal((await signedOut.wm(typed)).status, 4);
  }
});

onEverySystem('on a terminal, wm asks whether to resume a suspended webhook', async (context) => {
  const stage = await setStage(context);
  const { body } = await call(stage.emulator, 'POST', '/webhooks?hookUrl=https://hooks.example.com/wm');
  const id = String(body.data[0].id);
  await setStatus({ service: stage }, id, 'Suspended');
  for (const flags of [
    `--webhook ${id}`,
    '--create --events task --public-url https://hooks.example.com/wm',
  ]) {
    const terminal = openInProcess(context, stage, `wm webhook listen --port 0 ${flags}`);
    await terminal.shows(`${id}) is suspended. Resume it once its URL reaches this receiver?`, 'n');
    terminal.type(key.enter);
    await terminal.shows('Listening on', key.interrupt);
    await terminal.ended;
  }
});
