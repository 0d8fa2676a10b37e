// The trials of a renewal: many processes at once, kills at random steps, and kills in the one window that nobody can
// close. Each takes how often, and gives what it counted; it throws where a sign-in was lost that need not have been.

import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { type AtStep, atStep } from '#test/support/process/at-step.ts';
import type { ProcessRecord } from '#test/support/process/process-record.ts';
import type { Service } from '#test/support/service/rotating-service.ts';
import type { Stage } from './stage.ts';

/** The word by which `wm` runs itself for a renewal. */
export const helperWord = '__refresh-process';

const random = (below: number) => Math.floor(Math.random() * below);

export async function together(service: Service, stage: Stage, processes: number, rounds: number) {
  for (let round = 1; round <= rounds; round++) {
    await stage.expire();
    const before = { ...service.counts };
    const ended = await Promise.all(Array.from({ length: processes }, () => stage.run('whoami')));
    const failed = ended.filter(({ status }) => status !== 0);
    assert.deepEqual(failed, [], `round ${round}`);
    assert.deepEqual(
      service.counts,
      { requests: before.requests + 1, rotated: before.rotated + 1, rejected: before.rejected },
      `round ${round}: one renewal request, no more`,
    );
  }
  return { processes, rounds, renewals: rounds, failures: 0 };
}

/** How many steps a process of `wm whoami` with an expired token takes, undisturbed. */
export async function stepsOf(stage: Stage, word: string): Promise<number> {
  await stage.expire();
  const step = await atStep(word);
  assert.equal((await stage.startWith(step.environment(0, 'SIGKILL'), 'whoami').ended).status, 0);
  const { steps } = await step.reached();
  await step.close();
  assert.ok(steps > 20, `${steps} steps`);
  return steps;
}

/** `wm whoami` with an expired token, of which the process with the word is killed at one of its steps. */
async function killedRun(stage: Stage, word: string, steps: number) {
  await stage.expire();
  const step: AtStep = await atStep(word);
  const ended = await stage.startWith(step.environment(1 + random(steps), 'SIGKILL'), 'whoami').ended;
  const isKilled = (await step.read())?.how === 'reached';
  await step.close();
  return { ended, isKilled };
}

export async function killCommands(service: Service, stage: Stage, kills: number) {
  const steps = await stepsOf(stage, 'whoami');
  let whileRenewing = 0;
  let killed = 0;
  while (killed < kills) {
    const rotated = service.counts.rotated;
    const { isKilled } = await killedRun(stage, 'whoami', steps);
    if (isKilled) killed++;
    if (isKilled && service.counts.rotated === rotated && (await stage.findHelper())) whileRenewing++;
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, `after kill ${killed}: ${next.errors}`);
    assert.equal(service.counts.rejected, 0, `after kill ${killed}: no refresh token was used twice`);
  }
  return { kills, steps, whileRenewing, lost: 0 };
}

/** A sign-in may be lost only where the service has rotated the token, and its response is not stored. */
export async function killHelpers(service: Service, stage: Stage, kills: number) {
  const steps = await stepsOf(stage, helperWord);
  let killed = 0;
  let inWindow = 0;
  while (killed < kills) {
    const rotation = service.rotation();
    const { rejected } = service.counts;
    const { generation } = await stage.item();
    const { ended, isKilled } = await killedRun(stage, helperWord, steps);
    if (isKilled) killed++;
    // The request may still be on its way to the service.
    await rotation;
    if (ended.status === 0) {
      assert.equal(service.counts.rejected, rejected, 'no refresh token was used twice');
      assert.equal((await stage.item()).generation, generation + 1);
    } else {
      // The next helper has tried the token: the request of the first might never have arrived.
      assert.equal(ended.status, 4, ended.errors);
      assert.match(ended.errors, /was lost/);
      assert.equal((await stage.item()).generation, generation);
      inWindow++;
      await stage.signInAnew();
    }
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, next.errors);
  }
  return { kills, steps, inWindow, lost: 0 };
}

/** The helper dies before it has sent anything: the command works all the same. */
export async function killBeforeRequest(
  service: Service,
  stage: Stage,
  record: ProcessRecord,
  kills: number,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    await stage.expire();
    const before = { ...service.counts };
    await record.hold(helperWord);
    const running = stage.startWith(record.environment, 'whoami');
    process.kill(await record.held(), 'SIGKILL');
    assert.equal(service.counts.requests, before.requests);
    await record.release();
    const { status, errors } = await running.ended;
    assert.equal(status, 0, errors);
    const { requests, rotated, rejected } = before;
    assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected });
    assert.equal((await stage.run('whoami')).status, 0);
  }
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
