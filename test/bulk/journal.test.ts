// The journal: what is read back is what was synced, wherever a crash cut the file; and rows that finish together share
// one sync.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createJournal, type Journal } from '#bulk/journal.ts';
import { readJournalHeader, replayJournal } from '#bulk/journal-replay.ts';
import { rowState } from '#bulk/row-states.ts';
import type { AppendFile } from '#world/world.ts';

const name = 'wm task update';
const header = `${JSON.stringify({ journal: name, version: 3, key: 'k', rows: 20, started: 5 })}\n`;

async function* bytes(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield Buffer.from(content);
}

const replay = (content: string | Uint8Array) => replayJournal(bytes(content), name);

type Entry =
  | { sent: number }
  | { updated: number }
  | { failed: number; message: string }
  | { invalid: number; message: string }
  | { 'not-sent': number };

function append(journal: Journal, entry: Entry): void {
  if ('sent' in entry) journal.sent(entry.sent);
  else if ('updated' in entry) journal.updated(entry.updated);
  else if ('failed' in entry) journal.failed(entry.failed, { message: entry.message });
  else if ('invalid' in entry) journal.invalid(entry.invalid, entry.message);
  else journal.notSent(entry['not-sent']);
}

const row = fc.integer({ min: 1, max: 20 });
const message = fc.string({ unit: 'grapheme' });
const entry: fc.Arbitrary<Entry> = fc.oneof(
  row.map((sent) => ({ sent })),
  row.map((updated) => ({ updated })),
  fc.record({ failed: row, message }),
  fc.record({ invalid: row, message }),
  row.map((line) => ({ 'not-sent': line })),
);

function expected(entries: readonly Entry[]): Map<number, number> {
  const states = new Map<number, number>();
  for (const entry of entries) {
    if ('sent' in entry) states.set(entry.sent, rowState.sent);
    else if ('updated' in entry) states.set(entry.updated, rowState.updated);
    else if ('failed' in entry) states.set(entry.failed, rowState.failed);
    else if ('invalid' in entry) states.set(entry.invalid, rowState.invalid);
    else states.set(entry['not-sent'], rowState.notSent);
  }
  return states;
}

test('a journal cut off anywhere keeps every complete line, and continues after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 20 }),
      fc.array(entry, { maxLength: 5 }),
      fc.nat(),
      async (first, second, at) => {
        const written = Buffer.from(first.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
        // Also inside a character.
        const rest = written.subarray(0, at % (written.length + 1));
        const lines = rest.toString().split('\n');
        const past = await replay(Buffer.concat([Buffer.from(header), rest]));
        assert.ok(past);
        // As opening does: the last line may be torn.
        let file = Buffer.concat([Buffer.from(header), rest, Buffer.from('\n')]);
        const journal = createJournal(
          appending((text) => {
            file = Buffer.concat([file, Buffer.from(text)]);
          }),
        );
        for (const entry of second) append(journal, entry);
        await journal.close();
        const complete = first.slice(0, lines.length - 1);
        // What was torn may have been whole but for its line feed.
        const completed = first
          .slice(complete.length, complete.length + 1)
          .filter((entry) => JSON.stringify(entry) === lines.at(-1));
        const states = (await replay(file))?.states;
        assert.ok(states);
        for (const [number, is] of expected([...complete, ...completed, ...second]))
          assert.equal(states.get(number), is);
      },
    ),
  );
});

test('a journal counts rows by their last entry, and keeps the errors of rows that were not updated', async () => {
  const past = await replay(
    `${header}{"sent":3}\n{"sent":1}\n{"updated":1}\n{"sent":2}\n{"failed":2,"message":"x","code":"not_found","httpStatus":404}\n` +
      '{"invalid":4,"message":"y"}\n{"reported":[1,4]}\n',
  );
  assert.ok(past);
  const { states } = past;
  assert.deepEqual(states.counts(), { updated: 1, failed: 1, invalid: 1, unknown: 1, notSent: 16 });
  assert.deepEqual([states.get(3), states.final, states.unreported], [rowState.sent, 3, 1]);
  assert.deepEqual(
    [...states.errors],
    [
      [2, { message: 'x', code: 'not_found', httpStatus: 404 }],
      [4, { message: 'y', code: 'usage', httpStatus: undefined }],
    ],
  );
});

test('reads the entries of an older journal', async () => {
  const older = header.replace('"version":3', '"version":2');
  const past = await replay(
    `${older}{"sent":1}\n{"updated":1}\n{"sent":2}\n{"failed":2,"why":"x","code":"not_found","httpStatus":404}\n` +
      '{"failed":3,"why":"y","code":"usage"}\n{"sent":4}\n{"unsent":4}\n{"sent":5}\n{"reported":[1]}\n',
  );
  assert.ok(past);
  const { updated, failed, invalid, notSent, sent } = rowState;
  assert.deepEqual(
    [1, 2, 3, 4, 5].map((line) => past.states.get(line)),
    [updated, failed, invalid, notSent, sent],
  );
  assert.deepEqual(
    [past.states.errors.get(2), past.states.errors.get(3)],
    [
      { message: 'x', code: 'not_found', httpStatus: 404 },
      { message: 'y', code: 'usage', httpStatus: undefined },
    ],
  );
  assert.equal(past.states.unreported, 2);
});

