// JSON of 100,000 levels, less than a megabyte of text, wherever it may come in: an error names the limit, never "a fault of
// wm", and whatever else was given is done.

import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { startService } from '#test/support/service/rotating-service.ts';
import { ask, hook, hookId, lines } from '#test/support/service/scripted-service.ts';
import { inside } from '../renewal/inside.ts';
import { makeStage } from '../renewal/stage.ts';

const levels = 100_000;
const deepList = `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepObject = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const tooDeep = 'nested more than 64 levels deep';
const id = sample.task;

test('on the command line and in a file: invalid, nothing sent', async (context) => {
  const { wm, folder } = await emulated(context);
  const [object, list] = [join(folder, 'object.json'), join(folder, 'list.json')];
  await writeFile(object, deepObject);
  await writeFile(list, deepList);
  const flagValues: readonly (readonly [flag: string, value: string])[] = [
    ['--dates', `@${object}`],
    ['--metadata', deepList],
    ['--metadata', `@${list}`],
    ['--custom-fields', `@${list}`],
    ['--effort-allocation', `@${object}`],
    ['--set-responsible-allocation', `@${list}`],
    ['--add-parents', deepList],
    ['--fields', deepList],
  ];
  for (const [flag, value] of flagValues) {
    const ran = await wm(['task', 'update', id, flag, value, '--verbose'], { exit: 2 });
    assert.ok(ran.errors.includes(`wm: ${flag}: `) && ran.errors.includes(`is ${tooDeep}`), ran.errors);
    assert.ok(ran.errors.length < 1000, `${flag}: ${ran.errors.length} characters`);
    assert.doesNotMatch(ran.errors, /-> \d/);
  }
  const emitted = await wm(['emulator', 'emit', 'TaskTitleChanged', '--payload', `@${object}`], {
    exit: 2,
  });
  assert.ok(emitted.errors.startsWith(`wm: --payload is ${tooDeep}\n`), emitted.errors);
});

test('in a line of NDJSON: that line is invalid, and the others are sent', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const input = [
    JSON.stringify({ id, title: 'one' }),
    `{"id":"${id}","dates":${deepObject}}`,
    deepObject,
    JSON.stringify({ id, importance: 'High' }),
  ].join('\n');
  const errorsFile = join(folder, 'errors.ndjson');
  const argv = ['task', 'update', '--from', '-', '--yes', '--json', '--errors', errorsFile];
  const ran = await wm(argv, { exit: 8, input });
  for (const line of [2, 3])
    assert.ok(ran.errors.includes(`line ${line}: the line is ${tooDeep}`), ran.errors);
  const rows = ran.output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .toSorted((a, b) => a.line - b.line);
  assert.deepEqual(
    rows.map(({ line, outcome, error }) => [line, outcome, error?.message]),
    [
      [1, 'updated', undefined],
      [2, 'invalid', `the line is ${tooDeep}`],
      [3, 'invalid', `the line is ${tooDeep}`],
      [4, 'updated', undefined],
    ],
  );
  const { title, importance } = await task(id);
  assert.deepEqual([title, importance], ['one', 'High']);
  // The two lines as they were, to be fixed.
  assert.equal(await readFile(errorsFile, 'utf8'), `${input.split('\n').slice(1, 3).join('\n')}\n`);
});

/**
 * By method, and by the status of a response that is too deep: the exit status, and how many requests were sent, those that look
 * what became of a creation included.
 */
const responses = {
  GET: { 200: [1, 1], 400: [1, 1], 500: [7, 3] },
  PUT: { 200: [9, 1], 400: [9, 1], 500: [9, 3] },
  DELETE: { 200: [0, 1], 400: [9, 1], 500: [9, 3] },
  POST: { 200: [9, 2], 400: [9, 2], 500: [9, 4] },
} as const;

for (const [method, ends] of Object.entries(responses)) {
  for (const [status, [exit, requests]] of Object.entries(ends)) {
    test(`in a response of ${status} to a ${method}: exit ${exit}`, async () => {
      const body = `{"kind":"webhooks","data":[${JSON.stringify(hook)}],"x":${deepList}}`;
      const argv = lines[method as keyof typeof lines];
      const ran = await ask(argv, [jsonReply(Number(status), body)]);
      assert.equal(ran.status, exit, ran.errors);
      assert.equal(ran.requests.length, requests);
      assert.doesNotMatch(ran.errors, /a bug in wm/);
      if (status === '200' && exit !== 0)
        assert.ok(ran.errors.includes(`the body is ${tooDeep}`), ran.errors);
    });
  }
}

test('inside a record: the response is invalid', async () => {
  const body = `{"kind":"webhooks","data":[{"id":"${hookId}","x":${deepObject}}]}`;
  for (const more of [[], ['--json']]) {
    const ran = await ask([...lines.GET, ...more], [jsonReply(200, body)]);
    assert.equal(ran.status, 1, ran.errors);
    assert.ok(ran.errors.includes(`the body is ${tooDeep}`), ran.errors);
  }
});

test('from a server that is not an emulator: the response is rejected', async (context) => {
  const server = await startRawServer(() => jsonReply(200, `{"users":${deepList}}`));
  context.after(() => server.close());
  const ran = await run(['emulator', 'user', '--url', `http://${server.host}`], { exit: 1 });
  assert.ok(ran.errors.includes(`its response is ${tooDeep}`), ran.errors);
});

test('in the files of a sign-in: unreadable, and no request that would use up the sign-in is sent', async (context) => {
  const service = await startService();
  const stage = await makeStage(service);
  context.after(async () => {
    await stage.close();
    await service.close();
  });
  await stage.expire();
  const { wm } = inside(stage);
  for (const [path, argv, says] of [
    ['tokens/default.json', ['whoami'], /Cannot read the tokens in /],
    ['profiles.json', ['auth', 'switch', 'default'], /Cannot read \S+profiles\.json/],
  ] as const) {
    const file = join(stage.folder, path);
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.replace('{', `{"x":${deepList},`));
    const ran = await wm(...argv);
    assert.notEqual(ran.status, 0);
    assert.match(ran.errors, says);
    assert.doesNotMatch(ran.errors, /a bug in wm/);
    assert.equal(service.counts.requests, 0);
    await writeFile(file, before);
  }
  assert.equal((await wm('whoami')).status, 0);
});

test('in the undo log: a damaged line, like any other', async (context) => {
  const { wm, folder, task } = await emulated(context);
  const { title } = await task(id);
  await wm(['task', 'update', id, '--title', 'ours', '--undoable'], { exit: 0 });
  const log = join(folder, 'config', 'state', 'undo');
  const [name = ''] = await readdir(log);
  const text = await readFile(join(log, name), 'utf8');
  await writeFile(join(log, name), `${text}{"task":"${id}","at":1,"before":${deepObject}}\n`);
  const damaged = await wm(['task', 'undo', id, '--yes'], { exit: 2 });
  assert.match(damaged.errors, /line \d+, cannot be read/);
  // A line of another task is nothing to this one.
  await writeFile(join(log, name), `${text}{"task":"IEAAAAAQKQZZZZZZ","at":1,"before":${deepObject}}\n`);
  await wm(['task', 'undo', id, '--yes'], { exit: 0 });
  assert.equal((await task(id)).title, title);
});
