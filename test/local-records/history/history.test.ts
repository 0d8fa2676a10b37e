// `wm history`: what was recorded, filtered, and on a terminal. test/transcript/history-files.txt has files that hold anything at all.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { clockAt, type Emulated, emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Files, Http, HttpFault, HttpResponse } from '#world/world.ts';
import { historyFolder } from './recorded.ts';

test('stores the previous values before sending the update; the history shows the update without values', async (context) => {
  const stage = await emulated(context);
  const real = createFiles(stage.environment, process.platform, stage.folder);
  const calls: string[] = [];
  const called = (name: string) => void calls.push(name);
  const files: Files = {
    ...real,
    stateFolder: real.stateFolder,
    async append(path, options) {
      const file = await real.append(path, options);
      return {
        ...file,
        write: (text) => called('write') ?? file.write(text),
        sync: () => file.sync().then(() => called('sync')),
      };
    },
    async appendLine(folder, choose, line) {
      // Not the cache for completion.
      if (folder.startsWith(join(real.stateFolder, 'history'))) called('history');
      return real.appendLine(folder, choose, line);
    },
  };
  const { http } = createWorld();
  const send: Http['send'] = (request, options) => {
    if (request.method === 'PUT') called('request');
    return http.send(request, options);
  };
  const argv = ['task', 'update', sample.task, '--title', 'Private plans', '--undoable'];
  await stage.wm(argv, { exit: 0, world: { files, http: { send } } });
  assert.deepEqual(calls, ['write', 'sync', 'history', 'request', 'history', 'write', 'sync']);
  const shown = await stage.wm(['history', '--json']);
  assert.doesNotMatch(shown.output, /Private|before|left|"sent"/);
  const [{ command, ids, parameters, outcome }] = JSON.parse(shown.output);
  assert.deepEqual([command, ids, parameters, outcome], ['task update', [sample.task], ['title'], 'done']);
});

const rejection: HttpResponse = {
  status: 400,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":"invalid_parameter","errorDescription":"title"}'),
};
const answers: readonly (readonly [what: string, answer: HttpResponse | HttpFault, outcome: string])[] = [
  ['rejected', rejection, 'failed'],
  ['lost', { fault: 'reset', sent: true, detail: 'reset' }, 'unknown'],
];

for (const [what, answer, outcome] of answers) {
  test(`an undoable update is ${what}: its outcome is ${outcome}`, async (context) => {
    const stage = await emulated(context);
    const { http } = createWorld();
    const send: Http['send'] = async (request, options) =>
      request.method === 'PUT' ? answer : http.send(request, options);
    const argv = ['task', 'update', sample.task, '--title', 'ours', '--undoable'];
    assert.notEqual((await stage.wm(argv, { world: { http: { send } } })).status, 0);
    const [entry] = JSON.parse((await stage.wm(['history', '--json'])).output);
    assert.equal(entry.outcome, outcome);
    assert.ok(entry.code);
  });
}

