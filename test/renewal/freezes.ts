// A refresh around which the processes are frozen, on clocks that the test moves: the command and its helper run in this
// process, each on its own clock, against the service whose refresh token is good for one use. A freeze lets a clock jump
// in one turn, so that its timers are late and called before any socket is read.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { createTestClock, type TestClock } from '#test/support/clock.ts';
import { helperInside } from '#test/support/program/helper-inside.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createGate, type Service } from '#test/support/service/rotating-service.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import { createHttp } from '#world/http.ts';
import { createLock } from '#world/lock.ts';
import type { Stage } from './stage.ts';

/** Where a refresh is when the freeze begins. */
export const moments = [
  /** After a number of turns of the event loop since the command began. */
  'any turn',
  /** The service has the request, and has not rotated the token. */
  'at the service',
  /** The response came during the freeze, and lies unread in the socket. */
  'response unread',
  /** Half of it did. */
  'half unread',
  /** The service has rotated the token, and responds later. */
  'rotated',
] as const;

export interface Freeze {
  readonly moment: (typeof moments)[number];
  readonly who: 'command' | 'helper' | 'both';
  /** Its timers run on and are late, or stand still while the time of day goes on. The latter is for the whole machine. */
  readonly how: 'stopped process' | 'machine asleep';
  /** All in milliseconds: how long the request has waited before the freeze, the freeze, and the wait after it. */
  readonly beforeMs: number;
  readonly freezeMs: number;
  readonly afterMs: number;
  /** For `any turn`: which part of them, 0 to 1. */
  readonly part: number;
}

/** Of one response, in milliseconds: stated here by hand. */
const limitMs = 25_000;
/** A stop that is no longer may be taken for a busy machine, and then counts as waiting. */
const surelyNoticedMs = 2000;

/** Random numbers from 0 to 1; the same seed gives the same ones. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A freeze of 1 to 40 s. */
export function randomFreeze(random: () => number): Freeze {
  const oneOf = <T>(...choices: readonly [T, ...T[]]): T =>
    choices[Math.floor(random() * choices.length)] ?? choices[0];
  const upTo = (milliseconds: number) => Math.floor(random() * milliseconds);
  const moment = oneOf(...moments);
  const how = oneOf('stopped process', 'stopped process', 'machine asleep');
  const isAsleep = how === 'machine asleep';
  return {
    moment,
    how,
    who: isAsleep ? 'both' : oneOf('command', 'helper', 'both'),
    beforeMs: moment === 'response unread' ? upTo(limitMs - 1) : upTo(12_000),
    freezeMs: 1000 + upTo(39_001),
    afterMs: moment === 'rotated' ? upTo(44_000) : upTo(10_000),
    part: random(),
  };
}

/** Whether the helper waited for so long, awake, that it must give up. */
function isBeyondLimit({ moment, who, how, beforeMs, freezeMs, afterMs }: Freeze): boolean {
  if (moment !== 'rotated') return false;
  if (who === 'command') return beforeMs + afterMs >= limitMs;
  if (how === 'machine asleep' || freezeMs > surelyNoticedMs) return afterMs >= limitMs;
  return beforeMs + freezeMs + afterMs >= limitMs;
}

export interface Counts {
  freezes: number;
  /** The service had rotated the token, and its response was not on this machine when the limit was over. */
  inWindow: number;
  /** Of the freezes: longer than the time limit of the request. */
  beyondLimit: number;
  lost: 0;
}

/** Throws where a sign-in was lost outside of the window, or a refresh token was sent twice. */
export async function freezeEach(service: Service, stage: Stage, freezes: Iterable<Freeze>): Promise<Counts> {
  const counts: Counts = { freezes: 0, inWindow: 0, beyondLimit: 0, lost: 0 };
  const turns = await turnsOfRefresh(stage);
  for (const freeze of freezes) {
    const description = `${counts.freezes + 1}: ${JSON.stringify(freeze)}`;
    await stage.expire();
    const before = { ...service.counts };
    const { generation } = await stage.item();
    const ran = await frozen(service, stage, freeze, turns);
    counts.freezes++;
    if (freeze.freezeMs > limitMs) counts.beyondLimit++;
    if (isBeyondLimit(freeze)) {
      assert.equal(ran.status, 4, `${description}\n${ran.errors}`);
      assert.match(ran.errors, /was lost/, description);
      counts.inWindow++;
      await stage.signInAnew();
      continue;
    }
    assert.equal(ran.status, 0, `${description}\n${ran.errors}`);
    const { requests, rotated, rejected } = before;
    assert.deepEqual(service.counts, { requests: requests + 1, rotated: rotated + 1, rejected }, description);
    const item = await stage.item();
    assert.deepEqual(
      [item.generation, item.refreshToken],
      [generation + 1, service.refreshToken()],
      description,
    );
  }
  const last = await begin(stage).ran;
  assert.equal(last.status, 0, last.errors);
  return counts;
}

