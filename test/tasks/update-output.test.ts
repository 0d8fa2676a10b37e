// `wm task update` with ids on the command line: the order of what is printed, a table on a terminal, a full disk. What it prints of
// several is in test/transcript/task-output.txt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { gate } from '#test/support/gate.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import type { Http } from '#world/world.ts';
import { faultyOutput } from './many/faulty-disk.ts';

const ids = [sample.task, sample.backlog, sample.milestone];
const [first = '', , third = ''] = ids;
const missing = 'IEAAAAAQKQAB5XXX';

function lines(text: string): readonly string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}

const high = ['--importance', 'High', '--yes'];

function idsOf(output: string): readonly string[] {
  return lines(output).map((line) => {
    const { id }: { id: string } = JSON.parse(line);
    return id;
  });
}

/** Keeps the response to the first id back until the others have theirs. */
function firstComesLast(held: string): Http {
  let left = 2;
  const others = gate();
  return aroundHttp(async ({ url }, pass) => {
    const response = await pass();
    if (url.includes(held)) await others.opened;
    else if (--left === 0) others.open();
    return response;
  });
}

test('prints the tasks in the order of the ids, whichever response comes first', async (t) => {
  const { wm } = await emulated(t);
  const world = { http: firstComesLast(first) };
  const ran = await wm(['task', 'update', ...ids, ...high, '--json'], { world, exit: 0 });
  assert.deepEqual(idsOf(ran.output), ids);
});

test('on a terminal, prints a table of several tasks with names, after the failures', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  const line = `wm task update ${first} ${missing} ${third} --importance High --yes`;
  const terminal = openInProcess(context, stage, line, {
    columns: 200,
    environment: { NO_COLOR: '1' },
  });
  assert.equal(await terminal.ended, 8, terminal.text);
  const { text } = terminal;
  assert.match(text, new RegExp(`wm: .*${missing}.*\\n[^]*^id +status +title`, 'm'));
  assert.match(
    text,
    new RegExp(`^${first} +New \\(Active\\) +Write the launch page +High .*Ben Okafor`, 'm'),
  );
  assert.match(text, new RegExp(`^${third} `, 'm'));
});

test('on a full disk, still prints the failures; --resume lists the updated tasks', async (t) => {
  const { wm } = await emulated(t);
  const { streams, texts } = collectStreams();
  const { output } = faultyOutput({ output: 0 });
  const argv = ['task', 'update', missing, first, ...high, '--json', '--concurrency', '1'];
  assert.equal((await wm(argv, { world: { streams: { ...streams, output } } })).status, 8, texts.errors);
  assert.match(texts.errors, new RegExp(`"message":"${missing}: `));
  const resumed = await wm([...argv, '--resume'], { exit: 8 });
  assert.equal(resumed.output, '');
  assert.match(
    resumed.errors,
    new RegExp(`^${first} was updated by an earlier run. To see it: wm task get ${first}$`, 'm'),
  );
  assert.doesNotMatch(resumed.errors, new RegExp(`"message":"${missing}`), 'it was said before');
});