test('lists undoable and other updates in the order they were made, or only the last ones', async (context) => {
  const stage = await emulated(context);
  for (const [minute, more] of [[], ['--undoable'], [], ['--undoable'], ['--undoable']].entries()) {
    const world = { clock: clockAt(Date.UTC(2026, 1, 3, 12, minute)) };
    await stage.wm(['task', 'update', sample.task, '--title', `${minute}`, ...more], { exit: 0, world });
  }
  const minutes = async (...more: readonly string[]) => {
    const { output } = await stage.wm(['history', '--json', ...more]);
    const entries: readonly { readonly at: string }[] = JSON.parse(output);
    return entries.map(({ at }) => Number(at.slice(14, 16)));
  };
  assert.deepEqual(await minutes(), [0, 1, 2, 3, 4]);
  assert.deepEqual(await minutes('--limit', '2'), [3, 4]);
  const undo = join(stage.folder, 'config', 'state', 'undo');
  // An older wm stored some changes in the undo log alone, and before that not at all.
  const at = '2026-02-03T12:02:30.000Z';
  const change = { change: 'k', at, host: 'h', command: 'task update', operation: 'updateTask', ids: ['A'] };
  const key = { task: 'A', at: 1, uptime: 1 };
  const lines = [
    { ...key, sent: { title: 'x' }, before: { id: 'A' } },
    { ...key, sent: { title: 'x' }, before: { id: 'A' }, history: change },
    { ...key, madeAt: 2, madeUptime: 2, left: {}, history: { change: 'k', ended: at, outcome: 'done' } },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  await writeFile(join(undo, 'other.example.com.1.2026-02.ndjson'), `${text}\n{"task":"IE`);
  const damaged = await stage.wm(['history', '--json']);
  assert.match(damaged.errors, /Skipped 1 line in \S+undo: damaged/);
  const outcomes: readonly { readonly outcome: string }[] = JSON.parse(damaged.output);
  assert.deepEqual(new Set(outcomes.map(({ outcome }) => outcome)), new Set(['done']));
  assert.deepEqual(await minutes(), [0, 1, 2, 2, 3, 4]);
});

/** By day of February 2026: 3 of the task, 5 and 7 of the milestone, at noon where the test runs. */
async function threeUpdates(stage: Emulated): Promise<void> {
  for (const [day, id] of [
    [3, sample.task],
    [5, sample.milestone],
    [7, sample.milestone],
  ] as const) {
    const world = { clock: clockAt(new Date(2026, 1, day, 12).getTime()) };
    await stage.wm(['task', 'update', id, '--title', 'x'], { exit: 0, world });
  }
}

test('filters by id and time, or shows the last entries; the newest comes last', async (context) => {
  const stage = await emulated(context);
  await threeUpdates(stage);
  const noonOn = (day: number) => `${new Date(2026, 1, day, 12).toISOString().slice(0, 19)}Z`;
  const days = async (...typed: readonly string[]) => {
    const world = { clock: clockAt(new Date(2026, 1, 8, 12).getTime()) };
    const ran = await stage.wm(['history', ...typed], { exit: 0, world });
    const times = ran.output.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
    return times.map((time) => new Date(time).getDate());
  };
  assert.deepEqual(await days(), [3, 5, 7]);
  assert.deepEqual(await days('--limit', '2'), [5, 7]);
  assert.deepEqual(await days(sample.milestone), [5, 7]);
  assert.deepEqual(await days(sample.milestone, '--limit', '1'), [7]);
  assert.deepEqual(await days(sample.task, 'NOTHERE'), [3]);
  assert.deepEqual(await days('--since', '2026-02-05'), [5, 7]);
  assert.deepEqual(await days('--until', '2026-02-05'), [3, 5], 'a day counts to its end');
  assert.deepEqual(await days('--since', '2026-02-05 13:00'), [7]);
  assert.deepEqual(
    await days('--since', noonOn(5), '--until', noonOn(5)),
    [5],
    'a time that the history showed',
  );
  assert.deepEqual(await days('--since', 'yesterday'), [7]);
  assert.deepEqual(await days('--since', '25h'), [7]);
  assert.deepEqual(await days('--since', '1h'), []);
  assert.deepEqual(await days('--since', '5 days'), [3, 5, 7]);
  assert.deepEqual(await days('--command', 'task'), [3, 5, 7]);
  assert.deepEqual(await days('--command', 'task  update'), [3, 5, 7]);
  assert.deepEqual(await days('--command', 'task up'), []);
});

test('JSON is an array of entries, empty without a history', async (context) => {
  const stage = await emulated(context);
  const none = await stage.wm(['history', '--json']);
  assert.deepEqual([none.status, none.output, none.errors], [0, '[]\n', 'No changes.\n']);
  const time = Date.UTC(2026, 1, 6, 17);
  await stage.wm(['task', 'update', 'IEAAAAAQKQAAAAAA', '--title', 'x'], { world: { clock: clockAt(time) } });
  const { output } = await stage.wm(['history', '--json']);
  assert.deepEqual(JSON.parse(output), [
    {
      at: '2026-02-06T17:00:00.000Z',
      host: stage.environment['WM_HOST'],
      token: 'WM_TOKEN',
      command: 'task update',
      operation: 'updateTask',
      parameters: ['title'],
      ids: ['IEAAAAAQKQAAAAAA'],
      ended: '2026-02-06T17:00:00.000Z',
      outcome: 'failed',
      code: 'not_found',
    },
  ]);
});

const ended = (change: string, outcome: string) =>
  `{"change":"${change}","ended":"2026-02-06T17:00:01.000Z","outcome":"${outcome}"}`;
const begun = (change: string, more: object = {}) =>
  JSON.stringify({
    change,
    at: '2026-02-06T17:00:00.000Z',
    host: 'api.example.com',
    profile: 'work',
    command: 'webhook suspend',
    operation: 'updateWebhook',
    ids: ['HOOK1'],
    ...more,
  });

async function withLines(stage: Emulated, lines: readonly string[]): Promise<void> {
  await mkdir(historyFolder(stage), { recursive: true });
  await writeFile(join(historyFolder(stage), 'changes.1.2026-02.ndjson'), lines.join('\n'));
}

test('on a terminal: a title for each column and a colour for each outcome', async (context) => {
  const stage = await emulated(context);
  await withLines(stage, [
    begun('a', { ids: ['A'], note: 'x\u001b[31my' }),
    ended('a', 'done'),
    begun('b', { ids: ['B'] }),
    ended('b', 'failed'),
    begun('c', { ids: ['C'] }),
  ]);
  const { streams, texts } = collectStreams({ isTerminal: true });
  await stage.wm(['history'], { exit: 0, world: { streams } });
  const text = texts.output;
  assert.match(text, /^.*time.*command.*ids.*outcome.*\n/);
  const colourOf = (word: string) => new RegExp(`(\\u001b\\[\\d+m)${word}\\b`).exec(text)?.[1];
  const colours = ['done', 'failed', 'unknown'].map(colourOf);
  assert.ok(
    colours.every((colour) => colour !== undefined),
    JSON.stringify(text),
  );
  assert.equal(new Set(colours).size, 3);
  assert.ok(!text.includes('x\u001b[31my'), 'a note of the file is no command to the terminal');
});

test('in 80 columns ids stay whole: an account and host shared by all changes are left out', async (context) => {
  const stage = await emulated(context);
  const row = (change: string, more: object = {}) => [
    begun(change, { command: 'task update', ids: [sample.task], parameters: ['dates', 'status'], ...more }),
    ended(change, 'done'),
  ];
  const shown = async (...typed: string[]) => {
    const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
    await stage.wm(['history', ...typed], { exit: 0, world: { streams } });
    return texts.output;
  };
  await withLines(stage, [...row('a'), ...row('b')]);
  const lines = (await shown()).trimEnd().split('\n');
  assert.equal(lines.length, 3, lines.join('\n'));
  for (const line of lines.slice(1)) assert.match(line, new RegExp(`task update +${sample.task} `));
  assert.doesNotMatch(lines.join('\n'), /host|account/);
  assert.match(await shown('--long'), /host/);
  await withLines(stage, [...row('a'), ...row('c', { host: 'other.example' })]);
  assert.match(await shown(), /host/);
});
