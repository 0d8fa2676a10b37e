// A bulk on a disk that is full: whatever cannot be written, every row that had a response is reported, then or by --resume,
// and none of them is sent again. full-disk.deep.test.ts fills the disk at every stage.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { gate } from '#test/support/gate.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createFiles } from '#world/files.ts';
import type { Output } from '#world/world.ts';
import { faultyOutput, places } from './faulty-disk.ts';
import { bulk, fillPlace, holds, rows, runner } from './full-disk.ts';

for (const place of places)
  test(`no room for the ${place} after some bytes: rows with a response = rows reported`, (context) =>
    fillPlace(context, place, [250], [place === 'output']));

test('no room for the journal, and then none for the output', async (context) => {
  await holds(await bulk(context), { journal: 900, output: 600 }, false);
});

for (const [place, says] of [
  [
    'output',
    /^wm: Cannot write the result\n {2}ENOSPC.*\n {2}Every row was updated\. Run the same command with --resume: it sends nothing again and lists the (?:1 row that was|\d+ rows that were) not listed\.\n/m,
  ],
  [
    'journal',
    /^wm: Cannot write \S+journal\n.*\n {2}Every row was updated\. Each was listed\. --resume may send the last rows again\.$/m,
  ],
] as const) {
  test(`every row is updated and only the ${place} is incomplete: exit 1, and how to complete it`, async (context) => {
    const service = await bulk(context, true);
    const whole = await runner(service).run({});
    assert.equal(whole.status, 0, whole.errors);
    const { run } = runner(service);
    // The very last write fails.
    const first = await run(place === 'output' ? { output: whole.bytes - 1 } : { journal: /finished/ });
    assert.equal(first.status, 1, first.errors);
    assert.match(first.errors, says);
    assert.match(first.errors, /48 of 48 rows updated/);
    const second = await run({}, ['--resume']);
    assert.equal(second.status, 0, second.errors);
    if (place === 'output') assert.deepEqual(second.sent, []);
    assert.equal(new Set([...first.reported.keys(), ...second.reported.keys()]).size, rows);
  });
}

test('some rows were not updated, and the journal lacks only its end: --resume is still the first step', async (context) => {
  const service = await bulk(context);
  const { run, errorsFile } = runner(service);
  const first = await run({ journal: /finished/ });
  assert.equal(first.status, 8, first.errors);
  const lost = 'The journal lacks the end of this run: --resume may send the last rows of it again.';
  assert.ok(
    first.errors.includes(
      `\n  First run the same command with --resume. ${lost}\n  Then fix ${errorsFile}, and send it with --from ${errorsFile}. Now it has the 8 rows that failed or are invalid; --resume writes it again.\n`,
    ),
    first.errors,
  );
});

test('every row is updated, but neither the last results nor the end of the journal can be written', async (context) => {
  const { wm, path, folder, environment } = await bulk(context, true);
  const journal = join(folder, 'journal');
  const files = createFiles(environment, process.platform, folder);
  const unwritable = () =>
    Promise.reject(
      Object.assign(new Error('EIO: i/o error, close'), { code: 'EIO', syscall: 'close', path: journal }),
    );
  const lossy = {
    ...files,
    async append(name: string, options: { mode: number }) {
      const file = await files.append(name, options);
      return name === journal ? { ...file, close: () => file.close().then(unwritable) } : file;
    },
  };
  // Standard output fails once every row has its response.
  let left = rows;
  const allAnswered = gate();
  const http = aroundHttp(async ({ method }, pass) => {
    const outcome = await pass();
    if (method === 'PUT' && --left === 0) allAnswered.open();
    return outcome;
  });
  const { output: full } = faultyOutput({ output: 0 });
  const output = { ...full, write: (text: string) => allAnswered.opened.then(() => full.write(text)) };
  const { streams, texts } = collectStreams();
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', journal];
  const ran = await wm(argv, { world: { files: lossy, http, streams: { ...streams, output } } });
  assert.equal(ran.status, 1, texts.errors);
  assert.match(
    texts.errors,
    /^wm: Cannot write the result\n[\s\S]*\n {2}Every row was updated\. Run the same command with --resume: it lists the 48 rows that were not listed\. The journal lacks the end of this run: --resume may send the last rows of it again\.\n/m,
  );
  assert.match(texts.errors, /^Cannot write \S+journal: input\/output error \(EIO\)$/m);
});

test('if standard output cannot be written, sends no more rows; without the errors file, sends all', async (context) => {
  const { wm, path, folder } = await bulk(context, true);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '4'];
  let sent = 0;
  const failure = gate();
  // Those that come behind the first four wait until standard output has failed.
  const http = aroundHttp(async ({ method }, pass) => {
    const isHeld = method === 'PUT' && ++sent > 4;
    const outcome = pass();
    if (isHeld) await failure.opened;
    return outcome;
  });
  const { output: full } = faultyOutput({ output: 0 });
  const write = (text: string) => full.write(text).finally(() => setImmediate(failure.open));
  const streams = { ...collectStreams().streams, output: { ...full, write } };
  await wm([...argv, '--journal', join(folder, 'held')], { world: { streams, http }, exit: 8 });
  assert.ok(sent >= 4 && sent <= 8, `${sent} were sent`);
});

test('a reader that has gone is not an error, and --resume lists what it did not read', async (context) => {
  const { wm, path, folder } = await bulk(context, true);
  const argv = ['task', 'update', '--from', path, '--yes', '--journal', join(folder, 'gone')];
  const { streams, texts } = collectStreams();
  const output: Output = { ...faultyOutput({}).output, isReaderGone: true };
  assert.equal((await wm(argv, { world: { streams: { ...streams, output } } })).status, 0, texts.errors);
  const again = await wm(argv, { exit: 2 });
  assert.match(
    again.errors,
    /ended early: 48 of 48 rows are done, 48 not recorded as listed\n {2}Continue it: --resume/,
  );
  const resumed = await wm([...argv, '--resume', '--verbose'], { exit: 0 });
  assert.equal(resumed.output.split('\n').length, rows + 1);
  assert.doesNotMatch(resumed.errors, /PUT /);
});

test('a real reader that goes away: --resume lists the rows it did not read', async (context) => {
  const { wm, path, folder, environment } = await bulk(context, true);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1'];
  argv.push('--journal', join(folder, 'real'));
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Before it has taken anything: what is in a pipe counts as taken.
  child.stdout.destroy();
  child.stderr.resume();
  assert.equal(await new Promise((done) => child.on('close', done)), 0);
  const { status, output, errors } = await wm([...argv, '--resume', '--verbose']);
  assert.equal(status, 0, errors);
  const lines = output.split('\n').map((line) => Number(line.split('\t')[0]));
  assert.equal(new Set(lines.filter((line) => line > 0)).size, rows);
  assert.doesNotMatch(errors, /PUT /);
});