test('skips a line number that no input can have', async () => {
  for (const line of ['0', '-1', '1.5', '"1"', '2147483648', 'null', '[1]', 'true', '{}', '1e300']) {
    const past = await replay(
      ['sent', 'updated', 'failed', 'invalid', 'not-sent', 'done', 'unsent']
        .map((word) => `{"${word}":${line},"message":"x"}\n`)
        .reduce((text, entry) => text + entry, `${header}{"reported":[${line}]}\n`),
    );
    assert.ok(past);
    assert.deepEqual([past.states.counts().notSent, past.states.unreported], [20, 0], line);
    assert.equal(past.states.errors.size, 0, line);
  }
});

test('rejects a file without the header of this journal', async () => {
  for (const text of [
    '',
    'x',
    '{}\n',
    '{"journal":"other"}\n',
    header.replace('"version":3', '"version":4'),
  ]) {
    assert.equal(await replay(text), undefined, text);
  }
  assert.equal(await replayJournal(bytes(header), 'another command'), undefined);
  assert.ok(await replay(header));
});

function appending(write: (text: string) => void, sync: () => Promise<void> = async () => {}): AppendFile {
  return {
    size: 0,
    write: (content) => write(String(content)),
    findLoss: () => undefined,
    truncate() {},
    sync,
    close: async () => {},
  };
}

test('rows that finish during a sync share the next one', async () => {
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
  assert.deepEqual(happened, ['{"updated":1}', 'sync']);
  release();
  await first;
  await new Promise(setImmediate);
  assert.deepEqual(happened.slice(2), ['{"updated":2} {"updated":3}', 'sync']);
  release();
  await Promise.all([second, third]);
});

test('no row is sent more than 1,000 lines beyond the one of the last synced entry, which is written in the background', async () => {
  const written: string[] = [];
  const releases: (() => void)[] = [];
  const file = appending(
    (text) => written.push(text.trim()),
    () => new Promise((resolve) => void releases.push(resolve)),
  );
  const journal = createJournal(file, { bootId: 'b' });
  const first = journal.clearToSend(2);
  assert.ok(first, 'nothing is sent before the first sync');
  await new Promise(setImmediate);
  assert.deepEqual(written, ['{"may-send":1002,"boot":"b"}']);
  releases.shift()?.();
  await first;
  assert.equal(journal.clearToSend(502), undefined);
  await new Promise(setImmediate);
  assert.equal(written.length, 1);
  assert.equal(journal.clearToSend(503), undefined, 'the next entry is on its way');
  await new Promise(setImmediate);
  assert.deepEqual(written.slice(1), ['{"may-send":1503,"boot":"b"}']);
  assert.equal(journal.clearToSend(1002), undefined);
  let isCleared = false;
  const late = journal.clearToSend(1003)?.then(() => {
    isCleared = true;
  });
  await new Promise(setImmediate);
  assert.equal(isCleared, false, 'waits for the disk');
  releases.shift()?.();
  await late;
  assert.equal(isCleared, true);
  // A row of many lines may lie beyond: it waits for an entry of its own.
  const far = journal.clearToSend(9000);
  await new Promise(setImmediate);
  assert.equal(written.at(-1), '{"may-send":10000,"boot":"b"}');
  releases.shift()?.();
  await far;
});

for (const failing of [2, 9])
  test(`a run that ends says so only if no sync has failed, such as sync ${failing}`, async () => {
    let text = '';
    let syncs = 0;
    const file = appending(
      (more) => {
        text += more;
      },
      async () => {
        if (++syncs === failing) throw new Error('EIO');
      },
    );
    const journal = createJournal(file);
    await journal.clearToSend(2);
    journal.sent(2);
    await journal.sync().catch(() => {});
    await journal.close();
    assert.equal((await replay(`${header}${text}`))?.cleared?.to, failing === 2 ? 1002 : 0);
  });

test('entries from one turn are written together, and every caller waits until its entry is written', async () => {
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
  assert.deepEqual(written, ['{"updated":1}\n{"sent":3}\n{"updated":2}\n{"sent":4}\n']);
  await second;
  journal.failed(3, { message: 'no "such" task' });
  await journal.write();
  assert.deepEqual(written.slice(1), ['{"failed":3,"message":"no \\"such\\" task"}\n']);
});

test('skips entries of newer versions, allows an entry without a reason, and reads `done` as updated', async () => {
  const past = await replay(
    `${header}{"sent":1}\n{"nope":1}\n[]\n7\nnull\n{"reported":2}\n{"done":1}\n{"failed":2}\n{"finished":true}\n`,
  );
  assert.ok(past);
  assert.deepEqual([past.states.get(1), past.states.get(2)], [rowState.updated, rowState.failed]);
  assert.deepEqual([...past.states.errors], [[2, { message: '', httpStatus: undefined }]]);
  assert.deepEqual([past.states.unreported, past.isFinished], [2, true]);
});

test('stops reading a journal at a line longer than wm writes', async () => {
  async function* long() {
    yield Buffer.from(`${header}{"updated":1}\n`);
    for (let piece = 0; piece < 17; piece++) yield new Uint8Array(1024 * 1024).fill(0x20);
    yield Buffer.from('\n{"updated":2}\n');
  }
  const past = await replayJournal(long(), name);
  assert.deepEqual([past?.states.get(1), past?.states.get(2)], [rowState.updated, rowState.notSent]);
});

test('reads only the header, whatever follows it', async () => {
  const own = { journal: name, version: 3, key: 'k', rows: 20, started: 5 };
  for (const text of [header, `${header}{"sent":1}\n{"upd`, header.trimEnd()])
    assert.deepEqual(await readJournalHeader(bytes(text), name), own);
  for (const text of ['', 'x\n', `\n${header}`, header.replace('}', ',"nope":1}')])
    assert.equal(await readJournalHeader(bytes(text), name), undefined, text);
});
