// A bulk in a real process that is killed, interrupted, or on a full disk, and --resume. Of each a case or two is quick, and
// all of them are deep.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { emulatorEnvironment } from '#emulator/commands/environment.ts';
import { type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { nextChangeIn } from '#test/support/disk/until-in-folder.ts';
import { run } from '#test/support/program/program.ts';
import { createRandom } from '#test/support/random.ts';
import { createWorld } from '#world/create-world.ts';
import type { Server } from '#world/world.ts';

interface Watched {
  readonly emulator: RunningEmulator;
  /** The tasks of all updates that came, in order. */
  readonly log: string[];
  /** Called at each update: when it came, and when its answer has left. */
  onUpdate: (moment: 'came' | 'answered') => void;
}

/** An emulator whose every request is noted before it is answered. */
async function watched(context: TestContext): Promise<Watched> {
  const world = createWorld();
  const log: string[] = [];
  const server: Server = {
    listen: (at, handler) =>
      world.server.listen(at, (request, response) => {
        const id = request.method === 'PUT' ? /\/tasks\/([^?]+)/.exec(request.url ?? '')?.[1] : undefined;
        if (id !== undefined) {
          log.push(id);
          self.onUpdate('came');
          response.on('finish', () => self.onUpdate('answered'));
        }
        handler(request, response);
      }),
  };
  const emulator = await startEmulator({ ...world, server });
  assert.ok(!('fault' in emulator));
  context.after(() => emulator.close());
  const self: Watched = { emulator, log, onUpdate: () => {} };
  return self;
}

async function newTasks({ emulator }: Watched, rows: number): Promise<readonly string[]> {
  const response = await fetch(`${emulator.controlUrl}/tasks`, {
    method: 'POST',
    body: JSON.stringify({ count: rows }),
  });
  return JSON.parse(await response.text()).taskIds;
}

/** What the journal has the response of, as lines of the input. Written by hand here, and not with the program's own reader. */
async function answered(journal: string): Promise<ReadonlySet<number>> {
  const text = await readFile(journal, 'utf8').catch(() => '');
  const lines = new Set<number>();
  for (const [, row] of text.matchAll(/^\{"updated":(\d+)\}$/gm)) lines.add(Number(row));
  return lines;
}

/** Kills so often, each time at a random moment of a bulk of so many rows. */
export async function killAndResume(context: TestContext, kills: number, rows: number): Promise<void> {
  const service = await watched(context);
  const folder = await mkdtemp(join(tmpdir(), 'wm-kill-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = emulatorEnvironment(
    { PATH: process.env['PATH'] },
    service.emulator,
    join(folder, 'config'),
  );

  const random = createRandom(Number(process.env['TEST_SEED']));
  let killed = 0;
  let resent = 0;
  while (killed < kills) {
    const ids = await newTasks(service, rows);
    const rowOf = new Map(ids.map((id, index) => [id, index + 2]));
    const path = join(folder, 'tasks.csv');
    const journal = join(folder, `journal-${killed}`);
    await writeFile(path, `id,title\n${ids.map((id, index) => `${id},title ${index}`).join('\n')}\n`);
    /** What standard output has had of all runs of this bulk. */
    const reported = new Set<number>();
    let resume = false;
    for (let over = false; !over; ) {
      const before = await answered(journal);
      const sentBefore = service.log.length;
      const argv = ['task', 'update', '--from', path, '--journal', journal, '--yes', '--quiet'];
      if (resume) argv.push('--resume');
      let output = '';
      // The last run of a bulk is left alone, so that each ends: the test itself runs it.
      if (killed === kills) {
        const ran = await run(argv, { environment });
        assert.equal(ran.status, 0, ran.errors);
        output = ran.output;
        over = true;
      } else {
        const moment = 1 + random.below(rows - before.size);
        const when = random.chance(0.5) ? 'came' : 'answered';
        const child: ChildProcess = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
          env: environment,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let errors = '';
        child.stderr?.on('data', (text) => (errors += text));
        child.stdout?.on('data', (text) => (output += text));
        let count = 0;
        service.onUpdate = (what) => {
          if (what === when && ++count === moment) child.kill('SIGKILL');
        };
        const signal = await ended(child);
        service.onUpdate = () => {};
        if (signal === 'SIGKILL') killed++;
        else {
          over = true;
          assert.equal(child.exitCode, 0, errors);
        }
      }
      for (const [, line] of output.matchAll(/^(\d+)\t\w+\tupdated\t$/gm)) {
        reported.add(Number(line));
      }
      resume = true;
      const sent: number[] = service.log.slice(sentBefore).map((id) => rowOf.get(id) ?? 0);
      const again = sent.filter((row) => before.has(row));
      assert.deepEqual(again, [], `sent again though answered, after ${killed} kills`);
      resent += sent.length - new Set(sent).size;
    }
    assert.equal((await answered(journal)).size, rows);
    assert.equal(reported.size, rows, 'a row was listed by no run');
    await allApplied(service, ids);
  }
  assert.equal(resent, 0, 'no run sent a row twice');
}

function ended(child: ChildProcess): Promise<NodeJS.Signals | null> {
  return new Promise((done) => child.on('close', (_status, signal) => done(signal)));
}

/** Ctrl-C after 300 rows. */
export async function interruptAndResume(context: TestContext): Promise<void> {
  const rows = 2000;
  const service = await watched(context);
  const folder = await mkdtemp(join(tmpdir(), 'wm-interrupt-'));
  context.after(() => rm(folder, { recursive: true }));
  const environment = emulatorEnvironment(
    { PATH: process.env['PATH'] },
    service.emulator,
    join(folder, 'config'),
  );
  const ids = await newTasks(service, rows);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,title\n${ids.map((id, index) => `${id},title ${index}`).join('\n')}\n`);
  const argv = [
    resolve('bin/wm.js'),
    'task',
    'update',
    '--from',
    path,
    '--journal',
    join(folder, 'journal'),
    '--yes',
  ];
  const start = (more: readonly string[]) => {
    const child: ChildProcess = spawn(process.execPath, [...argv, ...more], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let errors = '';
    child.stdout?.on('data', (text) => (output += text));
    child.stderr?.on('data', (text) => (errors += text));
    return { child, printed: () => ({ output, errors }) };
  };
  const first = start([]);
  let count = 0;
  service.onUpdate = (what) => {
    if (what === 'came' && ++count === 300) first.child.kill('SIGINT');
  };
  await ended(first.child);
  const { errors, output } = first.printed();
  assert.equal(first.child.exitCode, 130, errors);
  assert.match(errors, /Interrupted: [\d,]+ of 2,000 rows were not sent[\s\S]*--resume/);
  // Whatever came has its answer on record, and was told.
  assert.equal((await answered(join(folder, 'journal'))).size, service.log.length);
  assert.equal(output.match(/\tupdated\t/g)?.length, service.log.length);
  assert.ok(service.log.length < 400, `${service.log.length} came`);
  const second = start(['--resume']);
  await ended(second.child);
  assert.equal(second.child.exitCode, 0, second.printed().errors);
  assert.equal(service.log.length, rows);
  await allApplied(service, ids);
}

/** Ctrl-C and `kill`, each with its status. Without a terminal, a bulk ignores SIGHUP. */
export const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

type Signal = (typeof signals)[number];

/** Two signals, while the service is silent. */
export async function interruptTwice(
  context: TestContext,
  form: 'tab-separated' | 'JSON',
  [signal, status]: Signal,
): Promise<void> {
  const service = await watched(context);
  const { emulator } = service;
  const folder = await mkdtemp(join(tmpdir(), 'wm-interrupt-'));
  context.after(() => rm(folder, { recursive: true }));
  await fetch(`${emulator.controlUrl}/faults`, {
    method: 'POST',
    body: JSON.stringify({ request: 'updateTask', silence: true, times: 4 }),
  });
  const path = join(folder, 'tasks.csv');
  const ids = Array.from({ length: 50 }, (_, index) => `IEAAAAAQKQAB5${String(index).padStart(3, '0')}`);
  // The second row of a task waits for the first, and is not sent.
  const lines = [ids[0], ...ids].map((id) => `${id},x`);
  await writeFile(path, `id,title\n${lines.join('\n')}\n`);
  const journal = join(folder, 'journal');
  const argv = ['task', 'update', '--from', path, '--journal', journal, '--yes', '--concurrency', '5'];
  const environment = emulatorEnvironment({ PATH: process.env['PATH'] }, emulator, join(folder, 'config'));
  const child = spawn(
    process.execPath,
    [resolve('bin/wm.js'), ...argv, ...(form === 'JSON' ? ['--json'] : [])],
    {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => (output += text));
  let isSecond = false;
  child.stderr.on('data', (text) => {
    errors += text;
    if (isSecond || !errors.includes('Stopping:')) return;
    isSecond = true;
    child.kill(signal);
  });
  let count = 0;
  service.onUpdate = (what) => {
    if (what === 'came' && ++count === 4) child.kill(signal);
  };
  await ended(child);
  assert.equal(child.exitCode, status, errors);
  assert.match(errors, /0 of 51 rows updated .*, 4 unknown, 47 not sent/);
  assert.match(
    errors,
    new RegExp(`unknown outcome: .*line 2 \\(${ids[0]}\\).*\\. --resume sends them again\\.`),
  );
  const [, looked = ''] = /To check: wm task get ([\w ]+)/.exec(errors) ?? [];
  // The first two rows are of one task, and only one of them was sent.
  assert.deepEqual(looked.split(' ').toSorted(), ids.slice(0, 4));
  const reported = output.trimEnd().split('\n').toSorted();
  const sent = [2, 4, 5, 6].map((line) => [line, ids[line === 2 ? 0 : line - 3], 'unknown']);
  if (form === 'JSON') {
    const results = reported.map((line) => JSON.parse(line));
    assert.deepEqual(
      results.map(({ line, id, outcome }) => [line, id, outcome]),
      sent,
    );
    for (const { error } of results) assert.equal(error.code, 'outcome_unknown');
  } else {
    for (const [index, start] of sent.entries())
      assert.match(
        reported[index] ?? '',
        new RegExp(`^${start.join('\t')}\tInterrupted before a response came`),
      );
    assert.equal(reported.length, 4, output);
  }
  // What was told is what --resume goes by.
  assert.deepEqual([...(await answered(journal))], []);
  const resumed = await run([...argv, '--resume', '--quiet'], { environment });
  assert.equal(resumed.output.trimEnd().split('\n').length, 51);
}

/** A signal while standard input is being read. */
export async function interruptReading(context: TestContext, [signal, status]: Signal): Promise<void> {
  const { emulator } = await watched(context);
  const folder = await mkdtemp(join(tmpdir(), 'wm-interrupt-'));
  context.after(() => rm(folder, { recursive: true }));
  const own = emulatorEnvironment({ PATH: process.env['PATH'] }, emulator, join(folder, 'config'));
  const temporary = join(folder, 'temporary');
  await mkdir(temporary);
  // Its copy of the input has no name for longer than a moment.
  const copied = nextChangeIn(temporary);
  const child = spawn(process.execPath, [resolve('bin/wm.js'), 'task', 'update', '--from', '-', '--yes'], {
    env: { ...own, TMPDIR: temporary },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  const line = 'IEAAAAAQKQAB5BNG,x\n';
  child.stdin.on('error', () => {}).write(`id,title\n${line.repeat(100)}`);
  // It has begun to read once its copy was made, and waits for more.
  await copied;
  child.kill(signal);
  await ended(child);
  assert.equal(child.exitCode, status, errors);
  assert.match(errors, /^wm: (?:Interrupted|Ended by SIGTERM)$/m);
  assert.deepEqual(await readdir(temporary), []);
}

/** No file may become longer than the journal's ids, its digests, and the outcomes of a few hundred rows. */
export async function fillDisk(context: TestContext, rows: number): Promise<void> {
  const service = await watched(context);
  const folder = await mkdtemp(join(tmpdir(), 'wm-full-'));
  context.after(() => rm(folder, { recursive: true }));
  const ids = await newTasks(service, rows);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, `id,title\n${ids.map((id, index) => `${id},title ${index}`).join('\n')}\n`);
  const argv = ['task', 'update', '--from', path, '--journal', join(folder, 'journal'), '--yes'];
  const run = async (limit: string, more: readonly string[]) => {
    // No file may become longer: what a full disk is, for one process.
    const script = `trap '' XFSZ; ${limit}; exec "$@"`;
    const wm = [process.execPath, resolve('bin/wm.js'), ...argv, ...more];
    const child = spawn('sh', ['-c', script, 'sh', ...wm], {
      env: emulatorEnvironment({ PATH: process.env['PATH'] }, service.emulator, join(folder, 'config')),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (text) => (errors += text));
    await ended(child);
    return { status: child.exitCode, errors };
  };
  const first = await run('ulimit -f 256', []);
  assert.equal(first.status, 8, first.errors);
  assert.match(first.errors, new RegExp(`\\d+ of ${rows.toLocaleString('en')} rows updated`));
  assert.match(first.errors, /Cannot write \S*journal[\s\S]*--resume/);
  assert.deepEqual((await readdir(folder)).toSorted(), [
    // The history.
    'config',
    'journal',
    'journal.lock',
    'tasks.csv',
  ]);
  assert.doesNotMatch(first.errors, /bug in wm/);
  const second = await run(':', ['--resume']);
  assert.equal(second.status, 0, second.errors);
  await allApplied(service, ids);
}

async function allApplied({ emulator }: Watched, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += 100) {
    const some = ids.slice(from, from + 100);
    const response = await fetch(`${emulator.baseUrl}/tasks/${some.join(',')}`, {
      headers: { Authorization: `Bearer ${emulator.token}` },
    });
    const { data }: { data: { id: string; title: string }[] } = JSON.parse(await response.text());
    const wrong = data.filter(({ id, title }) => title !== `title ${ids.indexOf(id)}`);
    assert.deepEqual(
      wrong.map(({ id }) => id),
      [],
    );
  }
}
