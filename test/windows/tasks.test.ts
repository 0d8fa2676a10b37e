// Updates under wine: one task, many of a CSV of Windows in a run that is ended without notice and resumed, and undo.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { sample } from '#emulator/state/sample-ids.ts';
import { setWindows, testRows, untilSent } from './wine.ts';

const ids = [sample.task, sample.backlog, sample.milestone];

testRows(['`--resume` and `--restart` of a bulk run'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  await windows.put(
    'tasks.csv',
    `\ufeffid,title\r\n${ids.map((id) => `${id},"Zwölf\r\nAffen"\r\n`).join('')}`,
  );
  const bulk = ['task', 'update', '--from', 'tasks.csv', '--yes', '--concurrency', '1', '--undoable'];
  // The update is done, but its response never comes.
  await windows.control('faults', { request: 'updateTask', silence: true, when: 'after' });
  const early = windows.start(bulk);
  await untilSent(windows);
  early.kill();
  await early.ended;
  const again = await windows.wm(bulk);
  assert.equal(again.status, 2, again.errors);
  assert.match(again.errors, /ended early/);
  const resumed = await windows.good([...bulk, '--resume']);
  assert.match(resumed.errors, /3 of 3 rows/);
  for (const id of ids) {
    const { output } = await windows.good(['task', 'get', id, '--json']);
    assert.match(output, /Zwölf/);
  }
  await windows.good(['task', 'undo', sample.task, '--yes']);
  assert.doesNotMatch((await windows.good(['task', 'get', sample.task, '--json'])).output, /Zwölf/);
  const restarted = await windows.good([
    ...bulk,
    '--restart',
    '--errors',
    'failed.csv',
    '--journal',
    windows.path('run 1.ndjson'),
  ]);
  assert.match(restarted.errors, /^Journal: C:\\[^/\n]*\\run 1\.ndjson$/m);
  assert.ok((await readdir(windows.folder)).includes('run 1.ndjson'));
});

testRows(['Line ends'], async (test) => {
  const windows = await setWindows(test, { signedOut: false });
  await windows.put('ids.csv', ['id', ...ids].map((id) => `${id}\r\n`).join(''));
  const { output } = await windows.good([
    'task',
    'update',
    '--from',
    'ids.csv',
    '--status',
    'Completed',
    '--yes',
  ]);
  assert.equal(output.match(/\tupdated\t/g)?.length, 3, output);
  await windows.put('about.md', 'one\r\ntwo\r\n');
  await windows.good(['task', 'update', sample.task, '--description', '@about.md']);
});
