// `wm webhook undo`: what the last command changed is put back, compared with what others have changed since.

import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { historyFolder } from '../local-records/history/recorded.ts';
import { readLocal } from './local-records.ts';
import { withOldAndNew } from './matching/old-and-new.ts';
import { rotating, unlimited } from './rotation/rotating.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * 60_000) } });
const undo = ['webhook', 'undo', '--yes'];

test('a suspension with a note: restores statuses and notes; a second undo reverses that', async (context) => {
  const { wm, ids, suspend, suspended, environment } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.archive, '--note', 'LEGAL HOLD', '--yes'], at(0));
  await suspend(ids.tasks);
  const all = ['webhook', 'suspend', '--all', '--note', 'INC-78', '--yes'];
  assert.equal((await wm(all, at(1))).status, 0);
  const noteOf = async (id: string) => (await readLocal(environment))[id]?.note?.text;
  const both = 'LEGAL HOLD (Ada Fields, 2026-03-02T12:00:00.000Z); INC-78';
  assert.equal(await noteOf(ids.archive), both);

  const undone = await wm(undo, at(2));
  assert.equal(undone.status, 0, undone.errors);
  assert.deepEqual(await suspended(), ['archive', 'tasks']);
  assert.equal(await noteOf(ids.archive), 'LEGAL HOLD');
  assert.equal(await noteOf(ids.tasks), undefined);
  assert.equal(await noteOf(ids.billing), undefined);

  const redone = await wm(undo, at(3));
  assert.equal(redone.status, 0, redone.errors);
  assert.deepEqual(await suspended(), ['archive', 'billing', 'invoices', 'tasks']);
  assert.equal(await noteOf(ids.archive), both);
  assert.equal(await noteOf(ids.billing), 'INC-78');
  const { output } = await wm(['webhook', 'list', '-q'], at(4));
  assert.match(output, /LEGAL HOLD \(Ada Fields, \S+\); INC-78 \(/);
});

test('a resumption: restores the note with its time, and list shows it', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--note', 'LEGAL HOLD', '--yes'], at(0));
  await wm(['webhook', 'resume', ids.billing, '--no-verify', '--yes'], at(10));
  await wm(['webhook', 'list'], at(11));
  assert.equal((await wm(undo, at(20))).status, 0);
  assert.deepEqual(await suspended(), ['billing']);
  const { output } = await wm(['webhook', 'list', '-q'], at(30));
  assert.match(output, /\tLEGAL HOLD \(Ada Fields, 2026-03-02T12:00:00\.000Z\)\t/);
});

test('a label: restored, removed, and set again', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  const label = async () => (await readLocal(environment))[ids.billing]?.label;
  await wm(['webhook', 'label', ids.billing, 'first']);
  await wm(['webhook', 'label', ids.billing, 'second']);
  assert.equal((await wm(undo)).status, 0);
  assert.equal(await label(), 'first');
  assert.equal((await wm(undo)).status, 0);
  assert.equal(await label(), 'second');
  await wm(['webhook', 'label', ids.billing, '--remove']);
  assert.equal((await wm(undo)).status, 0);
  assert.equal(await label(), 'second');
});

/** As a command whose history could not be written, or one of another machine. */
async function unrecorded(stage: Parameters<typeof historyFolder>[0], run: () => Promise<unknown>) {
  const folder = historyFolder(stage);
  await rename(folder, `${folder}.aside`);
  await run();
  await rm(folder, { recursive: true });
  await rename(`${folder}.aside`, folder);
}

test('names and skips changes by others; asks about a changed note, unless --overwrite', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, emulator, suspended, environment } = service;
  await wm(['webhook', 'suspend', ids.billing, ids.tasks, ids.archive, '--note', 'x', '--yes'], at(0));
  await call(emulator, 'PUT', `/webhooks/${ids.tasks}?status=Active`);
  await call(emulator, 'DELETE', `/webhooks/${ids.archive}`);
  const ran = await wm(undo, at(1));
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(ran.errors.includes(`Changed back since by others, so left alone: ${ids.tasks}\n`), ran.errors);
  assert.ok(ran.errors.includes(`Not found, so left alone: ${ids.archive}\n`), ran.errors);
  assert.deepEqual(await suspended(), []);

  await wm(['webhook', 'label', ids.billing, 'a'], at(2));
  await unrecorded(service, () => wm(['webhook', 'label', ids.billing, 'b'], at(3)));
  const refused = await wm(undo, at(4));
  assert.equal(refused.status, 2, refused.errors);
  assert.match(
    refused.errors,
    /its label has changed since your command, which set it to: a\. It is now: b\.$/m,
  );
  assert.match(
    refused.errors,
    /^wm: Not undone: .*\n {2}Nothing was changed\. To overwrite that, add --overwrite\.$/m,
  );
  assert.equal((await readLocal(environment))[ids.billing]?.label, 'b');
  assert.equal((await wm([...undo, '--overwrite'], at(5))).status, 0);
  assert.equal((await readLocal(environment))[ids.billing]?.label, undefined);
});

