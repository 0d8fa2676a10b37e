// What `wm webhook log` and `wm webhook replay` show on a terminal, where it differs from a pipe.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { noon } from '#test/support/clock.ts';
import { listening } from '#test/support/service/listening.ts';
import { attempt, received, writtenJournal } from '../deliveries/written-journal.ts';
import { showOutput } from './shown-output.ts';

test('a table: many events in one body, an unsigned delivery, duplicates; without a target', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  const types = ['TaskCreated', 'TaskDeleted', 'CommentAdded', 'CommentDeleted', 'TaskCreated'];
  const body = new TextEncoder().encode(
    JSON.stringify(types.map((eventType) => ({ eventType, taskId: 'A1' }))),
  );
  await journal.append(received('', '', { body, signature: 'unsigned' }));
  journal.record(attempt(1, { target: '', outcome: 'no-target', milliseconds: 0 }));
  journal.record({ kind: 'duplicate', sequence: 1, time: noon });
  await journal.close();
  const shown = showOutput(160);
  await wm(['webhook', 'log', '--no-color'], { world: { streams: shown.streams } });
  assert.match(
    shown.text(),
    /TaskCreated, TaskDeleted, CommentAdded and 1 more +A1 +no-target, unsigned, sent 2 times$/m,
  );
  const details = showOutput(160);
  await wm(['webhook', 'log', '1', '--no-color'], { world: { streams: details.streams } });
  assert.match(details.text(), /^Attempts:\n {2}\S+ \S+ \(\S+\) {2}no-target, 0 ms \(forwarded\)\n\nPOST /m);
});

test('at 80 columns, each delivery is a row of a table', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  for (const id of ['IEAAAAAQKQAB5BNG', 'IEAAAAAQKQAB5BNH'])
    journal.record(attempt((await journal.append(received('TaskStatusChanged', id))).sequence));
  await journal.close();
  const shown = showOutput(80);
  await wm(['webhook', 'log', '--no-color'], { world: { streams: shown.streams } });
  const [titles = '', first = '', second = '', ...rest] = shown.text().split('\n');
  assert.match(titles, /^# +local time +events +subject +state$/);
  assert.match(first, /^1 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNG +forwarded, 200$/);
  assert.match(second, /^2 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNH +forwarded, 200$/);
  assert.deepEqual(rest, ['']);
});

test('--long prints each delivery whole on a narrow terminal', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  journal.record(attempt((await journal.append(received('TaskStatusChanged', 'IEAAAAAQKQAB5BNG'))).sequence));
  await journal.close();
  const lines = async (...flags: readonly string[]) => {
    const shown = showOutput(60);
    await wm(['webhook', 'log', '--no-color', ...flags], { world: { streams: shown.streams } });
    return shown.text();
  };
  assert.notEqual(await lines('--long'), await lines());
  assert.doesNotMatch(await lines('--long'), /…/);
});

test('a replay: one sentence each, with the response of a target that rejects it', async (context) => {
  const { wm, open } = await writtenJournal(context);
  const journal = await open();
  for (const id of ['A1', 'A1'])
    journal.record(attempt((await journal.append(received('TaskCreated', id))).sequence));
  await journal.close();
  const server = createServer((request, response) => {
    const isFirst = request.headers['x-wm-delivery'] === '1';
    request.resume().on('end', () => response.writeHead(isFirst ? 200 : 500).end('no \u001b[1mtable'));
  });
  const port = await listening(server);
  context.after(() => server.close());
  const typed = ['webhook', 'replay', '1-2', '--forward-to', `http://127.0.0.1:${port}/hook`, '--no-color'];
  const shown = showOutput(160);
  const { status } = await wm([...typed, '--yes'], { world: { streams: shown.streams } });
  assert.equal(status, 8);
  const [first, second] = shown.text().split('\n');
  assert.match(first ?? '', /^#1 TaskCreated {2}http:\/\/127\.0\.0\.1:\d+\/hook {2}200 in [\d.]+ m?s$/);
  assert.match(second ?? '', /^#2 TaskCreated .*500 in [\d.]+ m?s: no \ufffd\[1mtable$/);
  const planned = showOutput(160);
  await wm([...typed, '--dry-run'], { world: { streams: planned.streams } });
  assert.match(planned.text(), /^1 .*TaskCreated/m);
});

test('hints name the given journal; an empty journal has no gaps', async (context) => {
  const { wm, open, folder } = await writtenJournal(context);
  const journal = await open();
  await journal.append(received('TaskCreated', 'A1'));
  await journal.close();
  for (const typed of [['7'], ['7', '--body']]) {
    const { status, errors } = await wm(['webhook', 'log', ...typed, '--journal', folder]);
    assert.equal(status, 5);
    assert.ok(errors.endsWith(`To list the last ones: wm webhook log --journal ${folder}\n`), errors);
  }
  await mkdir(`${folder}-empty`);
  const { status, errors } = await wm(['webhook', 'log', '--gaps', '--journal', `${folder}-empty`]);
  assert.deepEqual([status, errors], [0, 'No time without a receiver is recorded.\n']);
});
