// Standard output of a bulk run: what comes together is written together, a slow reader slows the run down, and what cannot
// be written is reported once.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createResultWriter, type TaskResult } from '#tasks/many/results.ts';
import { gate } from '#test/support/gate.ts';
import { createWorld } from '#world/create-world.ts';
import type { Output } from '#world/world.ts';

const result = (line: number, id: string): TaskResult => ({
  row: { line, id, source: [id], update: {} },
  outcome: { kind: 'updated', record: undefined },
});

/** An output whose writes end when the test says so. */
function slowOutput(
  terminal: Pick<Output, 'isTerminal' | 'columns'> = { isTerminal: false, columns: undefined },
) {
  const writes: { readonly text: string; end(error?: Error): void }[] = [];
  const firstWrite = gate();
  const output: Output = {
    ...terminal,
    raw: new PassThrough(),
    write: (text: string) =>
      new Promise((resolve, reject) => {
        writes.push({ text, end: (error) => (error ? reject(error) : resolve()) });
        firstWrite.open();
      }),
  };
  const reported: number[] = [];
  const broken: unknown[] = [];
  const world = createWorld({});
  const writer = createResultWriter(
    { ...world, streams: { ...world.streams, output } },
    {
      report: { wantsJson: false, jsonOf: (value) => JSON.stringify(value), textOf: (text) => text },
      onReported: (lines) => reported.push(...lines),
      onBroken: (error) => broken.push(error),
    },
  );
  return { writer, writes, firstWrite: firstWrite.opened, reported, broken };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the run waits for a slow reader once more than 64 KiB are waiting for it', async () => {
  const { writer, writes, reported } = slowOutput();
  assert.equal(writer.add(result(1, 'A')), undefined);
  await turn();
  assert.deepEqual(
    writes.map(({ text }) => text),
    ['1\tA\tupdated\t\n'],
  );
  // This one fills the buffer to the last character.
  const id = 'B'.repeat(64 * 1024 - '2\t\tupdated\t\n'.length);
  assert.equal(writer.add(result(2, id)), undefined);
  const waiting = writer.add(result(3, 'C'));
  assert.ok(waiting instanceof Promise);
  assert.deepEqual(reported, []);
  writes[0]?.end();
  await turn();
  assert.deepEqual(reported, [1]);
  assert.equal(writes[1]?.text, `2\t${id}\tupdated\t\n3\tC\tupdated\t\n`);
  writes[1]?.end();
  await waiting;
  assert.deepEqual(reported, [1, 2, 3]);
  await writer.flush();
  assert.equal(writes.length, 2);
});

test('a terminal wraps a reason between words', async () => {
  const { writer, writes, firstWrite } = slowOutput({ isTerminal: true, columns: 40 });
  const invalid = 'start: "tomorow" is not a date; did you mean tomorrow?';
  writer.add({ row: { line: 12, id: 'IEAAAAAQKQAB5BNG', source: [], invalid } });
  await firstWrite;
  const text = writes[0]?.text ?? '';
  assert.equal(text.trimEnd().replaceAll('\n', ' '), `12 IEAAAAAQKQAB5BNG invalid ${invalid}`);
  for (const line of text.split('\n')) assert.ok(line.length <= 40, line);
});

test('reports a failed write once, and accepts no result after it', async () => {
  const { writer, writes, reported, broken } = slowOutput();
  writer.add(result(1, 'A'));
  await turn();
  // It waits for the first write.
  writer.add(result(2, 'B'));
  const error = new Error('no room');
  writes[0]?.end(error);
  await turn();
  assert.equal(writer.add(result(3, 'C')), undefined);
  await writer.flush();
  assert.deepEqual(broken, [error]);
  assert.deepEqual(reported, []);
  assert.equal(writes.length, 1);
});