interface Begun {
  readonly ran: Promise<Ran>;
  readonly isOver: () => boolean;
  readonly clocks: { readonly command: TestClock; readonly helper: TestClock };
}

/** `wm whoami` in this process, with its helper beside it. */
function begin(stage: Stage): Begun {
  const environment = { WM_CONFIG_DIR: stage.folder, WM_TOKEN_STORE: 'file' };
  const clocks = { command: createPatientClock(), helper: createPatientClock() };
  const partsOn = (clock: TestClock) => ({
    clock,
    http: createHttp(environment, clock),
    lock: createLock(process.platform, clock),
  });
  const real = createWorld();
  const files = createFiles(environment, process.platform, stage.folder);
  const { clock, http } = partsOn(clocks.helper);
  const { world } = helperInside(
    { ...real, environment, files, ...partsOn(clocks.command) },
    { clock, http },
  );
  let over = false;
  const ran = run(['whoami'], {
    environment,
    world: {
      files,
      lock: world.lock,
      clock: world.clock,
      http: world.http,
      process: {
        ...world.process,
        self: [process.execPath, resolve('bin/wm.js')],
        onInterrupt: () => () => {},
        onResume: () => () => {},
      },
    },
  }).finally(() => {
    over = true;
  });
  return { ran, isOver: () => over, clocks };
}

/** It stands until the test moves it; only the program's own pauses pass by themselves. */
function createPatientClock(): TestClock {
  const clock = createTestClock();
  return {
    ...clock,
    async sleep(milliseconds, signal) {
      await clock.nextTurn();
      if (!signal?.aborted) clock.advance(milliseconds);
    },
  };
}

/** How many turns of the event loop an undisturbed refresh takes here. */
async function turnsOfRefresh(stage: Stage): Promise<number> {
  await stage.expire();
  const { ran, isOver, clocks } = begin(stage);
  let turns = 0;
  for (; !isOver(); turns++) await clocks.command.nextTurn();
  assert.equal((await ran).status, 0);
  return turns;
}

async function frozen(service: Service, stage: Stage, freeze: Freeze, turns: number): Promise<Ran> {
  const { moment, beforeMs, afterMs, part } = freeze;
  const gate = createGate();
  if (moment === 'at the service' || moment === 'response unread')
    service.faults.push({ when: 'before', what: 'gate', gate });
  if (moment === 'rotated') service.faults.push({ when: 'after', what: 'gate', gate });
  if (moment === 'half unread') service.faults.push({ when: 'after', what: 'halves', gate });
  const rotation = service.rotation();
  const { ran, isOver, clocks } = begin(stage);
  const all = Object.values(clocks);
  const strike = () => {
    for (const who of ['command', 'helper'] as const) {
      if (freeze.who !== 'both' && freeze.who !== who) continue;
      if (freeze.how === 'stopped process') clocks[who].stop(freeze.freezeMs);
      else clocks[who].sleepMachine(freeze.freezeMs);
    }
  };
  if (moment === 'any turn') {
    for (let turn = 0; turn < part * turns && !isOver(); turn++) await clocks.command.nextTurn();
    strike();
    return ran;
  }
  if (moment === 'half unread') {
    await Promise.race([rotation, ran]);
    strike();
    await pass(all, afterMs);
    gate.open();
    return ran;
  }
  await Promise.race([gate.reached, ran]);
  await pass(all, beforeMs);
  if (moment === 'response unread') {
    gate.open();
    // In the turn in which the response is written: nobody has read it.
    await Promise.race([rotation, ran]);
    strike();
    // A machine that only slept has to run to notice.
    if (freeze.how === 'machine asleep') for (const clock of all) clock.advance(limitMs - 1 - beforeMs);
    return ran;
  }
  strike();
  await pass(all, afterMs);
  gate.open();
  return ran;
}

/** Lets the time go on without a freeze. */
async function pass(clocks: readonly TestClock[], milliseconds: number): Promise<void> {
  for (let remaining = milliseconds; remaining > 0; remaining -= 1000) {
    for (const clock of clocks) clock.advance(Math.min(remaining, 1000));
    for (let turn = 0; turn < 4; turn++) await clocks[0]?.nextTurn();
  }
}

/** `parts`: of the turns of a refresh, at each of which it is frozen once. */
export function testFreezes(
  service: Service,
  stage: Stage,
  at: readonly Freeze['moment'][],
  parts: readonly number[],
): void {
  for (const how of ['stopped process', 'machine asleep'] as const) {
    for (const moment of at) {
      test(`${how}, ${moment}: frozen for 40 s, the sign-in is kept, and one request was sent`, async () => {
        const freezes = parts.map(
          (part): Freeze => ({
            moment,
            how,
            who: 'both',
            beforeMs: 20_000,
            freezeMs: 40_000,
            afterMs: 20_000,
            part,
          }),
        );
        const { lost, inWindow } = await freezeEach(service, stage, freezes);
        assert.deepEqual([lost, inWindow], [0, 0]);
      });
    }
  }
}
