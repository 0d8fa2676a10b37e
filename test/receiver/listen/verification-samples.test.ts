// What `wm webhook verify` of this machine sends to `wm webhook listen`: its samples are not forwarded, and its forgeries do not hide a
// wrong signature that comes later.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { deliver, listen, secret, startTarget } from './running-listener.ts';

async function setUp(context: TestContext, typed = '') {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const listener = await listen(context, `--forward-to ${target.url} ${typed}`, { folder });
  /** By a user with this folder. */
  const verify = (own: string, ownSecret = secret) => {
    const environment = { WM_CONFIG_DIR: own, WM_WEBHOOK_SECRET: ownSecret };
    const words = ['webhook', 'verify', `http://127.0.0.1:${listener.port}/`, '--allow-private', '--json'];
    return run(words, { environment, world: { files: createFiles(environment, process.platform, own) } });
  };
  return { folder, target, listener, verify };
}

const event = (taskId: string) => [{ eventType: 'TaskCreated', taskId }];

test('samples of verify are stored but not forwarded; those of another machine are forwarded', async (context) => {
  const { folder, target, listener, verify } = await setUp(context);
  const { output } = await verify(folder);
  assert.match(output, /"check":"duplicate","outcome":"ok"/);
  assert.equal(await deliver(listener, event('A1')), 200);
  await target.has(1);
  assert.deepEqual(
    target.received.map(({ body }) => body),
    [JSON.stringify(event('A1'))],
  );
  const log = await listener.wm('webhook log');
  assert.match(log.output, /TaskStatusChanged/);

  await verify(await ownFolder(context));
  await target.has(2);
});

test('forwards an id that verify did not store, one in a header, and one without a signature', async (context) => {
  const { folder, target, listener } = await setUp(context, '--unsigned');
  const stored = 'IEWMVRFYAAAAAAAA';
  const files = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  await mkdir(join(files.stateFolder, 'verifications'), { recursive: true });
  await writeFile(join(files.stateFolder, 'verifications', stored), '');
  assert.equal(await deliver(listener, event('IEWMVRFYBBBBBBBB')), 200);
  assert.equal(await deliver(listener, event('A1'), { headers: { 'X-Wm-Verification': stored } }), 200);
  const url = `http://127.0.0.1:${listener.port}/`;
  assert.equal((await fetch(url, { method: 'POST', body: JSON.stringify(event(stored)) })).status, 200);
  assert.equal(await deliver(listener, [...event(stored), ...event('A2')]), 200);
  assert.equal(await deliver(listener, event(stored)), 200);
  assert.equal(await deliver(listener, event('A3')), 200);
  await target.has(5);
  assert.deepEqual(
    target.received.map(({ body }) => body).toSorted(),
    [event('IEWMVRFYBBBBBBBB'), event('A1'), event(stored), [...event(stored), ...event('A2')], event('A3')]
      .map((events) => JSON.stringify(events))
      .toSorted(),
  );
});

const wrong = 'a secret of somebody else';
for (const [what, isHere, ownSecret, sent] of [
  [
    'forgeries of verify',
    true,
    secret,
    /"forged handshake","outcome":"ok".*"forged delivery","outcome":"ok"/s,
  ],
  ['forgeries of verify on another machine', false, secret, /"check":"forged delivery","outcome":"ok"/],
  ['a verification with a wrong secret', true, wrong, /"check":"handshake","outcome":"fail"/],
] as const)
  test(`no warning of ${what}, which does not hide a later wrong secret`, async (context) => {
    const { folder, listener, verify } = await setUp(context);
    const { output } = await verify(isHere ? folder : await ownFolder(context), ownSecret);
    assert.match(output, sent);
    assert.doesNotMatch(listener.errors, /signature|handshake/);
    assert.equal(await deliver(listener, event('A1'), { secret: wrong }), 503);
    await listener.prints(/A request has a signature that matches none of the secrets/);
  });

test('a wrong signature is reported again after an hour, and another cause at once', async (context) => {
  const clock = createTestClock();
  const listener = await listen(context, '--path /', {
    world: { clock: { ...createWorld().clock, now: () => clock.now() } },
  });
  const count = (pattern: RegExp) => listener.errors.match(new RegExp(pattern, 'g'))?.length ?? 0;
  const matchesNone = /A request has a signature that matches none of the secrets/;
  for (const minutes of [0, 1, 58]) {
    clock.advance(minutes * 60_000);
    assert.equal(await deliver(listener, event('A1'), { secret: wrong }), 503);
    assert.equal(count(matchesNone), 1, listener.errors);
  }
  assert.equal(await deliver(listener, event('A1'), { path: '/other' }), 503);
  assert.equal(count(/A request is for a path other than --path/), 1);
  clock.advance(60_000);
  assert.equal(await deliver(listener, event('A1'), { secret: wrong }), 503);
  assert.equal(count(matchesNone), 2, listener.errors);
  assert.match(listener.errors, /wm responds with 503, and for an hour only counts such requests\./);
});
