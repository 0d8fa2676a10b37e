// What `wm webhook log` and `wm webhook replay` show on a terminal, where it differs from a pipe.

import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { test } from 'node:test';
import { bodyOf } from '#test/receiver/core/intake/samples.ts';
import { startTarget } from '#test/receiver/listen/running-listener.ts';
import { noon } from '#test/support/clock.ts';
import { attempt, received, writtenJournal } from '../deliveries/written-journal.ts';

test('a table: many events in one body, an unsigned delivery, duplicates; without a target', async (context) => {
  const types = ['TaskCreated', 'TaskDeleted', 'CommentAdded', 'CommentDeleted', 'TaskCreated'];
  const body = bodyOf(types.map((eventType) => ({ eventType, taskId: 'A1' })));
  const { shows } = await writtenJournal(
    context,
    received('', '', { body, signature: 'unsigned' }),
    attempt(1, { target: '', outcome: 'no-target', milliseconds: 0 }),
    { kind: 'duplicate', sequence: 1, time: noon },
  );
  assert.match(
    (await shows(160, 'webhook log')).output,
    /TaskCreated, TaskDeleted, CommentAdded and 1 more +A1 +no-target, unsigned, sent 2 times$/m,
  );
  assert.match(
    (await shows(160, 'webhook log 1')).output,
    /^Attempts:\n {2}\S+ \S+ \(\S+\) {2}no-target, 0 ms \(forwarded\)\n\nPOST /m,
  );
});

test('at 80 columns, each delivery is a row of a table; --long prints each whole on a narrower terminal', async (context) => {
  const { shows } = await writtenJournal(
    context,
    received('TaskStatusChanged', 'IEAAAAAQKQAB5BNG'),
    received('TaskStatusChanged', 'IEAAAAAQKQAB5BNH'),
    ...[attempt(1), attempt(2)],
  );
  const [titles = '', first = '', second = '', ...rest] = (await shows(80, 'webhook log')).output.split('\n');
  assert.match(titles, /^# +local time +events +subject +state$/);
  assert.match(first, /^1 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNG +forwarded, 200$/);
  assert.match(second, /^2 +\S+ \S+ +TaskStatusChanged +IEAAAAAQKQAB5BNH +forwarded, 200$/);
  assert.deepEqual(rest, ['']);
  const long = (await shows(60, 'webhook log --long')).output;
  assert.notEqual(long, (await shows(60, 'webhook log')).output);
  assert.doesNotMatch(long, /…/);
});

test('a replay: one sentence each, with the response of a target that rejects it', async (context) => {
  const { shows } = await writtenJournal(
    context,
    ...[received('TaskCreated', 'A1'), received('TaskCreated', 'A1'), attempt(1), attempt(2)],
  );
  const { url } = await startTarget(context, (response, { headers }) =>
    response.writeHead(headers['x-wm-delivery'] === '1' ? 200 : 500).end('no \u001b[1mtable'),
  );
  const { status, output } = await shows(160, `webhook replay 1-2 --forward-to ${url} --yes`);
  assert.equal(status, 8);
  const [first, second] = output.split('\n');
  assert.match(first ?? '', /^#1 TaskCreated {2}http:\/\/127\.0\.0\.1:\d+\/hook {2}200 in [\d.]+ m?s$/);
  assert.match(second ?? '', /^#2 TaskCreated .*500 in [\d.]+ m?s: no \ufffd\[1mtable$/);
  const planned = await shows(160, `webhook replay 1-2 --forward-to ${url} --dry-run`);
  assert.match(planned.output, /^1 .*TaskCreated/m);
});

test('hints name the given journal; an empty journal has no gaps', async (context) => {
  const { wm, folder } = await writtenJournal(context, received('TaskCreated', 'A1'));
  for (const typed of ['7', '7 --body']) {
    const { status, errors } = await wm(`webhook log ${typed} --journal ${folder}`);
    assert.equal(status, 5);
    assert.ok(errors.endsWith(`To list the last ones: wm webhook log --journal ${folder}\n`), errors);
  }
  await mkdir(`${folder}-empty`);
  const { status, errors } = await wm(`webhook log --gaps --journal ${folder}-empty`);
  assert.deepEqual([status, errors], [0, 'No time without a receiver is recorded.\n']);
});
