// A bulk on a disk that is full, at every stage and at each two of them, and on real files that may grow no longer.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Place, places } from './faulty-disk.ts';
import { bulk, fillPlace, holds, rows } from './full-disk.ts';

for (const place of places)
  test(`no room for the ${place}: rows with a response = rows reported, immediately or by --resume`, (context) =>
    fillPlace(context, place, [0, 130, 250, 600, 1200], [false, true]));

const pairs = places.flatMap((one, at) =>
  places.slice(at + 1).map((other): readonly [Place, Place] => [one, other]),
);

test('no room for two of them, each at a different time', async (context) => {
  const service = await bulk(context);
  const room = fc.integer({ min: 120, max: 2000 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...pairs),
      room,
      room,
      fc.boolean(),
      async ([one, other], a, b, json) => {
        await holds(service, { [one]: a, [other]: b }, json);
      },
    ),
    { numRuns: 40 },
  );
});

test('a real file at its size limit, and a full device, as standard output', {
  skip: process.platform === 'win32' && 'no ulimit there',
}, async (context) => {
  const service = await bulk(context, true);
  const { path, folder, environment } = service;
  const program = async (output: string, script: string, more: readonly string[]) => {
    const file = await open(output, 'a');
    const argv = [
      'task',
      'update',
      '--from',
      path,
      '--yes',
      '--no-undoable',
      '--journal',
      join(folder, 'real'),
      ...more,
    ];
    const child = spawn(
      'sh',
      ['-c', `${script}exec "$@"`, 'sh', process.execPath, resolve('bin/wm.js'), ...argv],
      {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: ['ignore', file.fd, 'pipe'],
      },
    );
    let errors = '';
    child.stderr?.on('data', (text) => (errors += text));
    const status = await new Promise((done) => child.on('close', done));
    await file.close();
    return { status, errors };
  };
  const linesOf = async (file: string) => {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    return lines
      .filter((line) => /^\d+\t\w+\tupdated\t$/.test(line))
      .map((line) => Number(line.split('\t')[0]));
  };
  const full = await program('/dev/full', '', []);
  assert.ok(full.status === 1 || full.status === 8, full.errors);
  assert.match(full.errors, /Cannot write the result[\s\S]*--resume/);
  // Some results have room, and then a part of one; the journal is the shorter file.
  const short = join(folder, 'short');
  await writeFile(short, `${'x'.repeat(512 * 8 - 200)}\n`);
  const cut = await program(short, "trap '' XFSZ; ulimit -f 8; ", ['--resume']);
  assert.ok(cut.status === 1 || cut.status === 8, cut.errors);
  assert.match(cut.errors, /Cannot write the result[\s\S]*EFBIG/);
  const rest = join(folder, 'rest');
  const over = await program(rest, '', ['--resume']);
  assert.equal(over.status, 0, over.errors);
  const listed = new Set([...(await linesOf(short)), ...(await linesOf(rest))]);
  assert.deepEqual(
    [...listed].toSorted((a, b) => a - b),
    Array.from({ length: rows }, (_, at) => at + 2),
  );
});

test('failing to write standard error holds back no result', {
  skip: process.platform === 'win32' && 'no such device there',
}, async (context) => {
  const { path, folder, environment } = await bulk(context, true);
  const full = await open('/dev/full', 'a');
  const argv = ['task', 'update', '--from', path, '--yes', '--verbose', '--journal', join(folder, 'mute')];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...argv], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', full.fd],
  });
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  assert.equal(await new Promise((done) => child.on('close', done)), 0);
  await full.close();
  assert.equal(output.match(/\tupdated\t\n/g)?.length, rows);
});
