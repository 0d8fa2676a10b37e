// What is left where a refresh could not store its tokens: the room for them is taken before the old ones are used up, and the next
// command puts what was left in its place. The simulation kills at every step; here are disks that stay full or broken.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { createFaultySystem, type FaultySystem } from '#test/support/disk/faulty-system.ts';
import { inside } from './inside.ts';
import { type Item, stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const tokens = join(stage.folder, 'tokens');

beforeEach(async () => {
  await stage.signInAnew();
  await stage.expire();
});

/** Full, or broken, from the moment of the rotation on. */
function failingAfterRotation(faulty: FaultySystem, code: string): void {
  let isFull = false;
  void service.rotation().then(() => {
    isFull = true;
  });
  faulty.before = async (name) => {
    if (!isFull || !/^(?:open|write|sync|rename|mkdir) /.test(name)) return;
    throw Object.assign(new Error(`${code}: as the system says, '${name}'`), { code, syscall: 'write' });
  };
}

const names = async () => (await readdir(tokens)).toSorted();

/** As after a refresh that was killed between the tokens on the disk and their place. */
async function leaveTokens(expiresAt: number): Promise<Item> {
  const item = await stage.item();
  const leftover = { ...item, generation: item.generation + 1, expiresAt };
  await writeFile(join(tokens, 'default.json.reserved'), JSON.stringify(leftover));
  const refreshTokenSha256 = createHash('sha256').update(item.refreshToken).digest('hex');
  await mkdir(join(stage.folder, 'renewals'), { recursive: true, mode: 0o700 });
  await writeFile(
    join(stage.folder, 'renewals', 'default.json'),
    JSON.stringify({ generation: item.generation, refreshTokenSha256 }),
  );
  return item;
}

test('leftover tokens that cannot be moved into place are used, and moved by the next command', async () => {
  await leaveTokens(Date.now() + 3_600_000);
  const faulty = createFaultySystem();
  faulty.before = async (name) => {
    if (/^rename .*tokens.default\.json$/.test(name))
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  };
  const { requests } = service.counts;
  const { status, output, errors } = await inside(stage, faulty.system).wm('whoami');
  assert.equal(status, 0, errors);
  assert.match(output, /Ada/);
  assert.match(errors, /^Cannot store the new tokens of default in \S+tokens: EIO/m);
  assert.deepEqual(await names(), ['default.json', 'default.json.reserved']);
  assert.equal((await inside(stage).wm('whoami')).status, 0);
  assert.deepEqual(await names(), ['default.json']);
  assert.equal(service.counts.requests, requests);
});

test('moves expired leftover tokens into place, and refreshes them', async () => {
  const item = await leaveTokens(0);
  const { rotated, rejected } = service.counts;
  const { status, errors } = await inside(stage).wm('whoami');
  assert.equal(status, 0, errors);
  assert.deepEqual([service.counts.rotated, service.counts.rejected], [rotated + 1, rejected]);
  assert.equal((await stage.item()).generation, item.generation + 2);
  assert.deepEqual(await names(), ['default.json']);
});

test('does not use leftover tokens of an earlier generation', async () => {
  const { rejected } = service.counts;
  const old = { ...(await stage.item()), generation: 1, accessToken: 'canary-older' };
  await writeFile(join(tokens, 'default.json.reserved'), JSON.stringify(old));
  assert.equal((await inside(stage).wm('whoami')).status, 0);
  assert.equal(service.counts.rejected, rejected);
  assert.deepEqual(await names(), ['default.json']);
});

test('the disk is full from the rotation on: the tokens already have their space', async () => {
  const faulty = createFaultySystem();
  const { wm } = inside(stage, faulty.system);
  let isFull = false;
  void service.rotation().then(() => {
    isFull = true;
  });
  // What is written over in place, and what only gets another name, takes no room.
  faulty.before = async (name) => {
    if (isFull && /^(?:open|mkdir) /.test(name))
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.doesNotMatch(errors, /Cannot store the new tokens/);
  assert.equal((await stage.item()).refreshToken, service.refreshToken());
});

test('the disk breaks right after the rotation: this command uses the new token, and says what follows', async () => {
  const faulty = createFaultySystem();
  const { wm } = inside(stage, faulty.system);
  failingAfterRotation(faulty, 'EIO');
  faulty.before = ((before) => async (name) => {
    await before?.(name);
    if (service.counts.rotated > rotated && name.startsWith('open-to-read') && name.endsWith('.reserved'))
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  })(faulty.before);
  const { rotated } = service.counts;
  const { status, output, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.match(output, /Ada/);
  assert.match(errors, /^Cannot store the new tokens of default in \S+tokens: EIO/m);
  // And it is as it says.
  const next = await inside(stage).wm('whoami');
  assert.equal(next.status, 4, next.errors);
  assert.match(next.errors, /was lost/);
});

test('stores the tokens even if the lock cannot be examined when they arrive', async () => {
  const { system } = createFaultySystem();
  const { rotated } = service.counts;
  const { wm } = inside(stage, {
    ...system,
    statSync(path, options) {
      if (service.counts.rotated > rotated && path.endsWith('default.lock'))
        throw Object.assign(new Error('EIO: i/o error, stat'), { code: 'EIO' });
      return system.statSync(path, options);
    },
  });
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.equal((await stage.item()).refreshToken, service.refreshToken());
});

test('reserved space that is briefly not writable is not given up', async () => {
  const faulty = createFaultySystem();
  const { wm } = inside(stage, faulty.system);
  let isRotated = false;
  void service.rotation().then(() => {
    isRotated = true;
  });
  let opened = 0;
  const shown: string[] = [];
  faulty.before = async (name) => {
    if (!isRotated || !name.endsWith('.reserved')) return;
    if (name.startsWith('unlink ')) shown.push(name);
    if (!name.startsWith('open-to-read ') || opened++ > 0) return;
    throw Object.assign(new Error('EROFS: read-only file system, open'), { code: 'EROFS', syscall: 'open' });
  };
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.ok(opened > 1, 'tried again');
  assert.deepEqual(shown, []);
  assert.equal((await stage.item()).refreshToken, service.refreshToken());
});

test('logout of an unlisted profile removes its tokens: its sign-in was killed before it was listed', async () => {
  await rm(join(stage.folder, 'profiles.json'));
  await writeFile(join(tokens, 'other.json'), 'canary-of-another');
  for (const name of ['default.json', '.pending-default.json', 'default.json.reserved']) {
    await writeFile(join(tokens, name), 'canary-left');
    const { status, errors } = await inside(stage).wm('logout', '--yes');
    assert.equal(status, 0, errors);
    assert.match(errors, /^Removed the remains of an unfinished sign-in \(profile default\)\.$/m);
    assert.deepEqual(await names(), ['other.json']);
  }
  assert.equal((await inside(stage).wm('logout', '--yes')).status, 5);
});

test('logout removes the target of a symbolic link, and its leftovers', async () => {
  const elsewhere = await mkdtemp(join(stage.folder, 'elsewhere-'));
  const target = join(elsewhere, 'tokens.json');
  await rename(join(tokens, 'default.json'), target);
  await symlink(target, join(tokens, 'default.json'));
  await writeFile(`${target}.reserved`, 'canary-left');
  const { status, errors } = await inside(stage).wm('logout', '--yes');
  assert.equal(status, 0, errors);
  assert.deepEqual(await readdir(elsewhere), []);
  assert.ok(!(await names()).includes('default.json'));
});
