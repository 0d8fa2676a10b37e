// `wm webhook undo`: what the last command changed is put back, compared with what others have changed since.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { withOldAndNew } from './matching/old-and-new.ts';
import { onStage } from './on-stage.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * 60_000) } });
const undo = ['webhook', 'undo', '--yes'];

for (const notSent of [[], ['archive']] as const)
  test(`the next undo does not redo one that took effect without a response; not sent: ${notSent}`, async (context) => {
    const { wm, ids, suspended, control, emulator } = await withOldAndNew(context);
    await wm(['webhook', 'suspend', ids.billing, ids.tasks, ids.archive, '--yes']);
    for (const name of ['billing', 'tasks', 'archive'] as const) {
      const when = [...notSent].some((left) => left === name) ? 'before' : 'after';
      await control('faults', { request: `PUT /webhooks/${ids[name]}`, cutAfter: 0, when, times: 9 });
      await control('faults', { request: `GET /webhooks/${ids[name]}`, cutAfter: 0, times: 9 });
    }
    assert.equal((await wm(undo, { world: { clock: createHurriedClock() } })).status, 8);
    assert.deepEqual(await suspended(), [...notSent]);
    await fetch(`${emulator.controlUrl}/faults`, { method: 'DELETE' });
    const second = await wm(undo);
    assert.equal(second.status, 0, second.errors);
    const done =
      notSent.length === 0
        ? `${ids.billing}, ${ids.tasks} and ${ids.archive}`
        : `${ids.billing} and ${ids.tasks}`;
    assert.ok(
      second.errors.includes(`Had already been undone, so nothing is sent: ${done}\n`),
      second.errors,
    );
    assert.doesNotMatch(second.errors, /others/);
    assert.deepEqual(await suspended(), []);
    assert.equal((await wm(undo)).status, 0);
    assert.deepEqual(await suspended(), ['archive', 'billing', 'tasks']);
  });

test('skips a webhook whose status could not be read before its suspension, and says so', async (context) => {
  const { wm, ids, suspended, control } = await withOldAndNew(context);
  await control('faults', { request: 'getWebhooks', status: 500, times: 3 });
  const clock = { ...createWorld().clock, sleep: async () => {} };
  const ran = await wm(['webhook', 'suspend', ids.billing, ids.tasks, '--yes'], { world: { clock } });
  assert.match(ran.errors, /could not be read beforehand/);
  const undone = await wm(undo);
  assert.equal(undone.status, 0, undone.errors);
  assert.match(
    undone.errors,
    new RegExp(`^Its status before that is unknown, so left alone: ${ids.billing}$`, 'm'),
  );
  assert.deepEqual(await suspended(), ['billing']);
});

test('after a suspension of unknown outcome, the note of an earlier one does not count as a change by others', async (context) => {
  const { wm, ids, suspended, emulator } = await withOldAndNew(context);
  const suspend = (note: string) => ['webhook', 'suspend', ids.billing, '--note', note, '--yes'];
  await wm(suspend('first'), at(0));
  await call(emulator, 'PUT', `/webhooks/${ids.billing}?status=Active`);
  let isSent = false;
  const http = aroundHttp(async ({ method }, pass) => {
    if (isSent) return { fault: 'reset', sent: true, detail: 'lost' };
    isSent = method === 'PUT';
    return pass();
  });
  const clock = { ...createHurriedClock(), now: () => noon + 60_000 };
  assert.equal((await wm(suspend('second'), { world: { clock, http } })).status, 9);
  assert.deepEqual(await suspended(), ['billing']);
  const undone = await wm(undo, at(2));
  assert.equal(undone.status, 0, undone.errors);
  assert.deepEqual(await suspended(), []);
});

