// The journal: what is read back is what was synced, wherever a crash cut the file; and rows that finish together share
// one sync.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createJournal, type Journal } from '../../src/bulk/journal.ts';
import { replayJournal } from '../../src/bulk/journal-replay.ts';
import { rowState } from '../../src/bulk/row-states.ts';
import type { AppendFile } from '../../src/world/world.ts';

const header = `${JSON.stringify({ journal: 'wm task update', version: 2, key: 'k', rows: 20, started: 5 })}\n`;

async function* bytes(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

type JournalLine = { sent: number } | { done: number } | { failed: number; why: string } | { unsent: number };

function say(journal: Journal, one: JournalLine): void {
  if ('sent' in one) journal.sent(one.sent);
  else if ('done' in one) journal.updated(one.done);
  else if ('failed' in one) journal.failed(one.failed, { message: one.why });
  else journal.notSent(one.unsent);
}

const row = fc.integer({ min: 1, max: 20 });
const line: fc.Arbitrary<JournalLine> = fc.oneof(
  row.map((sent) => ({ sent })),
  row.map((done) => ({ done })),
  fc.record({ failed: row, why: fc.string({ unit: 'grapheme' }) }),
  row.map((unsent) => ({ unsent })),
);

function expected(lines: readonly JournalLine[]): Map<number, number> {
  const states = new Map<number, number>();
  for (const one of lines) {
    if ('sent' in one) states.set(one.sent, rowState.sent);
    else if ('done' in one) states.set(one.done, rowState.updated);
    else if ('failed' in one) states.set(one.failed, rowState.failed);
    else states.set(one.unsent, rowState.notSent);
  }
  return states;
}

test('a journal that was cut anywhere holds every whole line, and goes on after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 20 }),
      fc.array(line, { maxLength: 5 }),
      fc.nat(),
      async (first, second, at) => {
        const written = Buffer.from(first.map((one) => `${JSON.stringify(one)}\n`).join(''));
        // Also inside a character.
        const kept = written.subarray(0, at % (written.length + 1));
        const lines = kept.toString().split('\n');
        const past = await replayJournal(bytes(Buffer.concat([Buffer.from(header), kept])));
        assert.ok(past);
        assert.equal(past.isTorn, lines.at(-1) !== '');
        let file = Buffer.concat([Buffer.from(header), kept]);
        const journal = createJournal(
          appending((text) => {
            file = Buffer.concat([file, Buffer.from(text)]);
          }),
          { isTorn: past.isTorn },
        );
        for (const one of second) say(journal, one);
        await journal.close();
        const whole = first.slice(0, lines.length - 1);
        // What was torn may have been whole but for its line feed.
        const completed = first
          .slice(whole.length, whole.length + 1)
          .filter((one) => JSON.stringify(one) === lines.at(-1));
        const states = (await replayJournal(bytes(file)))?.states;
        assert.ok(states);
        for (const [number, is] of expected([...whole, ...completed, ...second]))
          assert.equal(states.get(number), is);
      },
    ),
  );
});

test('counts and lists', async () => {
  const past = await replayJournal(
    bytes(`${header}{"sent":3}\n{"sent":1}\n{"done":1}\n{"sent":2}\n{"failed":2,"why":"x"}\n`),
  );
  assert.ok(past);
  const { states } = past;
  assert.deepEqual(
    [states.count(rowState.updated), states.count(rowState.failed), states.count(rowState.sent)],
    [1, 1, 1],
  );
  assert.equal(states.count(rowState.notSent), 17);
  assert.deepEqual([states.get(3), states.count(rowState.sent)], [rowState.sent, 1]);
});

test('what is no journal is none', async () => {
  for (const text of [
    '',
    'x',
    '{}\n',
    '{"journal":"other"}\n',
    `${header.replace('"version":2', '"version":3')}`,
  ]) {
    assert.equal(await replayJournal(bytes(text)), undefined, text);
  }
});

function appending(write: (text: string) => void, sync: () => Promise<void> = async () => {}): AppendFile {
  return { size: 0, write: (content) => write(String(content)), sync, close: async () => {} };
}

test('rows that finish while a sync is under way share the next one', async () => {
  const happened: string[] = [];
  let release = () => {};
  const file = appending(
    (text) => happened.push(text.trim().replaceAll('\n', ' ')),
    () => {
      happened.push('sync');
      return new Promise((resolve) => {
        release = resolve;
      });
    },
  );
  const journal = createJournal(file);
  journal.updated(1);
  const first = journal.sync();
  await new Promise(setImmediate);
  journal.updated(2);
  const second = journal.sync();
  journal.updated(3);
  const third = journal.sync();
  assert.deepEqual(happened, ['{"done":1}', 'sync']);
  release();
  await first;
  await new Promise(setImmediate);
  assert.deepEqual(happened.slice(2), ['{"done":2} {"done":3}', 'sync']);
  release();
  await Promise.all([second, third]);
});

test('what is said in one turn is written together, and each who waits has it written', async () => {
  const written: string[] = [];
  const journal = createJournal(
    appending((text) => written.push(text)),
    { waitForWrites: () => new Promise(setImmediate) },
  );
  journal.updated(1);
  journal.sent(3);
  const first = journal.write();
  journal.updated(2);
  journal.sent(4);
  const second = journal.write();
  assert.deepEqual(written, []);
  await first;
  assert.deepEqual(written, ['{"done":1}\n{"sent":3}\n{"done":2}\n{"sent":4}\n']);
  await second;
  journal.failed(3, { message: 'no "such" task' });
  await journal.write();
  assert.deepEqual(written.slice(1), ['{"failed":3,"why":"no \\"such\\" task"}\n']);
});
