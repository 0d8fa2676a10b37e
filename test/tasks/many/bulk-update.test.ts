// Many updates at once: the plan, what is sent, what is refused with its line, the file of errors, and the exit status.

import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { createTestClock } from '#test/support/clock.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createWorld } from '#world/create-world.ts';
import type { World } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;
const silent = { isTerminal: false, columns: undefined, raw: new PassThrough() };
const csv = (...lines: string[]) => `${lines.join('\n')}\n`;

test('several ids on one line: a plan, a prompt, a task for each', async (context) => {
  const { wm, task } = await emulated(context);
  const argv = ['task', 'update', first, second, '--importance', 'High'];
  const asked = await wm(argv, { exit: 2 });
  assert.match(asked.errors, /^2 of 2 rows from the command line will be updated \(importance\)\n/);
  assert.match(asked.errors, /--yes/);
  assert.equal((await task(first)).importance, 'Normal');
  const done = await wm([...argv, '--yes'], { exit: 0 });
  assert.deepEqual(
    done.output.split('\n').map((line) => line.split('\t')[0]),
    [first, second, ''],
  );
  assert.equal((await task(second)).importance, 'High');
});

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

test('lists rows with an unknown outcome, and --resume sends only those again', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,title', `${first},one`, `${second},two`, `${third},three`));
  // Three tries, all of them done and then cut off.
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  const ran = await wm(argv, { exit: 8 });
  assert.match(ran.errors, new RegExp(`unknown outcome: line 2 \\(${first}\\)\\. --resume`));
  assert.match(ran.errors, new RegExp(`^ {2}To check: wm task get ${first}$`, 'm'));
  assert.match(ran.output, new RegExp(`^2\t${first}\tunknown\t`, 'm'));
  const invalid = await wm(argv, { exit: 2 });
  assert.match(
    invalid.errors,
    /2 of 3 rows are done, 1 unknown\n {2}Continue it: --resume\. Start over.*--restart\n/,
  );
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.equal(resumed.errors.match(/PUT /g)?.length, 1);
  assert.match(resumed.errors, new RegExp(`sent again now: line 2 \\(${first}\\)\n`));
  assert.equal((await task(first)).title, 'one');
  // Nothing is left to be resumed: a new run begins, as it does without --resume.
  const over = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.match(over.errors, /^Nothing to resume: starting with the first row\.$/m);
  assert.equal(over.errors.match(/PUT /g)?.length, 3);
});

test('a resumed bulk run says how many rows have a response, and where its journal is', async (context) => {
  const { wm, control, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const journal = join(folder, 'journal');
  const ids = [first, second, 'IEAAAAAQKQAB5NNN', third];
  await writeFile(path, csv('id,title', ...ids.map((id) => `${id},x`)));
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--journal', journal];
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  const begun = await wm(argv, { exit: 4 });
  assert.doesNotMatch(begun.errors, /Answered before/);
  // As a kill leaves it that came between the disk and standard output; the first of them had been listed.
  const [header] = (await readFile(journal, 'utf8')).split('\n');
  const lines = [
    '{"sent":2}',
    '{"updated":2}',
    '{"reported":[2]}',
    '{"sent":3}',
    '{"updated":3}',
    '{"sent":4}',
  ];
  await writeFile(journal, [header, ...lines, ''].join('\n'));
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 8 });
  const resumedLines = /^Done in an earlier run: (.*)\n[\s\S]*^Journal: (\S+)$/m.exec(resumed.errors);
  assert.equal(
    resumedLines?.[1],
    '2 of 4 rows. 1 of them is not recorded as listed and is listed now; the others are not listed again. The journal has each by its line.',
  );
  assert.equal(resumedLines?.[2], journal);
  assert.match(resumed.errors, /sent again now: line 4 \(/);
  assert.equal(resumed.errors.match(/PUT /g)?.length, 2);
  assert.deepEqual(
    resumed.output.split('\n').map((line) => line.split('\t').slice(0, 3).join(' ')),
    [`3 ${second} updated`, `4 IEAAAAAQKQAB5NNN failed`, `5 ${third} updated`, ''],
  );
});

test('a journal belongs to one input, one update and one account', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const journal = join(folder, 'journal');
  await writeFile(path, csv('id', first, second));
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', journal];
  await wm([...argv, '--title', 'x'], { exit: 0 });
  // As a kill leaves it; a finished one may be written over.
  const finished = await readFile(journal, 'utf8');
  await writeFile(journal, finished.replace(/\{"finished".*\n/, ''));
  const other = await wm([...argv, '--title', 'y', '--resume'], { exit: 2 });
  assert.match(other.errors, /the journal of another bulk run, which is not finished\n/);
  await writeFile(journal, finished);
  await wm([...argv, '--title', 'y', '--resume'], { exit: 0 });
  await writeFile(journal, 'my diary\n');
  await wm([...argv, '--title', 'x'], { exit: 2 });
  assert.equal(await readFile(journal, 'utf8'), 'my diary\n');
});