test('reads a change without a response first, and undoes only what took effect', async (context) => {
  const { wm, ids, suspended, control } = await withOldAndNew(context);
  for (const [id, when] of [
    [ids.tasks, 'before'],
    [ids.billing, 'after'],
  ])
    await control('faults', { request: `PUT /webhooks/${id}`, cutAfter: 0, when, times: 9 });
  await wm(['webhook', 'suspend', ids.tasks, ids.billing, '--yes']);
  const ran = await wm(undo);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Resumed: .*billing/m);
  assert.doesNotMatch(ran.errors, /\/tasks|others/);
  assert.deepEqual(await suspended(), []);
});

test('the next undo continues an incomplete one, and a third reverses it', async (context) => {
  const { wm, ids, suspended, control } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, ids.tasks, ids.archive, '--yes']);
  await control('faults', { request: `PUT /webhooks/${ids.tasks}`, status: 403, error: 'not_allowed' });
  const first = await wm(undo);
  assert.equal(first.status, 8, first.errors);
  assert.match(first.errors, /^ {2}You can run it again safely: wm webhook undo --yes$/m);
  assert.deepEqual(await suspended(), ['tasks']);
  assert.equal((await wm(undo)).status, 0);
  assert.deepEqual(await suspended(), []);
  assert.equal((await wm(undo)).status, 0);
  assert.deepEqual(await suspended(), ['archive', 'billing', 'tasks']);
});

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

test('create, delete, apply and rotate-secret cannot be undone, nor changes before them', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  const created = await wm(['webhook', 'create', 'http://hooks.example.com/new', '--json']);
  const { id } = JSON.parse(created.output);
  const afterCreate = await wm(undo);
  assert.equal(afterCreate.status, 2, afterCreate.errors);
  assert.match(
    afterCreate.errors,
    /^wm: Cannot undo wm webhook create of \S+, the last command that changed webhooks$/m,
  );
  assert.ok(
    afterCreate.errors.includes(`To delete what it created: wm webhook delete ${id}\n`),
    afterCreate.errors,
  );
  await wm(['webhook', 'delete', id, '--yes']);
  const afterDelete = await wm(undo);
  assert.equal(afterDelete.status, 2, afterDelete.errors);
  assert.match(
    afterDelete.errors,
    /To create another: wm webhook create http:\/\/hooks\.example\.com\/new$/m,
  );
  assert.deepEqual(await suspended(), ['billing']);
});

test('nothing to undo without a change; a dry run shows the requests', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  assert.equal((await wm(undo)).status, 2);
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  const shown = await wm(['webhook', 'undo', '--dry-run']);
  assert.equal(shown.status, 0, shown.errors);
  assert.match(shown.output, new RegExp(`^PUT \\S+/webhooks/${ids.billing}\\?status=Active\\n`));
  const asked = await wm(['webhook', 'undo']);
  assert.equal(asked.status, 2);
  assert.match(
    asked.errors,
    /Not confirmed: Undo wm webhook suspend of \S+ for .*\? Suspended -> Active\.$/m,
  );
  assert.deepEqual(await suspended(), ['billing']);
});

test('apply and rotate-secret cannot be undone, nor changes before them', async (context) => {
  const { wm, ids, suspended, folder } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  const file = join(folder, 'hooks.yaml');
  const url = 'https://hooks.example.com/applied';
  await writeFile(file, `version: 1\nwebhooks:\n  - {url: "${url}", scope: account, events: all}\n`);
  const applied = await wm(['webhook', 'apply', file, '--yes']);
  assert.equal(applied.status, 0, applied.errors);
  const afterApply = await wm(undo);
  assert.equal(afterApply.status, 2, afterApply.errors);
  assert.match(
    afterApply.errors,
    /^wm: Cannot undo wm webhook apply of \S+, .*\n {2}Apply the file as it was before that: wm webhook apply FILE$/m,
  );
  assert.deepEqual(await suspended(), ['billing']);
});

test('after a rotation: the old webhook stays suspended', async (context) => {
  const service = await rotating(context);
  const id = await service.create('/billing');
  const rotated = await service.rotate(id, ...unlimited);
  assert.equal(rotated.status, 0, rotated.errors);
  const before = await service.state();
  const refused = await service.wm(undo);
  assert.equal(refused.status, 2, refused.errors);
  assert.match(
    refused.errors,
    /^wm: Cannot undo wm webhook rotate-secret of \S+, .*\n {2}To give up a rotation that is under way: .* --abort$/m,
  );
  assert.deepEqual(await service.state(), before);
});

