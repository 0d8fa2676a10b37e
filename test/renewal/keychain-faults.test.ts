// A keychain that locks, or hangs, while a refresh has the only copy of the tokens: the command uses them and ends, the
// helper process goes on trying to store them, and later commands say what happened.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { openTokenStore } from '#login/open-token-store.ts';
import { createHurriedClock, createTestClock } from '#test/support/clock.ts';
import { checkpoint } from '#test/support/gate.ts';
import { createMemoryKeychain, type MemoryKeychain } from '#test/support/memory-keychain.ts';
import { helperInside } from '#test/support/program/helper-inside.ts';
import { run } from '#test/support/program/program.ts';
import { createClock } from '#world/clock.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Clock, Keychain } from '#world/world.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const environment = { WM_CONFIG_DIR: stage.folder, WM_DEBUG: '1' };
const files = createFiles(environment, process.platform, stage.folder);
const locked = { fault: 'locked', detail: 'the keychain is locked' } as const;
let memory: MemoryKeychain;

beforeEach(async () => {
  await stage.signInAnew();
  await stage.expire();
  memory = createMemoryKeychain();
  await openTokenStore({ files, keychain: memory }, 'keychain', 'old').write('default', await stage.item());
});

/** A command whose helper runs inside this process. `before`: what each request to the keychain meets. */
function wm(
  typed: readonly string[],
  before: () => Promise<typeof locked | undefined> = async () => undefined,
  own: Partial<Clock> = { sleep: createHurriedClock().sleep },
) {
  const real = createWorld();
  const keychain: Keychain = {
    read: async (...args) => (await before()) ?? memory.read(...args),
    write: async (...args) => (await before()) ?? memory.write(...args),
    remove: async (...args) => (await before()) ?? memory.remove(...args),
  };
  const clock = { ...createClock(), ...own };
  const { world } = helperInside({ ...real, environment, files, keychain, clock });
  const { lock, process: processes } = world;
  return run(typed, {
    environment,
    world: {
      files,
      keychain,
      lock,
      clock,
      process: { ...processes, onInterrupt: () => () => {}, onResume: () => () => {} },
    },
  });
}

/** Meets the fault from the moment of the rotation on, until `mend`. */
function fromRotationOn(fault: () => Promise<typeof locked>) {
  const { rotated } = service.counts;
  let isMended = false;
  return {
    before: async () => (service.counts.rotated > rotated && !isMended ? fault() : undefined),
    mend: () => {
      isMended = true;
    },
  };
}

/** On this clock the six seconds until the command goes on are over at once. */
function handOverAtOnce(): Clock['limit'] {
  const clock = createTestClock(
    () => {},
    (milliseconds) => milliseconds === 6000 && clock.advance(milliseconds),
  );
  return clock.limit;
}

test('locked right after the rotation: whoami shows what it knows, and later commands say that the tokens arrived', async () => {
  const { before } = fromRotationOn(async () => locked);
  const first = await wm(['whoami', '--json'], before);
  assert.equal(first.status, 0, first.errors);
  const { user, token, expires } = JSON.parse(first.output);
  assert.deepEqual([user, token], ['Ada', 'refreshable']);
  assert.ok(Date.parse(expires) > Date.now(), 'of the token that was used');
  assert.match(
    first.errors,
    /^Cannot store the new tokens of default in the keychain: the keychain is locked$/m,
  );
  const stillLocked = await wm(['whoami'], async () => locked);
  assert.match(stillLocked.errors, /^wm: The keychain is locked$/m);
  for (const typed of [['whoami'], ['auth', 'token']]) {
    const next = await wm(typed);
    assert.equal(next.status, 4, next.errors);
    assert.match(
      next.errors,
      /^wm: The refresh of the sign-in default was lost\n {2}the service has already replaced the refresh token, and the response arrived, but could not be stored in the keychain\n {2}Sign in again: wm login --profile default$/m,
    );
  }
});

test('auth refresh does not claim a refresh that it could not store', async () => {
  await stage.signInAnew();
  await openTokenStore({ files, keychain: memory }, 'keychain', 'old').write('default', await stage.item());
  const { status, output, errors } = await wm(
    ['auth', 'refresh', '--json'],
    fromRotationOn(async () => locked).before,
  );
  assert.equal(status, 1, errors);
  assert.doesNotMatch(output, /true/);
  assert.doesNotMatch(errors, /^Refreshed/m);
  assert.match(errors, /was refreshed, but could not be stored/);
});

test('unlocked while the helper still has the tokens: it stores them, and the next command just works', async () => {
  const gate = checkpoint();
  const { before, mend } = fromRotationOn(async () => locked);
  const first = await wm(['whoami'], before, { sleep: () => gate.opened, limit: handOverAtOnce() });
  assert.equal(first.status, 0, first.errors);
  assert.match(first.errors, /: the keychain is locked\n.*wm keeps trying to store them for 50 s\./);
  const { rotated, rejected } = service.counts;
  mend();
  gate.open();
  const next = await wm(['whoami']);
  assert.equal(next.status, 0, next.errors);
  assert.deepEqual([service.counts.rotated, service.counts.rejected], [rotated, rejected]);
});

test('a keychain that hangs right after the rotation: the command continues after six seconds', async () => {
  const gate = checkpoint();
  const { before } = fromRotationOn(async () => {
    await gate.opened;
    return locked;
  });
  const { sleep } = createHurriedClock();
  const { status, output, errors } = await wm(['whoami'], before, { limit: handOverAtOnce(), sleep });
  assert.equal(status, 0, errors);
  assert.match(output, /^Ada\t/);
  assert.match(errors, /^Cannot store the new tokens of default in the keychain: it has not responded yet$/m);
  gate.open();
});

test('does not reread a keychain that failed in the helper: that would take twice as long', async () => {
  let isRead = false;
  let reads = 0;
  const ran = await wm(['whoami'], async () => {
    reads++;
    // The command reads it once before the lock, once under it, and then the helper does.
    isRead ||= reads > 2;
    return isRead ? locked : undefined;
  });
  assert.equal(ran.status, 1, ran.errors);
  assert.match(ran.errors, /^wm: The keychain is locked$/m);
  assert.equal(reads, 3);
});

test('after three seconds a command says, once, that it is waiting for the keychain', async () => {
  const gate = checkpoint();
  const clock = createTestClock((milliseconds) => {
    if (milliseconds !== 3000) return;
    clock.advance(milliseconds);
    gate.open();
  });
  await stage.signInAnew();
  await openTokenStore({ files, keychain: memory }, 'keychain', 'old').write('default', await stage.item());
  const { after } = clock;
  const { status, errors } = await wm(['auth', 'token'], async () => void (await gate.opened), { after });
  assert.equal(status, 0, errors);
  assert.equal(errors.match(/The keychain has not responded yet\. Still waiting/g)?.length, 1, errors);
});
