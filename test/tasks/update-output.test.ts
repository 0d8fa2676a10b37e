// `wm task update` with ids on the command line prints the same shape for any number of ids, so the runs of `xargs -n2`
// print what one run would.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';
import { faultyOutput } from './many/faulty-disk.ts';

const ids = [sample.task, sample.backlog, sample.milestone];
const [first = '', second = '', third = ''] = ids;
const missing = 'IEAAAAAQKQAB5XXX';

function lines(text: string): readonly string[] {
  return text === '' ? [] : text.trimEnd().split('\n');
}

/** Each update changes when the task was updated, and nothing else that is different from run to run. */
function withoutTimes(text: string): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME');
}

const shapes: readonly (readonly [string, readonly string[]])[] = [
  ['--json', ['--json']],
  ['tab-separated', []],
  ['--json with --fields', ['--json', '--fields', 'billingType']],
  ['tab-separated with --fields', ['--fields', 'billingType']],
  ['--undoable', ['--json', '--undoable']],
  ['--concurrency', ['--json', '--concurrency', '2']],
  ['--dry-run', ['--dry-run']],
  ['--dry-run --json', ['--dry-run', '--json']],
  ['--curl', ['--curl']],
];

for (const [name, flags] of shapes) {
  test(`updating A, then B and C prints the same as updating A, B and C: ${name}`, async (t) => {
    const { wm } = await emulated(t);
    const output = async (some: readonly string[]) => {
      const ran = await wm(['task', 'update', ...some, '--importance', 'High', '--yes', ...flags], {
        exit: 0,
      });
      return withoutTimes(ran.output);
    };
    const divided = (await output([first])) + (await output([second, third]));
    const together = await output(ids);
    assert.equal(divided, together);
    if (!flags.includes('--json')) return;
    assert.deepEqual(
      lines(together).map((line) => {
        const one: { id?: string; url?: string } = JSON.parse(line);
        return one.id ?? one.url?.replace(/^.*\/|\?.*$/g, '');
      }),
      ids,
    );
  });
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
  const real = createWorld().http;
  let open = 2;
  let release = () => {};
  const others = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    async send(request, options) {
      const response = await real.send(request, options);
      if (request.url.includes(held)) await others;
      else if (--open === 0) release();
      return response;
    },
  };
}

test('prints the tasks in the order of the ids, whichever response comes first', async (t) => {
  const { wm } = await emulated(t);
  const world = { http: firstComesLast(first) };
  const ran = await wm(['task', 'update', ...ids, ...high, '--json'], { world, exit: 0 });
  assert.deepEqual(idsOf(ran.output), ids);
});

test('names a failed id on standard error and prints the others: exit 8', async (t) => {
  const { wm, task } = await emulated(t);
  const argv = ['task', 'update', first, missing, third, ...high];
  const json = await wm([...argv, '--json'], { exit: 8 });
  assert.deepEqual(idsOf(json.output), [first, third]);
  const failures = lines(json.errors)
    .filter((line) => line.startsWith('{'))
    .map((line): { error: { code: string; message: string; httpStatus?: number } } => JSON.parse(line));
  assert.equal(failures.length, 2);
  assert.match(failures[0]?.error.message ?? '', new RegExp(missing));
  assert.equal(failures[0]?.error.code, 'resource_not_found');
  assert.equal(failures[0]?.error.httpStatus, 404);
  const tabbed = await wm(argv, { exit: 8 });
  assert.deepEqual(
    lines(tabbed.output).map((line) => line.split('\t').slice(0, 4)[0]),
    [first, third],
  );
  assert.match(tabbed.errors, new RegExp(`^wm: .*${missing}`, 'm'));
  assert.equal((await task(third)).importance, 'High');
  const alone = await wm(['task', 'update', missing, ...high]);
  assert.equal(alone.status, 5, 'a single id has a status of its own');
});

test('names an invalid id and updates the others: exit 8', async (t) => {
  const { wm } = await emulated(t);
  const ran = await wm(['task', 'update', first, 'a/b', third, ...high, '--json'], { exit: 8 });
  assert.deepEqual(idsOf(ran.output), [first, third]);
  assert.match(ran.errors, /"message":"a\/b: [^"]*/);
});

test('a single row of --from is printed like a bulk run', async (t) => {
  const { wm } = await emulated(t);
  const input = `id\n${first}\n`;
  const ran = await wm(['task', 'update', '--from', '-', ...high, '--json'], { input, exit: 0 });
  const { line, id, outcome, task }: { line: number; id: string; outcome: string; task: { id: string } } =
    JSON.parse(ran.output);
  assert.deepEqual(
    { line, id, outcome, task: task.id },
    { line: 2, id: first, outcome: 'updated', task: first },
  );
});

test('several ids need confirmation; a dry run shows every request', async (t) => {
  const { wm, control } = await emulated(t);
  const unconfirmed = await wm(['task', 'update', first, second, '--importance', 'High'], { exit: 2 });
  assert.match(unconfirmed.errors, /--yes/);
  const made: unknown = await control('tasks', { count: 15 });
  assert.ok(typeof made === 'object' && made !== null && 'taskIds' in made && Array.isArray(made.taskIds));
  const many = made.taskIds.map((one: unknown) => String(one));
  const shown = await wm(['task', 'update', ...many, '--importance', 'High', '--dry-run'], { exit: 0 });
  assert.equal(shown.output.match(/^PUT /gm)?.length, 15);
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
  let errors = '';
  const real = createWorld().streams;
  const { output } = faultyOutput({ output: 0 });
  const write = async (text: string) => {
    errors += text;
  };
  const streams = { ...real, output, errors: { ...output, write } };
  const argv = ['task', 'update', missing, first, ...high, '--json', '--concurrency', '1'];
  assert.equal(await wm(argv, { world: { streams } }).then(({ status }) => status), 8, errors);
  assert.match(errors, new RegExp(`"message":"${missing}: `));
  const resumed = await wm([...argv, '--resume'], { exit: 8 });
  assert.equal(resumed.output, '');
  assert.match(
    resumed.errors,
    new RegExp(`^${first} was updated by an earlier run. To see it: wm task get ${first}$`, 'm'),
  );
  assert.doesNotMatch(resumed.errors, new RegExp(`"message":"${missing}`), 'it was said before');
});