test('relative dates keep their day when the bulk run is resumed later', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id', first, second));
  await control('faults', { request: 'updateTask', cutAfter: 0, times: 3 });
  const argv = [
    'task',
    'update',
    '--from',
    path,
    '--milestone',
    '--due',
    'tomorrow',
    '--yes',
    '--concurrency',
    '1',
  ];
  const on = (day: number) => ({ world: { clock: clockAt(new Date(2026, 10, day, 12).getTime()) } });
  await wm(argv, { ...on(20), exit: 8 });
  await wm([...argv, '--resume'], { ...on(25), exit: 0 });
  for (const id of [first, second]) assert.match((await task(id)).dates.due, /^2026-11-21/);
});

test('an unexpected kind of response is a failed row, not a lost one', async (context) => {
  const server = await startRawServer((_, count) =>
    count === 1 ? jsonReply(200, '<html>') : jsonReply(200, { kind: 'tasks', data: [{ id: second }] }),
  );
  context.after(() => server.close());
  const { wm } = await emulated(context);
  const input = csv('id,title', `${first},a`, `${second},b`);
  const ran = await wm(['task', 'update', '--from', '-', '--yes', '--concurrency', '1', '--no-undoable'], {
    input,
    environment: { WM_HOST: server.host },
    exit: 8,
  });
  assert.match(ran.output, /^2\t.*\tunknown\t/m);
  assert.match(ran.output, /^3\t.*\tupdated\t/m);
});

test('without a confirmation, nothing is left behind', async (context) => {
  const { wm, folder } = await emulated(context);
  const argv = ['task', 'update', first, second, '--importance', 'High'];
  await wm(argv, { exit: 2 });
  await wm([...argv, '--journal', join(folder, 'mine.ndjson')], { exit: 2 });
  assert.deepEqual(await readdir(folder), []);
  await wm([...argv, '--yes'], { exit: 0 });
  const [journal = '', ...others] = await readdir(join(folder, 'config', 'state', 'bulk'));
  assert.match(journal, /^[0-9a-f]{32}\.ndjson$/);
  assert.deepEqual(others, [`${journal}.lock`]);
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

test('a row never overtakes an earlier row of its task that will be sent again', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,title', `${first},FIRST`, `${second},other`, `${first},SECOND`));
  await control('faults', { request: 'updateTask', status: 503, when: 'after', times: 3 });
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  const ran = await wm(argv, { exit: 8 });
  assert.match(ran.output, new RegExp(`^2\t${first}\tunknown\t`, 'm'));
  assert.match(ran.output, new RegExp(`^4\t${first}\tnot-sent\t.*an earlier row`, 'm'));
  assert.equal((await task(first)).title, 'FIRST');
  await wm([...argv, '--resume'], { exit: 0 });
  assert.equal((await task(first)).title, 'SECOND');
  assert.equal((await task(second)).title, 'other');
});

test('--errors of a resumed bulk run has what the journal has, even if a kill kept it out of the file', async (context) => {
  const { wm, control, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const errors = join(folder, 'errors.csv');
  const missing = 'IEAAAAAQKQAB5NNN';
  await writeFile(path, csv('id,title', `${missing},a`, `${first},`, `${second},b,c`, `${third},d`));
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--errors', errors];
  // The first is refused by the service, the second by us; the last meets the token's end.
  await control('faults', { request: 'updateTask', status: 404, error: 'resource_not_found', times: 1 });
  await control('faults', { request: 'updateTask', status: 401, times: 1 });
  await wm(argv, { exit: 4 });
  const once = await readFile(errors, 'utf8');
  await writeFile(errors, 'what a kill has left');
  await wm([...argv, '--resume'], { exit: 8 });
  const lines = (await readFile(errors, 'utf8')).split('\n');
  assert.equal(lines[0], 'line,outcome,error,id,title', once);
  for (const [line, end] of [
    [2, `,${missing},a`],
    [3, `,${first},`],
    [4, `,${second},b,c`],
  ] as const)
    assert.equal(lines.filter((one) => one.startsWith(`${line},`) && one.endsWith(end)).length, 1, end);
  assert.equal(lines.length, 5, lines.join('\n'));
});

test('--errors overwrites neither the input nor the journal, under whatever name', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const text = csv('id,title', `${first},a`);
  await writeFile(path, text);
  await symlink(path, join(folder, 'link.csv'));
  const both = join(folder, 'same.ndjson');
  for (const [from, errors, ...more] of [
    [path, path],
    [path, join(folder, '.', 'link.csv')],
    [join(folder, 'link.csv'), path],
    [path, '-'],
    [path, both, '--journal', both],
  ] as const) {
    const ran = await wm(['task', 'update', '--from', from, '--yes', '--errors', errors, ...more], {
      exit: 2,
    });
    assert.match(ran.errors, /--errors/);
  }
  assert.equal(await readFile(path, 'utf8'), text);
});

test('a named file needs an existing folder: none is created, and nothing is sent', {
  skip: process.platform === 'win32' && 'no named pipes in folders there',
}, async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,title', `${first},a`));
  const before = await task(first);
  const pipe = join(folder, 'pipe');
  makeFifo(context, pipe);
  for (const [flag, file, words] of [
    ['--errors', join(folder, 'typo', 'errors.csv'), /--errors: folder not found: \S+typo\n {2}.*Create it/],
    ['--journal', join(folder, 'typo', 'journal'), /--journal: folder not found: \S+typo\n {2}.*Create it/],
    ['--errors', join(path, 'errors.csv'), /--errors: folder not found: \S+tasks\.csv\n/],
    ['--errors', pipe, /--errors: \S+ is a pipe\n/],
    ['--journal', pipe, /--journal: \S+ is a pipe\n/],
    ['--errors', folder, /--errors: \S+ is a folder\n/],
    ['--journal', folder, /--journal: \S+ is a folder\n/],
  ] as const) {
    const ran = await wm(['task', 'update', '--from', path, '--yes', flag, file], { exit: 2 });
    assert.match(ran.errors, words);
    assert.equal(ran.output, '');
  }
  assert.deepEqual(await readdir(folder), ['pipe', 'tasks.csv']);
  assert.deepEqual(await task(first), before);
});

