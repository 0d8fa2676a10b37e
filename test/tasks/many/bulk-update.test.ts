// Many updates at once: their order, rate limits, relative dates, and output that cannot be written. test/transcript/task-many.txt and
// task-resume.txt show the plan, the results and the errors file.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock } from '#test/support/clock.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;
const silent = { isTerminal: false, columns: undefined, raw: new PassThrough() };
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

test('sends rows of one task one after another, in input order', async (context) => {
  const { wm, control, task } = await emulated(context);
  // The first would come last.
  await control('faults', { request: 'updateTask', delayMs: 200, when: 'before', times: 1 });
  const input = csv('id,title', ...Array.from({ length: 60 }, (_, n) => `${first},title ${n + 1}`));
  await wm(['task', 'update', '--from', '-', '--yes', '--concurrency', '16'], { input, exit: 0 });
  assert.equal((await task(first)).title, 'title 60');
});

test('waits for a rate limit, and loses nothing', async (context) => {
  const { wm, control, task } = await emulated(context);
  await control('faults', { request: 'updateTask', status: 429, retryAfter: 0, times: 6 });
  const input = csv('id,importance', ...[first, second, third].map((id) => `${id},High`));
  const testClock = createTestClock();
  const clock = { ...testClock, sleep: async (milliseconds: number) => testClock.advance(milliseconds) };
  const argv = ['task', 'update', '--from', '-', '--yes', '--concurrency', '3'];
  await wm(argv, { input, world: { clock }, exit: 0 });
  assert.equal((await task(third)).importance, 'High');
});

test('relative dates keep their day when the bulk run is resumed later', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id', first, second));
  await control('faults', { request: 'updateTask', cutAfter: 0, times: 3 });
  const flags = ['--milestone', '--due', 'tomorrow', '--yes', '--concurrency', '1'];
  const argv = ['task', 'update', '--from', path, ...flags];
  const on = (day: number) => ({ world: { clock: clockAt(new Date(2026, 10, day, 12).getTime()) } });
  await wm(argv, { ...on(20), exit: 8 });
  await wm([...argv, '--resume'], { ...on(25), exit: 0 });
  for (const id of [first, second]) assert.match((await task(id)).dates.due, /^2026-11-21/);
});

test('journals in its own folder are removed after three months, except the one that is resumed', async (context) => {
  const { wm, control, folder } = await emulated(context);
  const journals = join(folder, 'config', 'state', 'bulk');
  const day = 24 * 60 * 60 * 1000;
  const at = (days: number) => ({ world: { clock: clockAt(Date.UTC(2026, 0, 1) + days * day) } });
  const finished = ['task', 'update', first, second, '--importance', 'High', '--yes'];
  await wm(finished, { ...at(0), exit: 0 });
  const torn = ['task', 'update', first, second, '--importance', 'Low', '--yes', '--concurrency', '1'];
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  assert.notEqual((await wm(torn, at(1))).status, 0);
  const kept = async () => (await readdir(journals)).filter((name) => name.endsWith('.ndjson')).length;
  assert.equal(await kept(), 2);
  const third = ['task', 'update', first, second, '--importance', 'Normal', '--yes'];
  await wm(third, { ...at(91), exit: 0 });
  assert.equal(await kept(), 3);
  await wm([...torn, '--resume'], { ...at(120), exit: 0 });
  assert.equal(await kept(), 2);
});

test('shows what relative dates mean; they count from the day when the bulk run started', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,start,due', `${first},tomorrow,+3d`, `${second},2026-12-01,2026-12-02`));
  const at = (day: number) => ({ world: { clock: clockAt(new Date(2026, 10, day, 12).getTime()) } });
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  const ran = await wm(argv, { ...at(17), exit: 4 });
  assert.match(
    ran.errors,
    /will be updated .*\n {2}tomorrow is 2026-11-18\n {2}\+3d is 2026-11-20\n(?! {2})/,
  );
  const resumed = await wm([...argv, '--resume'], { ...at(25), exit: 0 });
  assert.match(
    resumed.errors,
    / {2}tomorrow is 2026-11-18\n {2}\+3d is 2026-11-20\n[\s\S]*These dates count from the day on which the run began\./,
  );
  const { dates } = await task(first);
  assert.match(`${dates.start} ${dates.due}`, /^2026-11-18T\S+ 2026-11-20T/);
});

const three = csv('id,title', `${first},one`, `${second},two`, `${third},three`);

/** Streams of which standard output takes nothing. */
function withFullOutput() {
  const { streams, texts } = collectStreams();
  const full = new Error('ENOSPC: no space left on device, write');
  const write = () => Promise.reject(Object.assign(full, { name: 'UnwritableOutput' }));
  return { streams: { ...streams, output: { ...streams.output, write } }, texts };
}

test('if output cannot be written, a bulk run ends with its counts and what to do, not with a crash', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, three);
  const { streams, texts } = withFullOutput();
  const ran = await wm(['task', 'update', '--from', path, '--yes'], { world: { streams } });
  assert.equal(ran.status, 1, texts.errors);
  assert.match(
    texts.errors,
    /3 of 3 rows updated[\s\S]*Cannot write the result\n +ENOSPC[\s\S]*Every row was updated\. Run the same command with --resume: it sends nothing again and lists the .* not listed\./,
  );
  assert.equal((await task(third)).title, 'three');
});

test('invalid rows that cannot be listed: the reason is reported, and nothing is sent', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,status', `${first},Done`));
  const { streams, texts } = withFullOutput();
  const ran = await wm(['task', 'update', '--from', path, '--yes'], { world: { streams } });
  assert.equal(ran.status, 1, texts.errors);
  assert.match(texts.errors, /^wm: Cannot write the result\n {2}ENOSPC: no space left on device, write\n/m);
});

test('reads standard input that arrives as text like any other', async (context) => {
  const { wm, task } = await emulated(context);
  const { streams } = createWorld();
  const input = { ...streams.input, isTerminal: false, raw: Readable.from([`id,title\n${first},`, 'Né\n']) };
  const output = { ...silent, write: async () => {} };
  const world = { streams: { input, output, errors: output } };
  await wm(['task', 'update', '--from', '-', '--yes'], { world, exit: 0 });
  assert.equal((await task(first)).title, 'Né');
});

test('a second Ctrl-C ends a bulk run whose results are not read', { timeout: 60_000 }, async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, three);
  const world = createWorld();
  const hears = new Set<(signal: 'SIGINT') => void>();
  const interrupt = () => {
    for (const hear of hears) hear('SIGINT');
  };
  let stillHear: number | undefined;
  let errors = '';
  const streams: World['streams'] = {
    ...world.streams,
    // A pipe that is full, and stays so.
    output: {
      ...silent,
      write: () => {
        setImmediate(interrupt);
        return new Promise(() => {});
      },
    },
    errors: {
      ...silent,
      write: async (text: string) => {
        errors += text;
        if (text.includes('Stopping:'))
          setImmediate(() => {
            interrupt();
            stillHear = hears.size;
          });
      },
    },
  };
  const process: World['process'] = {
    ...world.process,
    onInterrupt(hear) {
      hears.add(hear);
      return () => hears.delete(hear);
    },
  };
  const ran = await wm(['task', 'update', '--from', path, '--yes'], { world: { streams, process } });
  assert.equal(ran.status, 130, errors);
  // One more is no longer heard, and ends the process.
  assert.equal(stillHear, 0);
  assert.match(errors, /[123] of 3 rows updated[\s\S]*Interrupted: /);
});
