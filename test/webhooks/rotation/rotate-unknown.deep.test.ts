// `wm webhook rotate-secret` if it is unknown whether a request has created the successor: wm looks, and waits, before it sends
// another.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { gate } from '#test/support/gate.ts';
import { killingHttp } from '#test/support/program/killed-run.ts';
import { createWorld } from '#world/create-world.ts';
import type { HttpRequest, World } from '#world/world.ts';
import { later, newSecret, rotating } from './rotating.ts';

const { http } = createWorld();

const isCreate = ({ method, url }: HttpRequest) => method === 'POST' && url.endsWith('/webhooks');
const isList = ({ method, url }: HttpRequest) => method === 'GET' && url.endsWith('/webhooks');

/** An http that does something else at some requests. */
function sendingBy(send: World['http']['send']): Partial<World> {
  return { http: { ...http, send } };
}

/** A world in which the request for the successor is held before it is sent, until it is released. */
function slowCreation() {
  const [held, release] = [gate(), gate()];
  const slow = sendingBy(async (request, options) => {
    if (isCreate(request)) {
      held.open();
      await release.opened;
    }
    return http.send(request, options);
  });
  return { slow, held, release };
}

test('a lost response: finds the successor at once, or the outcome is unknown', async (context) => {
  const service = await rotating(context);
  for (const isSent of [true, false]) {
    const id = await service.create(String(isSent));
    const words = service.unverified(id);
    const lossy = sendingBy(async (request, options) => {
      if (!isCreate(request)) return http.send(request, options);
      if (isSent) await http.send(request, options);
      return { fault: 'reset', sent: true, detail: 'by the test' };
    });
    const ran = await service.wm(words, { world: lossy });
    assert.equal(ran.status, isSent ? 0 : 9, ran.errors);
    if (isSent) {
      assert.match(ran.errors, /^The response to creating \S+ was lost; the service lists the new webhook /m);
      continue;
    }
    assert.match(ran.errors, /^wm: The outcome of creating the successor is unknown/m);
    assert.match(ran.errors, /To look for it, and continue: wm webhook rotate-secret /);
    const again = await service.wm(words, { world: later() });
    assert.equal(again.status, 0, again.errors);
  }
  const state = ['Active /false', 'Active /true', 'Suspended /false', 'Suspended /true'];
  assert.deepEqual(await service.state(), state);
});

test('the process is killed after the service has created the successor, and continued by its label', async (context) => {
  const service = await rotating(context);
  const { environment, recording } = service;
  const id = await service.create();
  await service.wm(['webhook', 'label', id, 'billing']);
  const words = service.unverified('billing');
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...words], {
    env: { ...environment, PATH: process.env['PATH'] },
    stdio: 'ignore',
  });
  recording.stopAtCreation(() => child.kill('SIGKILL'));
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL']);
  recording.stopAtCreation(undefined);
  assert.equal((await service.state()).length, 2);
  const again = await service.wm(words, { world: later() });
  assert.equal(again.status, 0, again.errors);
  const [, successor = ''] =
    /^The service lists the successor that an earlier request created: (\w+)$/m.exec(again.errors) ?? [];
  assert.match(recording.createdWith(successor) ?? '', new RegExp(`&secret=${newSecret}(&|$)`));
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('soon after a killed run: looks for a successor for a minute before creating one', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = service.unverified(id);
  await service.killed(words, { at: 3, when: 'before' });
  const clock = createHurriedClock();
  const looking = killingHttp(http);
  const ran = await service.wm(words, { world: { http: looking.http, clock } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /it may still take effect. Looking for the successor for 60 s/);
  const create = looking.requests.findIndex((request) => request.startsWith('POST '));
  const lists = looking.requests.slice(0, create).filter((request) => /^GET .*\/webhooks$/.test(request));
  assert.equal(lists.length, 14);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('a request that takes effect late: uses its webhook as the successor', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = service.unverified(id);
  let send: (() => Promise<unknown>) | undefined;
  const stop = killingHttp(http, { at: 3, when: 'before' });
  const holding = sendingBy((request, options) => {
    if (isCreate(request)) send = () => http.send(request, options);
    return stop.http.send(request, options);
  });
  await Promise.race([service.wm(words, { world: { ...stop.world, ...holding } }), stop.killed]);
  assert.ok(send);
  let lists = 0;
  const late = sendingBy(async (request, options) => {
    if (isList(request) && ++lists === 3) await send?.();
    return http.send(request, options);
  });
  const ran = await service.wm(words, { world: { ...late, clock: createHurriedClock() } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /The service lists the successor that an earlier request created/);
  // The last one is for the note of the old webhook: another wm may have resumed it.
  assert.equal(lists, 4);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('two runs at once: the second waits, and changes nothing', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = service.unverified(id);
  const { slow, held, release } = slowCreation();
  const firstRun = service.wm(words, { world: slow });
  await held.opened;
  const otherRun = service.wm(words);
  release.open();
  for (const run of [firstRun, otherRun]) assert.equal((await run).status, 0, (await run).errors);
  assert.match((await otherRun).errors, /has replaced it\. Nothing was changed/);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('several candidates: changes nothing', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = service.unverified(id);
  await service.killed(words, { at: 3, when: 'after' });
  const another = await service.create();
  const ran = await service.wm(words, { world: later() });
  assert.equal(ran.status, 9, ran.errors);
  assert.match(ran.errors, new RegExp(`^wm: 2 webhooks could be the successor: .*${another}`, 'm'));
  assert.deepEqual(await service.state(), ['Active /hook', 'Active /hook', 'Active /hook']);
  await service.wm(['webhook', 'delete', another, '--yes']);
  assert.equal((await service.wm(words, { world: later() })).status, 0);
});

test('recreates a successor deleted elsewhere, and resumes a suspended one', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = service.unverified(id);
  const interrupt = async () => {
    await service.killed(words, { at: 4, when: 'before' });
    const listed = await service.wm(['webhook', 'list', '-q']);
    return /under way: successor (\w+)$/m.exec(listed.output)?.[1] ?? '';
  };
  const send = (method: string, path: string) =>
    fetch(`${service.emulator.baseUrl}/webhooks/${path}`, {
      method,
      headers: { Authorization: `Bearer ${service.emulator.token}` },
    });
  const first = await interrupt();
  await send('DELETE', first);
  const requests = await service.killed(words, { at: 6, when: 'before' });
  assert.match(requests[5] ?? '', /^PUT /);
  const listed = await service.wm(['webhook', 'list', '-q']);
  const [, second = ''] = /under way: successor (\w+)$/m.exec(listed.output) ?? [];
  assert.notEqual(second, first);
  await send('PUT', `${second}?status=Suspended`);
  const ran = await service.wm(words);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Resumed: .*read back from the service/m);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});
