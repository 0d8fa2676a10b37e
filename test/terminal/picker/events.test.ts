// The events of a new webhook are picked on a terminal where no flag says which: all, groups, single ones. Scripts are never
// asked.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key, type Setting } from '#test/support/terminal/terminal.ts';

const url = 'http://hooks.example.com/picked';
const create = `wm webhook create ${url}`;

async function onStage(context: TestContext) {
  const stage = await setStage(context);
  const open = (line: string, setting?: Setting) => openInProcess(context, stage, line, setting);
  /** Of the only webhook; `all` if it names none. */
  const events = async (): Promise<readonly string[] | 'all' | undefined> => {
    const [only, ...more] = (await call(stage.emulator, 'GET', '/webhooks')).body.data;
    assert.equal(more.length, 0);
    return only && (only.events ?? 'all');
  };
  return { open, events };
}

test('lists the groups first; Enter alone picks all events', async (context) => {
  const { open, events } = await onStage(context);
  const terminal = open(create);
  const lines = await terminal.screenShows(/\? Which events\?[\s\S]*TaskCreated/);
  const words = lines.slice(1, 12).map((line) => line.slice(6).split(/ {2,}/)[0]);
  assert.deepEqual(words.slice(0, 5), ['all', 'task', 'folder', 'project', 'workItem']);
  assert.equal(words[10], 'TaskCreated');
  terminal.type(key.enter);
  await terminal.shows('Which events? all  every event');
  assert.equal(await terminal.ended, 0);
  assert.equal(await events(), 'all');
});

test('marks several groups and events; sends each event once', async (context) => {
  const { open, events } = await onStage(context);
  const terminal = open(create);
  await terminal.screenShows('? Which events?', 'comment');
  await terminal.screenShows('❯ [ ] comment', key.tab);
  await terminal.screenShows('  [x] comment', '\x15CommentAdded');
  await terminal.screenShows('❯ [ ] CommentAdded', key.tab);
  await terminal.screenShows(/\[x\] CommentAdded/, '\x15TaskCreated');
  await terminal.screenShows('❯ [ ] TaskCreated', key.tab);
  await terminal.screenShows(/\[x\] TaskCreated/, key.enter);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await events(), [
    'CommentAdded',
    'CommentDeleted',
    'FolderCommentAdded',
    'FolderCommentDeleted',
    'TaskCreated',
  ]);
});

test('marking a group as well as all adds nothing', async (context) => {
  const { open, events } = await onStage(context);
  const terminal = open(create);
  await terminal.screenShows('❯ [ ] all', `${key.tab}${key.tab}`);
  await terminal.screenShows('  [x] task', key.enter);
  assert.equal(await terminal.ended, 0);
  assert.equal(await events(), 'all');
});

test('Esc leaves without creating anything', async (context) => {
  const { open, events } = await onStage(context);
  const terminal = open(create);
  await terminal.screenShows('❯ [ ] all', '\x1b');
  await terminal.shows('wm: Interrupted');
  assert.equal(await terminal.ended, 130);
  assert.equal(await events(), undefined);
});

test('with all events, sends payload fields only with the events that can carry them', async (context) => {
  const { open, events } = await onStage(context);
  const terminal = open(`${create} --payload-fields status`);
  await terminal.screenShows('❯ [ ] all', key.enter);
  assert.equal(await terminal.ended, 0, terminal.text);
  // The emulator shows those without fields in `events`: of a folder, that is.
  const named = (await events()) ?? [];
  assert.ok(named.includes('FolderCreated') && !named.includes('TaskCreated'), `${named}`);
});

test('checks the URL and the folder before the picker opens', async (context) => {
  const { open } = await onStage(context);
  for (const [line, message] of [
    ['wm webhook create nonsense', 'hookUrl'],
    [`${create} --folder Websit`, 'Did you mean "Website"'],
  ] as const) {
    const terminal = open(line);
    const { index } = await terminal.shows(message);
    assert.ok(!terminal.text.slice(0, index).includes('Which events'), terminal.text);
    terminal.type(key.interrupt);
    await terminal.ended;
  }
});

for (const flags of [
  '--events all',
  '--yes',
  '--if-not-exists',
  '--no-input',
  '--filter TaskCreated:recurrent=true',
  `--parameterised-events '[{"event":"TaskCreated"}]'`,
  '--dry-run',
  '--curl',
]) {
  test(`does not prompt with ${flags}`, async (context) => {
    const { open } = await onStage(context);
    const terminal = open(`${create} ${flags}`);
    assert.equal(await terminal.ended, 0, terminal.text);
    assert.ok(!terminal.text.includes('Which events'), terminal.text);
  });
}
