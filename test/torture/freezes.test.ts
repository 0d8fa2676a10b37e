// npm run torture: 200 freezes of 1 to 40 s around a refresh, on clocks that the test moves, and 10 real ones; with counts.
// FREEZE_SEED repeats what an earlier run has printed.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { freezeEach, randomFreeze, randomFrom } from '../renewal/freezes.ts';
import { createGate } from '../renewal/service.ts';
import { stageForAll } from '../renewal/stage.ts';
import { canStop, continueProcess, stopProcess } from '../stopped-process.ts';

const { service, stage } = await stageForAll();
const seed = Number(process.env['FREEZE_SEED'] ?? randomInt(2 ** 32));
/** Torture is about real time, so this one file passes it. */
const pass = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

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
const environment = {
  FAST_CLOCK: String(factor),
  NODE_OPTIONS: `--require "${resolve('test/fast-clock.cjs')}"`,
};

test(`10 real freezes of 1 to 3 s, FREEZE_SEED=${seed}`, canStop, async () => {
  // The test before may have failed in the middle.
  service.faults.length = 0;
  await stage.signInAnew();
  const random = randomFrom(seed);
  const counts = { freezes: 0, beyondLimit: 0, unread: 0, 'at the service': 0, anywhere: 0, lost: 0 };
  for (; counts.freezes < 10; counts.freezes++) {
    const moment = (['unread', 'unread', 'at the service', 'anywhere'] as const)[Math.floor(random() * 4)];
    assert.ok(moment);
    const freezeMs = 1000 + Math.floor(random() * 2001);
    const what = `${moment}, ${freezeMs} ms`;
    await stage.expire();
    const { asked, rotated, refused } = service.counts;
    const gate = createGate();
    if (moment !== 'anywhere') service.faults.push({ when: 'before', what: 'gate', gate });
    const { child, ended } = stage.startWith(environment, 'whoami');
    assert.ok(child.pid);
    await (moment === 'anywhere' ? pass(random() * 400) : Promise.race([gate.reached, ended]));
    const helper = await stage.findHelper();
    if (moment !== 'anywhere') assert.ok(helper);
    const pids = helper === undefined ? [child.pid] : [child.pid, helper];
    for (const pid of pids) await stopProcess(pid);
    const rotation = service.rotation();
    if (moment === 'unread') {
      gate.open();
      await rotation;
    }
    await pass(freezeMs);
    if (random() < 0.5) pids.reverse();
    for (const pid of pids) continueProcess(pid);
    if (moment === 'at the service') {
      // By now the late timers have run.
      await pass(random() * 500);
      gate.open();
    }
    const { status, errors } = await ended;
    assert.equal(status, 0, `${what}\n${errors}`);
    assert.deepEqual(service.counts, { asked: asked + 1, rotated: rotated + 1, refused }, what);
    const next = await stage.run('whoami');
    assert.equal(next.status, 0, `${what}\n${next.errors}`);
    counts[moment]++;
    if (freezeMs > limitMs) counts.beyondLimit++;
  }
  print(`real freezes, the clocks of the processes ${factor} times as fast`, counts);
});
