// The trials of a renewal: many processes at once, kills at random instants, and kills in the one window that nobody can
// close. Each takes how often, and gives what it counted; it throws where a sign-in was lost that need not have been.

import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { join } from 'node:path';
import type { Service } from './service.ts';
import type { Stage } from './stage.ts';

const random = (below: number) => Math.floor(Math.random() * below);
/** Torture is about instants, so this one file measures time by passing it. */
const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function together(service: Service, stage: Stage, processes: number, rounds: number) {
  for (let round = 1; round <= rounds; round++) {
    await stage.expire();
    const before = { ...service.counts };
    const ended = await Promise.all(Array.from({ length: processes }, () => stage.run('whoami')));
    const failed = ended.filter(({ status }) => status !== 0);
    assert.deepEqual(failed, [], `round ${round}`);
    assert.deepEqual(
      service.counts,
      { asked: before.asked + 1, rotated: before.rotated + 1, refused: before.refused },
      `round ${round}: one renewal request, no more`,
    );
  }
  return { processes, rounds, renewals: rounds, failures: 0 };
}

export async function killCommands(service: Service, stage: Stage, kills: number) {
  let whileRenewing = 0;
  for (let kill = 1; kill <= kills; kill++) {
    await stage.expire();
    const rotated = service.counts.rotated;
    const { child, ended } = stage.start('whoami');
    await pass(random(400));
    child.kill('SIGKILL');
    const { signal } = await ended;
    if (signal === 'SIGKILL' && service.counts.rotated === rotated && (await stage.findHelper()))
      whileRenewing++;
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, `after kill ${kill}: ${next.errors}`);
    assert.equal(service.counts.refused, 0, `after kill ${kill}: no refresh token was used twice`);
  }
  return { kills, whileRenewing, lost: 0 };
}

export async function killHelpers(service: Service, stage: Stage, kills: number) {
  let killed = 0;
  let tooLate = 0;
  while (killed < kills) {
    await stage.expire();
    const asked = service.counts.asked;
    const running = stage.start('whoami');
    let over = false;
    void running.ended.then(() => {
      over = true;
    });
    let helper: number | undefined;
    while (helper === undefined && !over) helper = await stage.findHelper();
    await pass(random(60));
    // Only before it has sent: afterwards it is the window below.
    if (helper !== undefined && !over && service.counts.asked === asked) {
      try {
        process.kill(helper, 'SIGKILL');
        if (service.counts.asked === asked) killed++;
        else tooLate++;
      } catch {
        tooLate++;
      }
    } else {
      tooLate++;
    }
    const { status, errors } = await running.ended;
    if (status === 4) {
      // The request left in the instant of the kill.
      assert.match(errors, /was lost/);
      await stage.signInAnew();
    } else {
      assert.equal(status, 0, errors);
    }
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, next.errors);
  }
  return { kills: killed, tooLate, lost: 0 };
}

/** The helper dies after the service has rotated and before the answer is kept. */
export async function killInWindow(service: Service, stage: Stage) {
  await stage.expire();
  const before = await stage.item();
  service.faults.push({ when: 'after', what: 'hold' });
  const running = stage.start('whoami');
  await service.rotation();
  const helper = await stage.findHelper();
  assert.ok(helper);
  process.kill(helper, 'SIGKILL');
  const { status, errors } = await running.ended;
  assert.equal(status, 4, errors);
  assert.match(errors, /The refresh of the sign-in default was lost/);
  assert.match(errors, /wm login --profile default/);
  assert.deepEqual(await stage.item(), before, 'the item is kept');
  // And the same again, however often it is asked.
  const next = await stage.run('whoami');
  assert.equal(next.status, 4);
  assert.match(next.errors, /was lost/);
  await stage.signInAnew();
  assert.equal((await stage.run('whoami')).status, 0);
}

/** Milliseconds between the service's rotation and the answer in its place, by one clock; at most a little too many. */
export async function windowWidth(service: Service, stage: Stage, times: number) {
  const widths: number[] = [];
  let placed = 0;
  const watcher = watch(join(stage.folder, 'tokens'), (_event, name) => {
    if (name === 'default.json') placed = performance.now();
  });
  for (let time = 0; time < times; time++) {
    await stage.expire();
    assert.equal((await stage.run('whoami')).status, 0);
    widths.push(placed - service.rotatedAt());
  }
  watcher.close();
  widths.sort((a, b) => a - b);
  assert.ok((widths[0] ?? 0) > 0, 'the answer comes after the rotation');
  return { median: widths[Math.floor(times / 2)] ?? 0, longest: widths.at(-1) ?? 0 };
}