test('nothing to undo if all changes of the last command failed; never undoes the one before', async (context) => {
  const { wm, ids, suspended, control } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  await control('faults', { request: `PUT /webhooks/${ids.tasks}`, status: 403, error: 'not_allowed' });
  assert.notEqual((await wm(['webhook', 'suspend', ids.tasks, '--yes'])).status, 0);
  for (const more of [[], ['--dry-run']]) {
    const refused = await wm([...undo, ...more]);
    assert.equal(refused.status, 2, refused.errors);
    assert.match(
      refused.errors,
      /^wm: Nothing to undo: wm webhook suspend of \S+, the last command, changed nothing\n {2}To see the changes: wm history --command webhook$/m,
    );
  }
  assert.deepEqual(await suspended(), ['billing']);

  // What resume --all sets apart goes by the last one that suspended something.
  const resumed = await wm(['webhook', 'resume', '--all', '--status', 'suspended', '--no-verify', '--yes']);
  assert.doesNotMatch(resumed.errors, /Not suspended by your last command/);
});

test('continues an undo whose changes all failed; reverses it once others have restored the rest', async (context) => {
  const { wm, ids, suspended, control, resumeAll } = await withOldAndNew(context);
  const deny = (id: string) =>
    control('faults', { request: `PUT /webhooks/${id}`, status: 403, error: 'not_allowed' });
  await wm(['webhook', 'suspend', ids.billing, ids.tasks, '--yes']);
  for (const id of [ids.billing, ids.tasks]) await deny(id);
  assert.equal((await wm(undo)).status, 8);
  await deny(ids.tasks);
  assert.equal((await wm(undo)).status, 8);
  assert.deepEqual(await suspended(), ['tasks']);
  const shown = await wm(['webhook', 'undo', '--dry-run']);
  assert.match(shown.output, new RegExp(`^PUT \\S+/webhooks/${ids.tasks}\\?status=Active\\n`));
  assert.doesNotMatch(shown.output, /Suspended/);
  await resumeAll();
  const redone = await wm(undo);
  assert.equal(redone.status, 0, redone.errors);
  assert.deepEqual(await suspended(), ['billing']);
});

test('restores only what the command changed: keeps a status that others have set since', async (context) => {
  const { wm, ids, suspended, suspend, environment } = await withOldAndNew(context);
  await wm(['webhook', 'label', ids.billing, 'first']);
  await suspend(ids.billing);
  const undone = await wm(undo);
  assert.equal(undone.status, 0, undone.errors);
  assert.doesNotMatch(undone.errors, /has changed since/);
  assert.deepEqual(await suspended(), ['billing']);
  assert.equal((await readLocal(environment))[ids.billing]?.label, undefined);
});

test('the undo fails while another webhook has the label, and works once it is free', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, environment } = service;
  await wm(['webhook', 'label', ids.billing, 'first']);
  await wm(['webhook', 'label', ids.billing, 'second']);
  await unrecorded(service, () => wm(['webhook', 'label', ids.tasks, 'first']));
  const refused = await wm(undo);
  assert.equal(refused.status, 2, refused.errors);
  assert.match(refused.errors, new RegExp(`Webhook ${ids.tasks} already has the label 'first'`));
  await unrecorded(service, () => wm(['webhook', 'label', ids.tasks, '--remove']));
  const undone = await wm(undo);
  assert.equal(undone.status, 0, undone.errors);
  assert.equal((await readLocal(environment))[ids.billing]?.label, 'first');
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

test('all webhooks deleted meanwhile: names them, with nothing to undo', async (context) => {
  const { wm, ids, emulator } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, ids.tasks, '--yes']);
  for (const id of [ids.billing, ids.tasks]) await call(emulator, 'DELETE', `/webhooks/${id}`);
  const ran = await wm(undo);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, new RegExp(`^Not found, so left alone: ${ids.billing} and ${ids.tasks}$`, 'm'));
  assert.match(ran.errors, /^wm: Nothing to undo: nothing is as wm webhook suspend of \S+ left it$/m);
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

/** The file of the history, and its lines. */
async function historyOf(stage: Parameters<typeof historyFolder>[0]) {
  const folder = historyFolder(stage);
  const file = join(folder, (await readdir(folder)).toSorted().at(-1) ?? '');
  return { file, text: await readFile(file, 'utf8') };
}

