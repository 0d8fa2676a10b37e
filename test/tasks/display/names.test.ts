// A terminal shows names, a pipe shows ids. A name that cannot be looked up never fails a command, and each list is
// requested once.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { control } from '#test/support/service/control.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { openTerminal, skip } from '#test/support/terminal/terminal.ts';

test('on a terminal a task shows names, and ids where a flag needs them', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task get ${sample.task} --verbose`);
  assert.equal(await terminal.ended, 0, terminal.text);
  const { text } = terminal;
  assert.match(text, /^title: +Write the launch page$/m);
  assert.match(text, /^status: +New \(Active\)$/m);
  assert.match(text, /^assignees: +Ben Okafor$/m);
  assert.match(text, /^followers: +Ada Fields$/m);
  assert.match(text, new RegExp(`^folders: +Website \\(${sample.folder}\\)$`, 'm'));
  assert.match(text, /^status: +New \(Active\)$/m);
  assert.doesNotMatch(text, /^custom status/m);
  assert.match(text, /^custom fields: Colours=Red and/m);
  assert.match(text, /5d \(2400 min\)$/m);
  for (const path of ['contacts', 'workflows', 'folders', 'customfields'])
    assert.equal(text.match(new RegExp(`GET \\S+/${path} -> 200`, 'g'))?.length, 1, path);
});

test('several tasks need no more requests than one', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task get ${sample.task} ${sample.bug} ${sample.milestone} ${sample.completed} --verbose`;
  const terminal = openInProcess(context, stage, line, { columns: 200 });
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /In progress \(Active\) +The form loses its text/);
  // Three of them for the workflows of the two spaces: one task has a status of theirs.
  assert.equal(terminal.text.match(/GET /g)?.length, 8);
  // Of the statuses, only an active one stands out.
  const { raw } = terminal;
  assert.ok(raw.includes('\x1b[32mIn progress (Active)\x1b[39m'), raw);
  assert.match(raw, /\bCompleted\b/);
  assert.ok(!raw.includes('\x1b[32mCompleted'), raw);
});

test('looks up nothing for JSON on a terminal, or in a pipe', { skip }, async (context) => {
  const stage = await setStage(context);
  const wide = { columns: 5000 };
  const line = `wm task get --verbose ${sample.task}`;
  for (const terminal of [
    openInProcess(context, stage, `${line} --json`, wide),
    openTerminal(context, stage, `${line} | cat`, wide),
  ]) {
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(terminal.text.includes(sample.ben));
    assert.equal(terminal.text.match(/GET /g)?.length, 1);
  }
});

test('prints ids for names that cannot be read, and succeeds without a message', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  for (const name of ['listContacts', 'listWorkflows', 'listFolders', 'listCustomFields'])
    await control(stage.emulator, 'POST', '/faults', { request: name, status: 403, times: 1 });
  const terminal = openInProcess(context, stage, `wm task get ${sample.task}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, new RegExp(`^assignees: +${sample.ben}$`, 'm'));
  assert.match(terminal.text, /^status: +Active$/m);
  assert.match(terminal.text, new RegExp(`^folders: +${sample.folder}$`, 'm'));
  assert.doesNotMatch(terminal.text, /wm:|\b403\b/);
});

test('a task in the recycle bin is marked as such', { skip }, async (context) => {
  const stage = await setStage(context);
  const terminal = openInProcess(context, stage, `wm task get ${sample.deletedTask}`);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /^scope: +RbTask \(in the recycle bin\)$/m);
});

/** The lines of the task on a terminal, where the service shows it, its users and statuses in another way. */
async function linesWith(
  context: TestContext,
  path: 'contacts' | 'workflows' | 'tasks',
  alter: (record: Shown) => Shown,
): Promise<string> {
  const { wm } = await emulated(context);
  const http = aroundHttp(async ({ url }, pass) => {
    const response = await pass();
    if (!new RegExp(`/${path}\\b`).test(url) || 'fault' in response) return response;
    const body = JSON.parse(Buffer.from(response.body).toString());
    return { ...response, body: Buffer.from(JSON.stringify({ ...body, data: body.data.map(alter) })) };
  });
  const { streams, texts } = collectStreams({ isTerminal: true });
  const ran = await wm(['task', 'get', sample.task], {
    world: { http, streams },
    environment: { NO_COLOR: '1' },
  });
  assert.equal(ran.status, 0, texts.errors);
  return texts.output;
}

// biome-ignore lint/suspicious/noExplicitAny: records of every kind
type Shown = Record<string, any>;

const named: readonly [
  name: string,
  path: 'contacts' | 'workflows' | 'tasks',
  alter: (record: Shown) => Shown,
  lines: readonly RegExp[],
][] = [
  [
    'two users of one name: the id follows',
    'contacts',
    (user) => ({ ...user, firstName: 'Ada', lastName: 'Fields' }),
    [
      new RegExp(`^assignees: +Ada Fields \\(${sample.ben}\\)$`, 'm'),
      new RegExp(`^followers: +Ada Fields \\(${sample.ada}\\)$`, 'm'),
    ],
  ],
  [
    'users without a name are their ids',
    'contacts',
    ({ firstName: _, lastName: _last, ...user }) => user,
    [new RegExp(`^assignees: +${sample.ben}$`, 'm'), new RegExp(`^followers: +${sample.ada}$`, 'm')],
  ],
  [
    'a custom status without a name is its id',
    'workflows',
    (workflow) => ({
      ...workflow,
      customStatuses: workflow['customStatuses'].map(({ name: _, ...one }: Shown) => one),
    }),
    [/^status: +Active$/m, new RegExp(`^custom status: +${sample.active}$`, 'm')],
  ],
  [
    'a workflow without statuses',
    'workflows',
    ({ customStatuses: _, ...one }) => one,
    [/^status: +Active$/m],
  ],
  [
    'a task that shows its custom status alone',
    'tasks',
    ({ status: _, ...task }) => task,
    [/^status: +New$/m],
  ],
];

for (const [name, path, alter, lines] of named) {
  test(name, async (context) => {
    const shown = await linesWith(context, path, alter);
    for (const line of lines) assert.match(shown, line);
  });
}

test('prints only the id of a task that shows nothing else', async (context) => {
  const shown = await linesWith(context, 'tasks', ({ id }) => ({ id }));
  assert.equal(shown.trim().replace(/ +/g, ' '), `id: ${sample.task}`);
});

test('shows a change with names, too', { skip }, async (context) => {
  const stage = await setStage(context);
  const line = `wm task update ${sample.task} --add-responsibles ${sample.ada} --custom-status 'In review' --duration 1200 --start 2026-02-02`;
  const terminal = openInProcess(context, stage, line);
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.match(terminal.text, /assignees: +Ben Okafor, .* -> .*Ada Fields/);
  assert.match(terminal.text, /status: +New \(Active\) -> In review/);
  assert.match(terminal.text, /-> Planned,\s.* 2d4h \(1200 min\)/s);
});
