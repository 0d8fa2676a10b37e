// What `wm webhook log` cannot show, and says: deliveries that were dropped with their segments, attempts that were, damaged bytes.

import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { noon } from '#test/support/clock.ts';
import { firstCells, rowsOf } from '#test/support/program/cells.ts';
import { attempt, received, writtenJournal } from '../deliveries/written-journal.ts';

const three = ['A1', 'A2', 'A3'].map((id) => received('TaskCreated', id));

test('dropped by size: says how many, and which numbers are missing; lists the rest', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open({ segmentBytes: 4096, maxBytes: 32_768 });
  const count = 300;
  // The first is never finished, so its segment stays, and the attempts at the others in it may be dropped.
  for (let at = 1; at <= count; at++) {
    await journal.append(received('TaskCreated', `A${at}`, { receivedAt: noon }));
    if (at > 4) journal.record(attempt(at - 3));
  }
  await journal.close();
  const { status, output, errors } = await wm('webhook log');
  assert.equal(status, 0, errors);
  const numbers = firstCells(output).map(Number);
  assert.equal(numbers[0], 1);
  assert.equal(numbers.at(-1), count);
  const [, from, to] = /^Deliveries #(\d+) to #(\d+) are missing: dropped, or damaged\.$/m.exec(errors) ?? [];
  assert.ok(from !== undefined && to !== undefined, errors);
  const [, dropped] =
    /^The listener has dropped (\d+) deliveries, by age or size; the last was #/m.exec(errors) ?? [];
  assert.equal(Number(dropped), Number(to) - Number(from) + 1);
  assert.equal(numbers.length, count - Number(dropped));
  const states = new Map(rowsOf(output).map((row) => [row[0], row[8]]));
  assert.equal(states.get('1'), 'waiting');
  // It is finished: the attempt that says how is in a segment that was dropped.
  assert.equal(states.get(String(Number(from) - 1)), 'unknown');
  const gone = await wm(`webhook log ${from}`);
  assert.equal(gone.status, 5);
  const waiting = await wm(`webhook replay --last ${count} --dry-run --exec true`);
  assert.match(waiting.errors, /^Left out: wm webhook listen will still forward 1, 298-300,/);
});

test('an emptied, moved or cut file: says which numbers are missing', async (context) => {
  for (const [what, change, missing] of [
    ['the last one emptied while it is written', (path: string) => truncate(path, 0), '#1 to #3'],
    ['moved while it is written', (path: string) => rename(path, `${path}.old`), '#1 to #3'],
    ['cut while it is written', (path: string) => truncate(path, 500), '#2 to #3'],
  ] as const) {
    const { wm, open, folder } = await writtenJournal(context);
    const journal = await open();
    for (const delivery of three) await journal.append(delivery);
    await change(join(folder, '0000000001.journal'));
    await assert.rejects(journal.append(received('TaskCreated', 'A4')));
    await journal.append(received('TaskCreated', 'A4'));
    const { errors } = await wm('webhook log');
    assert.match(
      errors,
      new RegExp(`^Deliveries ${missing} are missing: dropped, or damaged\\.$`, 'm'),
      what,
    );
    await journal.close();
  }
});

test('emptied or moved finished files, and the file written last', async (context) => {
  for (const change of [(path: string) => truncate(path, 0), (path: string) => rename(path, `${path}.old`)]) {
    const { wm, open, folder } = await writtenJournal(context);
    const journal = await open({ segmentBytes: 600 });
    for (const id of ['A1', 'A2', 'A3', 'A4', 'A5']) await journal.append(received('TaskCreated', id));
    await journal.close();
    const files = (await readdir(folder)).filter((name) => name.endsWith('.journal')).sort();
    assert.equal(files.length, 3);
    for (const name of files.slice(0, 2)) await change(join(folder, name));
    const sealed = await wm('webhook log');
    assert.match(sealed.errors, /^Deliveries #1 to #4 are missing: dropped, or damaged\.$/m);
    await truncate(join(folder, files[2] ?? ''), 0);
    const { errors } = await wm('webhook log');
    assert.match(errors, /^0000000003\.journal is empty: .*from #1 on/m);
  }
});

test('dropped by a run that was killed before it wrote that down', async (context) => {
  const { wm, open, folder } = await writtenJournal(context);
  const journal = await open({ segmentBytes: 600 });
  for (const id of ['A1', 'A2', 'A3', 'A4', 'A5']) await journal.append(received('TaskCreated', id));
  for (const sequence of [1, 2, 3, 4]) journal.record(attempt(sequence));
  await journal.append(received('TaskCreated', 'A6'));
  await journal.close();
  await rm(join(folder, '0000000001.journal'));
  const next = await open({ segmentBytes: 600 });
  for (const id of ['A7', 'A8']) await next.append(received('TaskCreated', id));
  await next.close();
  const { errors } = await wm('webhook log');
  assert.match(errors, /^The listener has dropped 2 deliveries, by age or size; the last was #2, of /m);
});

test('damaged bytes: says which, and lists the deliveries around them', async (context) => {
  const { wm, folder } = await writtenJournal(context, ...three);
  const file = join(folder, '0000000001.journal');
  const bytes = await readFile(file);
  bytes[bytes.indexOf('"A2"') + 1] = 0x58;
  await writeFile(file, bytes);
  const { status, output, errors } = await wm('webhook log');
  assert.equal(status, 0);
  assert.deepEqual(firstCells(output), ['1', '3']);
  assert.match(errors, /^Delivery #2 is missing: dropped, or damaged\.$/m);
  assert.match(errors, /^Cannot read \d+ bytes of \d+\.journal, from byte \d+ on: damaged\./m);
});

test('reads the last few of many from the end', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open({ segmentBytes: 16_384 });
  const count = 600;
  await Promise.all(
    Array.from({ length: count }, (_, at) => journal.append(received('TaskCreated', `A${at % 7}`))),
  );
  for (let at = 1; at <= count; at++) journal.record(attempt(at));
  await journal.close();
  const { output, errors } = await wm('webhook log --last 3');
  assert.deepEqual(firstCells(output), ['598', '599', '600']);
  assert.equal(errors, 'The last 3; --last N shows more.\n');
  const early = await wm('webhook log --last 2 --task A0 --state forwarded -q');
  assert.deepEqual(firstCells(early.output), ['589', '596']);
  const rare = await wm('webhook log 5 --json');
  assert.equal(JSON.parse(rare.output).sequence, 5);
});

test('lists and counts once what a damaged journal has twice', async (context) => {
  const numbers = Array.from({ length: 200 }, (_, at) => at + 1);
  const { wm, folder } = await writtenJournal(
    context,
    ...numbers.map((number) => received('TaskCreated', `A${number}`)),
  );
  const file = join(folder, '0000000001.journal');
  const bytes = await readFile(file);
  const [first, last] = ['A2"', 'A200"'].map((id) => bytes.indexOf(id));
  assert.ok(first !== undefined && last !== undefined && first > 0 && last > first);
  // From the middle of the second delivery to the middle of the last: both are damaged, and those between are there twice.
  await appendFile(file, bytes.subarray(first, last));
  const { output } = await wm('webhook log');
  assert.deepEqual(firstCells(output).map(Number), numbers);
  const stuck = await wm('webhook log --stuck');
  assert.equal(stuck.output.split('\t')[1], '200');
});
