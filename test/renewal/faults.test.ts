// Faults of the network and the service around a renewal: before the service has rotated nothing may be lost; after it
// has, the message says exactly that, and nothing else is harmed.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import type { Ran } from '#test/support/program/program.ts';
import { freePort } from '#test/support/service/free-port.ts';
import type { Fault } from '#test/support/service/rotating-service.ts';
import { inside } from './inside.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const { wm } = inside(stage);
beforeEach(async () => {
  service.faults.length = 0;
  await stage.signInAnew();
  await stage.expire();
});

/** Every secret of the stage begins so. */
async function noCanary(...ended: Ran[]): Promise<void> {
  for (const { output, errors } of ended) assert.doesNotMatch(output + errors, /canary/);
  for (const file of await readdir(stage.folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile() || file.parentPath.endsWith('tokens')) continue;
    assert.doesNotMatch(await readFile(join(file.parentPath, file.name), 'utf8'), /canary/, file.name);
  }
}

const faultsBefore: readonly { readonly what: 'reset' | '500' | 'html'; readonly status: number }[] = [
  { what: 'reset', status: 7 },
  { what: '500', status: 7 },
  { what: 'html', status: 7 },
];

for (const { what, status } of faultsBefore) {
  const fault: Fault = { when: 'before', what };
  test(`${what} before the rotation, once: the user does not notice`, async () => {
    service.faults.push(fault);
    const ended = await wm('whoami', '--verbose');
    assert.equal(ended.status, 0, ended.errors);
    await noCanary(ended);
  });

  test(`${what} before the rotation, again and again: the sign-in is kept`, async () => {
    const item = await stage.item();
    service.faults.push(fault, fault);
    const ended = await wm('whoami', '--verbose');
    assert.equal(ended.status, status, ended.errors);
    assert.match(ended.errors, /The sign-in is unchanged/);
    assert.deepEqual(await stage.item(), item);
    const next = await wm('whoami');
    assert.equal(next.status, 0, next.errors);
    await noCanary(ended, next);
  });
}

test('429 before the rotation exits with 6 and keeps the sign-in', async () => {
  service.faults.push({ when: 'before', what: '429' });
  const ended = await wm('whoami', '--verbose');
  assert.equal(ended.status, 6, ended.errors);
  assert.equal((await wm('whoami')).status, 0);
  await noCanary(ended);
});

test('nothing listens: exits with 7 and keeps the sign-in', async () => {
  await stage.signInAnew(`127.0.0.1:${await freePort()}`);
  await stage.expire();
  const item = await stage.item();
  const ended = await wm('whoami', '--verbose');
  assert.equal(ended.status, 7, ended.errors);
  assert.deepEqual(await stage.item(), item);
  await noCanary(ended);
});

for (const fault of ['headers only', 'half a body', '500'] as const) {
  test(`after the rotation, ${fault}: says that the refresh was lost, and harms nothing else`, async () => {
    const item = await stage.item();
    service.faults.push({ when: 'after', what: fault });
    const ended = await wm('whoami', '--verbose');
    assert.equal(ended.status, 4, ended.errors);
    assert.match(ended.errors, /The refresh of the sign-in default was lost/);
    assert.match(ended.errors, /has already replaced the refresh token/);
    assert.deepEqual(await stage.item(), item);
    await noCanary(ended);
  });
}

test('a hostile host in the response: the tokens are kept, the host is not', async () => {
  service.faults.push({ when: 'answer', what: 'hostile host' });
  const ended = await wm('whoami', '--verbose');
  assert.equal(ended.status, 0, ended.errors);
  assert.match(ended.errors, /returned the host "evil\.example", which this sign-in does not allow/);
  const item = await stage.item();
  assert.equal(item.generation, 2);
  assert.equal(item.host, service.host);
  assert.equal(item.refreshToken, service.refreshToken());
  await noCanary(ended);
});

test('another allowed host in the response: the profile gets it too', async () => {
  const host = service.host.replace('127.0.0.1', 'localhost');
  service.also.set('host', host);
  const ended = await wm('whoami');
  service.also.clear();
  assert.equal(ended.status, 0, ended.errors);
  assert.equal((await stage.item()).host, host);
  const { profiles } = JSON.parse(await readFile(join(stage.folder, 'profiles.json'), 'utf8'));
  assert.equal(profiles[0].host, host);
  assert.equal((await wm('whoami')).status, 0);
});

test('no host in the response: the old one is kept', async () => {
  service.faults.push({ when: 'answer', what: 'no host' });
  assert.equal((await wm('whoami')).status, 0);
  assert.equal((await stage.item()).host, service.host);
});

test('no refresh token in the response: the old one is kept, and used again', async () => {
  const { refreshToken } = await stage.item();
  service.faults.push({ when: 'answer', what: 'no refresh token' });
  assert.equal((await wm('whoami')).status, 0);
  assert.equal((await stage.item()).refreshToken, refreshToken);
  await stage.expire();
  assert.equal((await wm('whoami')).status, 0);
});

test('revoked without an uncertain refresh: says so, and keeps the item', async () => {
  const item = { ...(await stage.item()) };
  // Someone else has used the token.
  await wm('whoami');
  const { writeFile } = await import('node:fs/promises');
  await writeFile(join(stage.folder, 'tokens', 'default.json'), JSON.stringify(item));
  const ended = await wm('whoami', '--verbose');
  assert.equal(ended.status, 4);
  assert.match(ended.errors, /no longer accepts this sign-in/);
  assert.deepEqual(await stage.item(), item);
  await noCanary(ended);
});