test('shows what relative dates mean; they count from the day when the bulk run started', async (context) => {
  const { wm, control, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,start,due', `${first},tomorrow,+3d`, `${second},2026-12-01,2026-12-02`));
  const at = (day: number) => ({ world: { clock: clockAt(Date.UTC(2026, 10, day, 12)) } });
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

test('if output cannot be written, a bulk run ends with its counts and what to do, not with a crash', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, three);
  const world = createWorld();
  const broken = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    name: 'UnwritableOutput',
  });
  let errors = '';
  const streams: World['streams'] = {
    ...world.streams,
    output: { ...silent, write: () => Promise.reject(broken) },
    errors: {
      ...silent,
      write: async (text) => {
        errors += text;
      },
    },
  };
  const ran = await wm(['task', 'update', '--from', path, '--yes'], { world: { streams } });
  assert.equal(ran.status, 1, errors);
  assert.match(
    errors,
    /3 of 3 rows updated[\s\S]*Cannot write the result\n +ENOSPC[\s\S]*Every row was updated\. Run the same command with --resume: it sends nothing again and lists the .* not listed\./,
  );
  assert.equal((await task(third)).title, 'three');
});

test('invalid rows that cannot be listed: the reason is reported, and nothing is sent', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  await writeFile(path, csv('id,status', `${first},Done`));
  const broken = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    name: 'UnwritableOutput',
  });
  let errors = '';
  const write = async (text: string) => {
    errors += text;
  };
  const streams: World['streams'] = {
    ...createWorld().streams,
    output: { ...silent, write: () => Promise.reject(broken) },
    errors: { ...silent, write },
  };
  const ran = await wm(['task', 'update', '--from', path, '--yes'], { world: { streams } });
  assert.equal(ran.status, 1, errors);
  assert.match(errors, /^wm: Cannot write the result\n {2}ENOSPC: no space left on device, write\n/m);
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

test('rows that were rejected count, even if the errors file cannot be written', async (context) => {
  const { wm, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const unknown = ['A', 'B', 'C'].map((end) => `IEAAAAAQKQAB5XX${end},x`);
  await writeFile(path, csv('id,title', ...unknown, `${first},one`, `${second},two`));
  const ran = await wm(['task', 'update', '--from', path, '--yes', '--errors', '/dev/full'], { exit: 8 });
  assert.match(ran.errors, /2 of 5 rows updated in [\d.]+ s \([\d,]+\/s\), 3 failed\n/);
  assert.match(ran.errors, /^Cannot write \/dev\/full: no space is left on the disk \(ENOSPC\)$/m);
  assert.match(
    ran.errors,
    /wm: 3 of 5 rows were not updated\n {2}First run the same command with --resume: it sends nothing again and writes \/dev\/full\.\n/,
  );
  assert.equal(ran.output.match(/\tfailed\t/g)?.length, 3);
});

test('leaves a row with an unknown outcome to --resume, and out of the errors file', async (context) => {
  const { wm, control, folder } = await emulated(context);
  const path = join(folder, 'tasks.csv');
  const errors = join(folder, 'errors.csv');
  await writeFile(path, three);
  await control('faults', { request: 'updateTask', cutAfter: 0, when: 'after', times: 3 });
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--errors', errors];
  await wm(argv, { exit: 8 });
  assert.equal(await readFile(errors, 'utf8'), '');
});
