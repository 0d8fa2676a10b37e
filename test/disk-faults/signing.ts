// A sign-in and a refresh on a disk that fails: whoever was signed in still is, and what the command says is so.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createHurriedClock } from '#test/support/clock.ts';
import { tellsOfDisk } from '#test/support/disk/every-call.ts';
import { createFaultySystem, type FaultySystem } from '#test/support/disk/faulty-system.ts';
import { type AuthService, secrets } from '#test/support/service/auth-service.ts';
import type { Service } from '#test/support/service/rotating-service.ts';
import { makePerson } from '#test/support/sign-in/person.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createLock } from '#world/lock.ts';
import { inside } from '../renewal/inside.ts';
import type { Stage } from '../renewal/stage.ts';

/** An expired token: the command refreshes it, and the next one works. */
export async function refreshing(service: Service, stage: Stage, faulty: FaultySystem): Promise<string> {
  await stage.signInAnew();
  await stage.expire();
  const { rejected } = service.counts;
  const first = await inside(stage, faulty.system).wm('whoami');
  if (first.status === 0) assert.match(first.output, /Ada/);
  else assert.ok(tellsOfDisk(first.errors), first.errors);
  const isWarned = /^Cannot store the new tokens of default in /m.test(first.errors);
  faulty.mend();

  const { wm } = inside(stage, createFaultySystem().system);
  const next = await wm('whoami');
  if (next.status !== 0) {
    assert.ok(isWarned, `lost without a word: ${first.errors}\n${next.errors}`);
    assert.match(next.errors, /The refresh of the sign-in default was lost/);
    return 'broken for good after the rotation: used, and told';
  }
  assert.equal(service.counts.rejected, rejected, `a token was used twice: ${first.errors}`);
  // Nothing secret stays.
  const out = await wm('logout', '--yes');
  assert.equal(out.status, 0, out.errors);
  assert.deepEqual(await readdir(join(stage.folder, 'tokens')), []);
  if (isWarned) return 'put in place by the next command';
  return first.status === 0 ? 'refreshed' : 'failed, and works afterwards';
}

/** `isAgain`: over an earlier sign-in, which is not lost. */
export async function signingIn(
  service: AuthService,
  isAgain: boolean,
  faulty: FaultySystem,
): Promise<string> {
  const person = await makePerson();
  try {
    if (isAgain) assert.equal((await person.login(service)).status, 0);
    const environment = { WM_CONFIG_DIR: person.folder };
    const clock = { ...createWorld().clock, sleep: createHurriedClock().sleep };
    const ran = await person.wm(['login', '--auth-url', service.url], {
      environment: { WM_CLIENT_ID: 'app é', WM_CLIENT_SECRET: secrets.clientSecret },
      world: {
        files: createFiles(environment, process.platform, person.folder, undefined, faulty.system),
        lock: createLock(process.platform, clock, faulty.system),
        clock,
      },
    });
    if (ran.status !== 0) assert.ok(tellsOfDisk(ran.errors), ran.errors);
    faulty.mend();
    // The browser is told too, and nothing listens any more that would keep the command alive.
    await Promise.all(person.pages);
    const saysKept = /is kept \(profile default\)|^(?:wm: )?Signed in \(profile default\)/m.test(ran.errors);
    const next = await person.wm(['whoami']);
    if (ran.status === 0 || isAgain || saysKept) {
      assert.equal(next.status, 0, `${ran.errors}\n${next.errors}`);
    } else {
      assert.equal(next.status, 4, `it was said to have failed: ${ran.errors}`);
      const leftovers = [...(await person.files())].filter(([, content]) => content.includes('canary'));
      // What could not be removed from a broken disk goes with the next sign-in.
      if (faulty.struck.every((call) => !call.startsWith('unlink')))
        assert.deepEqual(leftovers, [], ran.errors);
    }
    const again = await person.login(service);
    assert.equal(again.status, 0, again.errors);
    const names = await readdir(join(person.folder, 'tokens'));
    assert.deepEqual(
      names.filter((name) => name !== 'default.json' && !name.startsWith('.probe')),
      [],
    );
    return ran.status === 0 ? 'signed in' : saysKept ? 'signed in, and told what failed' : 'failed as told';
  } finally {
    await person.leave();
  }
}
