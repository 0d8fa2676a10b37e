// A refresh on a disk in memory whose power is cut at each call that changes it: afterwards the next one works, or says that the sign-in
// was lost, and that only after the service had rotated the token. The simulation (test/simulation/renewal.ts) tries much more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { createFileTokenStore } from '#login/file-token-store.ts';
import { refreshTokens } from '#login/refresh.ts';
import { createHurriedClock } from '#test/support/clock.ts';
import { MemoryDisk, type PowerCut, userOf } from '#test/support/disk/memory-disk.ts';
import { createFiles } from '#world/files.ts';
import type { Http } from '#world/world.ts';
import { sameLock } from '../login/own-store.ts';

const host = '127.0.0.1:1';
const profile = { name: 'default', authUrl: `http://${host}`, host, hostSuffixes: [], signedInAt: 1 };

/** Refreshes, and again after a power cut at the call with this number. `calls`: how many there were until then. */
async function cutAt(last: number, cut: PowerCut) {
  const disk = new MemoryDisk();
  let rotations = 0;
  const name = (kind: string) => `${kind}-${rotations}`;
  const item = {
    generation: 1,
    accessToken: name('access'),
    refreshToken: name('refresh'),
    expiresAt: 1,
    host,
  };
  const stored = { ...item, clientId: 'app', clientSecret: 'secret' };
  disk.put('/config/tokens/default.json', JSON.stringify(stored));
  const http: Http = {
    async send({ body }) {
      const sent = new URLSearchParams(String(body)).get('refresh_token');
      const isGood = sent === name('refresh');
      if (isGood) rotations++;
      const granted = { access_token: name('access'), refresh_token: name('refresh'), expires_in: 3600 };
      const text = JSON.stringify(isGood ? granted : { error: 'invalid_grant' });
      const headers = { 'content-type': 'application/json' };
      return { status: isGood ? 200 : 400, headers, body: new TextEncoder().encode(text) };
    },
  };
  const run = async (step: () => Promise<void>) => {
    const files = createFiles(
      { WM_CONFIG_DIR: '/config' },
      'linux',
      '/',
      () => '/home',
      disk.systemOf(userOf(step)),
    );
    const store = createFileTokenStore({ files });
    const before = await store.read('default');
    assert.ok(before, 'the sign-in is there');
    if (before.accessToken === `access-${rotations}` && rotations > 0) return 'works';
    try {
      await refreshTokens({ files, http, clock: createHurriedClock() }, store, profile, before, sameLock);
    } catch (error) {
      assert.ok(error instanceof Failure && /was lost/.test(error.message), String(error));
      assert.deepEqual(await store.read('default'), before);
      return 'lost';
    }
    assert.equal((await store.read('default'))?.accessToken, name('access'));
    return 'works';
  };
  let calls = 0;
  const first = await new Promise((resolve) => {
    const step = () => (calls++ < last ? Promise.resolve() : new Promise<never>(() => resolve('cut')));
    void run(step).then(resolve);
  });
  const rotationsBefore = rotations;
  disk.crash(cut);
  return { isCut: first === 'cut', outcome: await run(async () => {}), rotationsBefore };
}

for (const cut of ['power cut, kept', 'power cut, lost'] as const) {
  test(`tokens are lost only after the rotation; ${cut}`, async () => {
    const outcomes = new Set<string>();
    let last = 0;
    for (; ; last++) {
      const { isCut, outcome, rotationsBefore } = await cutAt(last, cut);
      if (!isCut) break;
      outcomes.add(outcome);
      if (outcome === 'lost') assert.equal(rotationsBefore, 1, `call ${last}`);
    }
    assert.ok(last > 15, `${last} calls`);
    assert.deepEqual([...outcomes].toSorted(), ['lost', 'works']);
  });
}
