// Renewals in odd circumstances: lifetimes that are none, a clock that is wrong by a year, the same refresh token again,
// folders that cannot be written, sign-ins of another version. Nobody is locked out by any of it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeEach, test } from 'node:test';
import { loadCredentials } from '#login/select-account.ts';
import { createFaultySystem } from '#test/support/disk/faulty-system.ts';
import { checkpoint } from '#test/support/gate.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { inside } from './inside.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const { wm } = inside(stage);
beforeEach(async () => {
  service.faults.length = 0;
  service.also.clear();
  await stage.signInAnew();
  await stage.expire();
});

const put = async (more: object) => {
  const path = join(stage.folder, 'tokens', 'default.json');
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, 'utf8')), ...more }));
};

async function works(...typed: string[]): Promise<string> {
  const { status, output, errors } = await wm(...typed);
  assert.equal(status, 0, errors);
  return output;
}

/** A second renewal is made only where the first one's token was over at once. */
const lifetimes: readonly [unknown, number][] = [
  [1e300, 1],
  [9e12, 1],
  [null, 1],
  [undefined, 1],
  ['3600', 1],
  [-1, 1],
  [0.5, 2],
  [0, 2],
  [59, 2],
];
for (const [seconds, renewals] of lifetimes) {
  test(`expires_in ${JSON.stringify(seconds)}: used, refreshed as needed, and readable`, async () => {
    service.also.set('expires_in', seconds);
    const { rotated } = service.counts;
    // Two calls of one command are one renewal, however short the token lives.
    await works('whoami');
    assert.equal(service.counts.rotated, rotated + 1);
    await works('whoami');
    assert.equal(service.counts.rotated, rotated + renewals);
    await works('auth', 'status');
    await works('doctor');
  });
}

test('an invalid time in a sign-in that an older wm stored does not lock the user out', async () => {
  for (const expiresAt of [null, 1e303, 'soon']) {
    await put({ expiresAt });
    await works('whoami');
    await works('auth', 'status');
  }
});

test('a clock that was set back by a year: the token is rejected, refreshed once, and used', async () => {
  // As it looks from a year ago: good for another year; the service knows better.
  await put({ accessToken: 'canary-of-last-year', expiresAt: Date.now() + 31_536_000_000 });
  const { requests } = service.counts;
  await works('whoami');
  assert.equal(service.counts.requests, requests + 1);
  assert.ok((await stage.item()).expiresAt < Date.now() + 3_700_000);
});

test('the same refresh token in the response, twice in a row', async () => {
  const { refreshToken } = await stage.item();
  service.faults.push({ when: 'answer', what: 'no refresh token' });
  await works('whoami');
  assert.equal((await stage.item()).refreshToken, refreshToken);
  await stage.expire();
  await works('whoami');
});

test('the host in capitals is the same host', async () => {
  service.also.set('host', service.host.toUpperCase());
  const ended = await wm('whoami');
  assert.equal(ended.status, 0, ended.errors);
  assert.doesNotMatch(ended.errors, /which this sign-in does not allow/);
  assert.equal((await stage.item()).host, service.host);
});

test('a refresh keeps fields that a newer wm has added to the sign-in', async () => {
  await put({ device: { since: 1 } });
  await works('whoami');
  const item = await stage.item();
  assert.equal(item.generation, 2);
  assert.deepEqual('device' in item && item.device, { since: 1 });
});

test('if the refresh marker cannot be written, sends nothing, and the sign-in still works', async () => {
  await writeFile(join(stage.folder, 'renewals'), '');
  const { requests } = service.counts;
  const ended = await wm('whoami');
  assert.equal(ended.status, 1, ended.errors);
  assert.match(
    ended.errors,
    /^wm: Cannot refresh the sign-in: cannot write .*\n.*\n {2}The sign-in is unchanged/,
  );
  assert.equal(service.counts.requests, requests);
  await rm(join(stage.folder, 'renewals'));
  await works('whoami');
});

test('a lost response, and then a rejection: the message does not say that nothing was changed', async () => {
  service.faults.push({ when: 'after', what: 'half a body' }, { when: 'before', what: '429' });
  const ended = await wm('whoami');
  assert.equal(ended.status, 6, ended.errors);
  assert.match(ended.errors, /no usable response[\s\S]*it says if you must sign in again/);
  assert.doesNotMatch(ended.errors, /Nothing was changed|changed nothing/);
  const next = await wm('whoami');
  assert.equal(next.status, 4, next.errors);
  assert.match(next.errors, /was lost/);
});

test('reports an invalid authorization address before sending anything', async () => {
  const path = join(stage.folder, 'profiles.json');
  const file = JSON.parse(await readFile(path, 'utf8'));
  file.profiles[0].authUrl = 'nonsense';
  await writeFile(path, JSON.stringify(file));
  const { requests } = service.counts;
  const ended = await wm('whoami');
  assert.equal(ended.status, 2, ended.errors);
  assert.equal(service.counts.requests, requests);
});