test('reads a change with a torn end first; after a torn begin, the last command is unknown', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, suspended } = service;
  await wm(['webhook', 'suspend', ids.billing, '--yes']);
  await wm(['webhook', 'suspend', ids.tasks, '--yes']);
  const { file, text } = await historyOf(service);
  await writeFile(file, text.slice(0, -20));
  const undone = await wm(undo);
  assert.equal(undone.status, 0, undone.errors);
  assert.deepEqual(await suspended(), ['billing']);

  await appendFile(file, '\n{"change":"m1-x","at":"2026-03-02T12:00');
  const refused = await wm(undo);
  assert.equal(refused.status, 2, refused.errors);
  assert.match(
    refused.errors,
    /^wm: Cannot undo: the last line of the history is damaged, so the last command is unknown$/m,
  );
  assert.deepEqual(await suspended(), ['billing']);
  await wm(['webhook', 'label', ids.billing, 'first']);
  assert.equal((await wm(undo)).status, 0);
});

test('reads changes made by others during the question before sending anything', async (context) => {
  const stage = await setStage(context);
  const create = async (name: string): Promise<string> =>
    (await call(stage.emulator, 'POST', `/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2F${name}`)).body
      .data[0].id;
  const ids = [await create('a'), await create('b'), await create('c')];
  const [a = '', b = '', c = ''] = ids;
  const statuses = async () =>
    (await call(stage.emulator, 'GET', `/webhooks/${[a, b].join(',')}`)).body.data.map(
      ({ status }: { readonly status: string }) => status,
    );
  await call(stage.emulator, 'PUT', `/webhooks/${b}?status=Suspended`);
  const wm = (line: string) => openInProcess(context, stage, line, { columns: 200 });
  assert.equal(await wm(`wm webhook suspend ${a} ${c} --yes`).ended, 0);
  assert.equal(await wm(`wm webhook resume ${b} --no-verify --yes`).ended, 0);
  assert.equal(await wm(`wm webhook suspend ${a} ${b} ${c} --note x --yes`).ended, 0);
  const terminal = wm('wm webhook undo');
  await terminal.shows('for these 3 webhooks? (y/N)');
  await call(stage.emulator, 'PUT', `/webhooks/${b}?status=Active`);
  await call(stage.emulator, 'DELETE', `/webhooks/${c}`);
  terminal.type(`y${key.enter}`);
  await terminal.shows(`Changed back since by others, so left alone: ${b}`);
  await terminal.shows(`Not found, so left alone: ${c}`);
  await terminal.shows('The webhooks changed while you were deciding.');
  await terminal.shows('note: x -> none.');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await statuses(), ['Suspended', 'Active']);
});

test('resume --all separates webhooks not suspended by the last command: no skips them, --yes resumes them too', async (context) => {
  const stage = await setStage(context);
  const create = async (name: string): Promise<string> =>
    (await call(stage.emulator, 'POST', `/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2F${name}`)).body
      .data[0].id;
  const [colleagues, ours] = [await create('a'), await create('b')];
  const statuses = async () =>
    (await call(stage.emulator, 'GET', '/webhooks')).body.data.map(
      ({ status }: { readonly status: string }) => status,
    );
  await call(stage.emulator, 'PUT', `/webhooks/${colleagues}?status=Suspended`);
  const suspend = openInProcess(context, stage, `wm webhook suspend ${ours} --yes`, {});
  assert.equal(await suspend.ended, 0);
  const terminal = openInProcess(context, stage, 'wm webhook resume --all --no-verify', { columns: 200 });
  await terminal.shows('Not suspended by your last command (wm webhook suspend of ');
  await terminal.shows('Resume it too? (y/N)');
  terminal.type(`n${key.enter}`);
  await terminal.shows('Resume https://hooks.example.com/b');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await statuses(), ['Suspended', 'Active']);

  const again = openInProcess(context, stage, `wm webhook undo --yes`, {});
  assert.equal(await again.ended, 0);
  const all = openInProcess(context, stage, 'wm webhook resume --all --no-verify --yes', { columns: 200 });
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
  await terminal.shows('Resume these 2 too? (y/N)');
  terminal.type(`n${key.enter}`);
  await terminal.shows('Resume https://hooks.example.com/billing');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await suspended(), ['archive', 'tasks']);

  // The last suspension is known to the history: none of these is of it.
  assert.equal((await wm(undo, at(2))).status, 0);
  const both = resume();
  await both.shows('Resume these 2 too? (y/N)');
  both.type(`y${key.enter}`);
  await both.shows('Resume these 3 webhooks? (y/N)');
  both.type(`y${key.enter}`);
  assert.equal(await both.ended, 0);
  assert.deepEqual(await suspended(), []);
});
