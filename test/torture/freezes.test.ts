// npm run torture: 200 freezes of 1 to 40 s around a refresh, on clocks that the test moves, and 10 real ones; with counts.
// FREEZE_SEED repeats what an earlier run has printed.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { untilInFolder } from '#test/support/disk/until-in-folder.ts';
import { atStep } from '#test/support/process/at-step.ts';
import { canStop, continueProcess, freezeFor, stopProcess } from '#test/support/process/stopped-process.ts';
import { createGate } from '#test/support/service/rotating-service.ts';
import { freezeEach, randomFreeze, randomFrom } from '../renewal/freezes.ts';
import { stageForAll } from '../renewal/stage.ts';
import { stepsOf } from '../renewal/trials.ts';

const { service, stage } = await stageForAll();
const seed = Number(process.env['FREEZE_SEED'] ?? randomInt(2 ** 32));

function print(what: string, counts: object): void {
  process.stderr.write(`${what}: ${JSON.stringify({ seed, ...counts })}\n`);
}

test(`200 freezes of random length, FREEZE_SEED=${seed}`, async () => {
  const random = randomFrom(seed);
  const freezes = Array.from({ length: 200 }, () => randomFreeze(random));
  print('freezes on a test clock', await freezeEach(service, stage, freezes));
});

/** The limit of 25 s is over after less than two real ones. */
const factor = 15;
const limitMs = 25_000 / factor;
const preload = (name: string) => `--require "${resolve(`test/${name}.cjs`)}"`;

/** Resolves once each of them has written its file into the folder. */
async function runAgain(folder: string, pids: readonly number[]): Promise<void> {
  await untilInFolder(folder, async () => {
    const names = await readdir(folder);
    return pids.every((pid) => names.includes(String(pid)));
  });
}

test(`10 real freezes of 1 to 3 s, FREEZE_SEED=${seed}`, canStop, async (context) => {
  // The test before may have failed in the middle.
  service.faults.length = 0;
  await stage.signInAnew();
  const random = randomFrom(seed);
  const folder = await mkdtemp(join(tmpdir(), 'wm-freezes-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = {
    FAST_CLOCK: String(factor),
    RUNS_AGAIN: folder,
    NODE_OPTIONS: `${preload('fast-clock')} ${preload('runs-again')}`,
  };
  const steps = await stepsOf(stage, 'whoami');
  const counts = { freezes: 0, beyondLimit: 0, unread: 0, 'at the service': 0, anywhere: 0, lost: 0 };
  for (; counts.freezes < 10; counts.freezes++) {
    const moment = (['unread', 'unread', 'at the service', 'anywhere'] as const)[Math.floor(random() * 4)];
    assert.ok(moment);
    const freezeMs = 1000 + Math.floor(random() * 2001);
    const what = `${moment}, ${freezeMs} ms`;
    await stage.expire();
    const { requests, rotated, rejected } = service.counts;
    const gate = createGate();
    if (moment !== 'anywhere') service.faults.push({ when: 'before', what: 'gate', gate });
    const step = await atStep('whoami');
    context.after(() => step.close());
    const { AT_STEP, NODE_OPTIONS } = step.environment(1 + Math.floor(random() * steps), 'SIGSTOP');
    const stops = moment === 'anywhere' && {
      AT_STEP: AT_STEP ?? '',
      NODE_OPTIONS: `${environment.NODE_OPTIONS} ${NODE_OPTIONS}`,
    };
    const { child, ended } = stage.startWith({ ...environment, ...stops }, 'whoami');
    assert.ok(child.pid);
    await Promise.race([moment === 'anywhere' ? step.reached() : gate.reached, ended]);
    const helper = await stage.findHelper();
    if (moment !== 'anywhere') assert.ok(helper, what);
    const pids = helper === undefined ? [child.pid] : [child.pid, helper];
    for (const pid of pids) await stopProcess(pid);
    const rotation = service.rotation();
    if (moment === 'unread') {
      gate.open();
      await rotation;
    }
    await freezeFor(freezeMs);
    if (random() < 0.5) pids.reverse();
    const again = moment === 'at the service' ? runAgain(folder, pids) : undefined;
    for (const pid of pids) continueProcess(pid);
    if (again !== undefined) {
      // By then the late timers have run.
      await again;
      gate.open();
    }
    const { status, errors } = await ended;
    assert.equal(status, 0, `${what}\n${errors}`);
    assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected }, what);
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, `${what}\n${next.errors}`);
    counts[moment]++;
    if (freezeMs > limitMs) counts.beyondLimit++;
  }
  print(`real freezes, the clocks of the processes ${factor} times as fast`, counts);
});