/** Returns the path of a note that another process refreshes. */
async function noteOfAnother(at: number): Promise<string> {
  const { refreshToken } = await stage.item();
  const marker = {
    generation: 1,
    refreshTokenSha256: createHash('sha256').update(refreshToken).digest('hex'),
    lock: 'another',
    at,
  };
  const path = join(stage.folder, 'renewals', 'default.json');
  await mkdir(join(stage.folder, 'renewals'), { recursive: true, mode: 0o700 });
  await writeFile(path, JSON.stringify(marker));
  return path;
}

for (const [name, isReadable, says] of [
  ['is', true, /^Waiting for another refresh of the sign-in default, recorded in .* \(up to 57 s\)\.$/m],
  ['may be', false, /^Still refreshing the sign-in default \(up to 60 s\)\.$/m],
] as const) {
  test(`says so during a long wait for a helper whose turn ${name} after another refresh`, async () => {
    const path = await noteOfAnother(Date.now());
    let notice: () => unknown = () => {};
    const { wm } = inside(
      stage,
      createFaultySystem().system,
      async () => {
        if (!isReadable) {
          await rm(path);
          await mkdir(path);
        }
        await notice();
        await rm(path, { recursive: true, force: true });
      },
      (_, run) => {
        notice = run;
        return () => {};
      },
    );
    const { status, errors } = await wm('whoami');
    assert.equal(status, 0, errors);
    assert.match(errors, says);
  });
}

test('does not wait if the tokens beside such a marker are unreadable', async () => {
  await noteOfAnother(Date.now());
  await writeFile(join(stage.folder, 'tokens', 'default.json'), 'no JSON');
  const out = await wm('logout', '--yes');
  assert.equal(out.status, 0, out.errors);
  assert.doesNotMatch(out.errors, /Waiting/);
});

test('waits for a marker of another lock, dated tomorrow, as for a current one, and says so', async () => {
  const path = await noteOfAnother(Date.now() + 86_400_000);
  const out = await wm('logout', '--yes');
  assert.equal(out.status, 0, out.errors);
  assert.ok(
    out.errors.startsWith(
      `Waiting for another refresh of the sign-in default, recorded in ${path} (up to 57 s).\n`,
    ),
    out.errors,
  );
});

test('signing out during a refresh leaves nothing', async () => {
  const gate = checkpoint();
  service.faults.push({ when: 'before', what: 'gate', gate });
  const whoami = wm('whoami');
  await gate.reached;
  const loggingOut = wm('logout', '--yes');
  gate.open();
  const out = await loggingOut;
  assert.equal(out.status, 0, out.errors);
  // Before the tokens went, or after.
  assert.match(String((await whoami).status), /^[04]$/);
  assert.deepEqual(await readdir(join(stage.folder, 'tokens')), []);
  assert.deepEqual(await readdir(join(stage.folder, 'renewals')), []);
  assert.equal((await wm('whoami')).status, 4);
});

test('uses a token that lives half a minute for both requests of a command', async () => {
  service.also.set('expires_in', 30);
  const { rotated } = service.counts;
  const { status, errors } = await wm('whoami');
  assert.equal(status, 0, errors);
  assert.equal(service.counts.rotated, rotated + 1);
});

/** As one long command has them. */
function load(mayLock = () => true) {
  const environment = { PATH: process.env['PATH'], WM_CONFIG_DIR: stage.folder, WM_TOKEN_STORE: 'file' };
  const real = createWorld();
  const world = {
    ...real,
    environment,
    files: createFiles(environment, process.platform),
    process: { ...real.process, self: [process.execPath, resolve('bin/wm.js')] as const },
    lock: {
      ...real.lock,
      acquire: async (...request: Parameters<typeof real.lock.acquire>) => {
        assert.ok(mayLock(), 'no lock is needed');
        return real.lock.acquire(...request);
      },
    },
  };
  const choice = { profile: 'default', token: undefined, host: undefined, authUrl: undefined, store: 'file' };
  const notices = { isQuiet: true, info: () => {}, warn: () => {} };
  return loadCredentials(world, choice, notices);
}

test('uses a token that another process has replaced meanwhile without a lock, and refreshes nothing', async () => {
  let isReplaced = false;
  const credentials = await load(() => !isReplaced);
  const first = await credentials.access();
  isReplaced = true;
  await put({ generation: 9, accessToken: 'canary-another', expiresAt: Date.now() + 3_600_000 });
  const { requests } = service.counts;
  const second = await credentials.refresh(first);
  assert.equal(second?.token, 'canary-another');
  assert.deepEqual(await credentials.access(), second);
  assert.equal(service.counts.requests, requests);
});

test('uses a token that lives half a minute for all requests of a long command, until it is rejected', async () => {
  service.also.set('expires_in', 30);
  const credentials = await load();
  const { rotated } = service.counts;
  const first = await credentials.access();
  for (let call = 0; call < 3; call++) assert.deepEqual(await credentials.access(), first);
  assert.equal(service.counts.rotated, rotated + 1);
  const second = await credentials.refresh(first);
  assert.notEqual(second?.token, first.token);
  assert.deepEqual(await credentials.access(), second);
  assert.equal(service.counts.rotated, rotated + 2);
});
