// A renewal that ends at any step of it, once and a second time, on a disk that drops what was not synced and on one that
// keeps it: afterwards the next one works, or says that the sign-in was lost; and it is lost only where the end came
// after the service had rotated and before the answer was on the disk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { refreshTokens } from '#login/refresh.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import {
  type Disk,
  fileStoreOn,
  firstItem,
  type MakeStore,
  makeDisk,
  type OneUse,
  oneUseService,
  type Power,
  powerUntil,
  smallStoreOn,
} from './disk.ts';

const profile = {
  name: 'default',
  authUrl: 'http://127.0.0.1:1',
  host: '127.0.0.1:1',
  hostSuffixes: [],
  signedInAt: 1,
};

/** The lock is a file that nobody deletes here. */
const sameLock = { id: 'lock', isInPlace: async () => true };

interface Scene {
  readonly disk: Disk;
  readonly service: OneUse;
  readonly storeWith: MakeStore;
}

/** What a command does once it has the lock: reads the sign-in, and renews it where it is over. */
async function command({ disk, service, storeWith }: Scene, power: Power): Promise<'works' | 'lost'> {
  const store = storeWith(power);
  const item = await store.read('default');
  assert.ok(item, 'the sign-in is there');
  if (service.good(item)) return 'works';
  const world = { files: disk.filesWith(power), http: service.httpWith(power), clock: createHurriedClock() };
  try {
    await refreshTokens(world, store, profile, item, sameLock);
  } catch (error) {
    assert.ok(error instanceof Failure);
    assert.equal(error.exitStatus, 4);
    assert.match(error.message, /The refresh of the sign-in default was lost/);
    assert.deepEqual(await store.read('default'), item, 'the item is kept');
    return 'lost';
  }
  const renewed = await store.read('default');
  assert.ok(renewed && service.good(renewed), 'what is kept is good');
  return 'works';
}

interface Counted {
  readonly cuts: number;
  readonly works: number;
  readonly lost: number;
  /** The steps at which the end cost the sign-in. */
  readonly costly: readonly string[];
}

/** Cuts the power once, and with `isTwice` a second time while the next command puts right what the first cut has left. */
async function cutEverywhere(makeScene: () => Promise<Scene>, isTwice: boolean): Promise<Counted> {
  const costly = new Set<string>();
  const counts = { cuts: 0, works: 0, lost: 0 };
  for (const unsynced of ['dropped', 'kept'] as const) {
    for (let first = 0, more = true; more; first++) {
      more = false;
      for (let second = 0; ; second++) {
        const scene = await makeScene();
        const cuts = (isTwice ? [first, second] : [first]).map(powerUntil);
        let over = true;
        let at = '';
        for (const power of cuts) {
          const ended = await Promise.race([command(scene, power), power.failed]);
          over = ended !== 'power failed';
          if (over) break;
          more ||= power === cuts[0];
          if (scene.service.used.length > 0) at ||= power.steps.at(-1) ?? '';
          scene.disk.restart(unsynced);
        }
        const outcome = await command(scene, powerUntil(undefined));
        counts.cuts++;
        counts[outcome]++;
        if (outcome === 'lost') costly.add(at);
        if (over || !isTwice) break;
      }
    }
  }
  return { ...counts, costly: [...costly].toSorted() };
}

async function sceneWith(disk: Disk, service: OneUse, storeWith: MakeStore, length?: number): Promise<Scene> {
  await storeWith(powerUntil(undefined)).write('default', firstItem(length));
  disk.restart('kept');
  return { disk, service, storeWith };
}

export function cutsPower(isTwice: boolean): void {
  test('the file store: tokens are lost only between the rotation and the disk', async (t) => {
    const counted = await cutEverywhere(() => {
      const disk = makeDisk();
      return sceneWith(disk, oneUseService(), fileStoreOn(disk));
    }, isTwice);
    t.diagnostic(JSON.stringify(counted));
    assert.ok(counted.cuts > (isTwice ? 100 : 30), 'it was cut often');
    // The step named is the last that was done.
    const reserved = '/config/tokens/default.json.reserved';
    assert.deepEqual(counted.costly, [
      `open ${reserved}`,
      'rotated',
      'send',
      `truncate ${reserved}`,
      `write ${reserved}`,
    ]);
  });

  test('a keychain with small items: the same, although the sign-in is written in parts', async (t) => {
    const length = 1500;
    const counted = await cutEverywhere(() => {
      const disk = makeDisk();
      return sceneWith(disk, oneUseService(length), smallStoreOn(disk, new Map()), length);
    }, isTwice);
    t.diagnostic(JSON.stringify(counted));
    assert.ok(counted.cuts > (isTwice ? 200 : 40), 'it was cut often');
    const partOfIt = / default#0\.\d$/;
    assert.deepEqual(
      counted.costly.filter((step) => !partOfIt.test(step)),
      ['rotated', 'send'],
    );
    assert.ok(
      counted.costly.includes('written default#0.5'),
      'all parts without what names them are not enough',
    );
  });
}