test('another host has its own last command', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  const other = await emulated(context);
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  const { WM_HOST = '', WM_TOKEN = '' } = other.environment;
  const there = { environment: { WM_HOST, WM_TOKEN } };
  const none = await wm(undo, there);
  assert.equal(none.status, 2);
  assert.match(none.errors, /Nothing to undo: no command from this machine has changed a webhook/);
  const created = await wm(['webhook', 'create', 'http://hooks.example.com/new', '--json'], there);
  assert.equal(created.status, 0, created.errors);
  assert.match((await wm(undo, there)).errors, /Cannot undo wm webhook create/);
  assert.equal((await wm(undo)).status, 0);
  assert.deepEqual(await suspended(), []);
});

test('reads changes made by others during the question before sending anything', async (context) => {
  const { open, stage, ids, statuses, setStatus } = await onStage(context, 'a', 'b', 'c');
  const [a = '', b = '', c = ''] = ids;
  await setStatus(b, 'Suspended');
  for (const line of [`suspend ${a} ${c}`, `resume ${b} --no-verify`, `suspend ${a} ${b} ${c} --note x`])
    assert.equal(await open(`wm webhook ${line} --yes`).ended, 0);
  const terminal = open('wm webhook undo');
  await terminal.shows('for these 3 webhooks? (y/N)');
  await setStatus(b, 'Active');
  await call(stage.emulator, 'DELETE', `/webhooks/${c}`);
  terminal.type(`y${key.enter}`);
  await terminal.shows(`Changed back since by others, so left alone: ${b}`);
  await terminal.shows(`Not found, so left alone: ${c}`);
  await terminal.shows('The webhooks changed while you were deciding.');
  await terminal.shows('note: x -> none.', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await statuses(), ['Suspended', 'Active']);
});

test('resume --all separates webhooks not suspended by the last command: no skips them, --yes resumes them too', async (context) => {
  const { open, ids, statuses, setStatus } = await onStage(context, 'a', 'b');
  const [colleagues, ours] = ids;
  await setStatus(colleagues, 'Suspended');
  assert.equal(await open(`wm webhook suspend ${ours} --yes`).ended, 0);
  const terminal = open('wm webhook resume --all --no-verify');
  await terminal.shows('Not suspended by your last command (wm webhook suspend of ');
  await terminal.shows('Resume it too? (y/N)', `n${key.enter}`);
  await terminal.shows('Resume https://hooks.example.com/b', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await statuses(), ['Suspended', 'Active']);

  assert.equal(await open('wm webhook undo --yes').ended, 0);
  const all = open('wm webhook resume --all --no-verify --yes');
  await all.shows('Not suspended by your last command (wm webhook undo of ');
  assert.equal(await all.ended, 0);
  assert.deepEqual(await statuses(), ['Active', 'Active']);
});

test('resume --all separates several of these with their notes, and asks one question for all', async (context) => {
  const { wm, ids, suspend, suspended, environment, folder } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.archive, '--note', 'LEGAL HOLD', '--yes'], at(0));
  await suspend(ids.tasks);
  await wm(['webhook', 'suspend', ids.billing, '--yes'], at(1));
  const texts = Object.entries(environment).map(([name, value = '']) => [name, value] as const);
  const stage = { environment: Object.fromEntries(texts), folder };
  const resume = () =>
    openInProcess(context, stage, 'wm webhook resume --all --no-verify', { columns: 200, rows: 40 });
  const terminal = resume();
  await terminal.shows('Not suspended by your last command (wm webhook suspend of 2026-03-02T12:01:00Z):');
  await terminal.shows(`(${ids.archive}): LEGAL HOLD (Ada Fields, `);
  await terminal.shows(`(${ids.tasks})`);
  await terminal.shows('Resume these 2 too? (y/N)', `n${key.enter}`);
  await terminal.shows('Resume https://hooks.example.com/billing', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), ['archive', 'tasks']);

  // The last suspension is known to the history: none of these is of it.
  assert.equal((await wm(undo, at(2))).status, 0);
  const both = resume();
  await both.shows('Resume these 2 too? (y/N)', `y${key.enter}`);
  await both.shows('Resume these 3 webhooks? (y/N)', `y${key.enter}`);
  assert.equal(await both.ended, 0);
  assert.deepEqual(await suspended(), []);
});
