// `wm task undo` of several tasks on a terminal: one plan with each task once, one question, and a task that changes meanwhile is
// asked about by itself.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';

const ids = [sample.task, sample.backlog, sample.milestone] as const;
const [first, second, third] = ids;

async function updated(context: TestContext) {
  const { wm, task, environment, folder } = await emulated(context);
  const titles = async () => (await Promise.all(ids.map((id) => task(id)))).map(({ title }) => title);
  const old = await titles();
  const input = `id,title\n${ids.map((id) => `${id},Bulk\n`).join('')}`;
  await wm(['task', 'update', '--from', '-', '--yes'], { input, exit: 0 });
  const stage = { folder, environment: { ...environment, WM_TOKEN: environment['WM_TOKEN'] ?? '' } };
  const open = (line: string) =>
    openInProcess(context, stage, line, { columns: 200, environment: { NO_COLOR: '1' } });
  /** As another machine does it: not in the undo log. */
  const retitle = (id: string) => wm(['task', 'update', id, '--title', 'Later', '--no-undoable']);
  return { open, old, retitle, titles };
}

const plansIn = (text: string) => text.match(/Undo the update of /g)?.length;

test('--run: one prompt in the plan for changes by others; then one prompt for the rest', async (context) => {
  const { open, old, retitle, titles } = await updated(context);
  await retitle(second);
  const undo = open('wm task undo --run last');
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', key.enter);
  await undo.shows(`wm: Not confirmed, so ${second} was not undone`);
  await undo.shows('Undo what that bulk run changed in each of 2 tasks? (y/N)');
  assert.deepEqual(await titles(), ['Bulk', 'Later', 'Bulk']);
  undo.type(`y${key.enter}`);
  await undo.shows(`Undone: ${first}  ${old[0]}`);
  await undo.shows(`Undone: ${third}  ${old[2]}`);
  assert.equal(await undo.ended, 8, undo.text);
  assert.equal(plansIn(undo.text), 3, undo.text);
  assert.deepEqual(await titles(), [old[0], 'Later', old[2]]);
});

test('several ids: a no sends nothing; asks again about a task that changes during the prompt', async (context) => {
  const { open, old, retitle, titles } = await updated(context);
  const question = 'Undo the last update of each of 2 tasks? (y/N)';
  const refused = open(`wm task undo ${first} ${second}`);
  await refused.shows(question, key.enter);
  assert.equal(await refused.ended, 2, refused.text);
  const undo = open(`wm task undo ${first} ${second}`);
  await undo.shows(question);
  assert.deepEqual(await titles(), ['Bulk', 'Bulk', 'Bulk']);
  await retitle(second);
  undo.type(`y${key.enter}`);
  await undo.shows(`Undone: ${first}  ${old[0]}`);
  await undo.shows('The task changed while you were deciding.');
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  await undo.shows('Undo the last update of "Later"? (y/N)', `y${key.enter}`);
  await undo.shows(`Undone: ${second}  ${old[1]}`);
  assert.equal(await undo.ended, 0, undo.text);
  assert.equal(plansIn(undo.text), 3, undo.text);
  assert.deepEqual(await titles(), [old[0], old[1], 'Bulk']);
});

test('--yes on a terminal prompts only for changes by others', async (context) => {
  const { open, old, retitle, titles } = await updated(context);
  await retitle(second);
  const undo = open('wm task undo --run last --yes');
  await undo.shows('Overwrite what has changed since your update (title)? (y/N)', `y${key.enter}`);
  assert.equal(await undo.ended, 0, undo.text);
  assert.equal(plansIn(undo.text), 3, undo.text);
  assert.deepEqual(await titles(), old);
});
