// `wm webhook undo`: what the last command changed is put back, compared with what others have changed since.

import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { clockAt } from '../app/emulated.ts';
import { call } from '../emulator/start.ts';
import { openInProcess } from '../terminal/in-process.ts';
import { key } from '../terminal/terminal.ts';
import { setStage } from '../transcript/stage.ts';
import { readLocal } from './local-records.ts';
import { withOldAndNew } from './matching/old-and-new.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * 60_000) } });
const undo = ['webhook', 'undo', '--yes'];

test('a suspension with a note: statuses and notes are put back, and another undo brings them again', async (context) => {
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

test('a resumption: the note comes back with its time, and list shows it', async (context) => {
  const { wm, ids, suspended } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--note', 'LEGAL HOLD', '--yes'], at(0));
  await wm(['webhook', 'resume', ids.billing, '--no-verify', '--yes'], at(10));
  await wm(['webhook', 'list'], at(11));
  assert.equal((await wm(undo, at(20))).status, 0);
  assert.deepEqual(await suspended(), ['billing']);
  const { output } = await wm(['webhook', 'list', '-q'], at(30));
  assert.match(output, /\tLEGAL HOLD \(Ada Fields, 2026-03-02T12:00:00\.000Z\)\t/);
});

test('a label: it is put back, removed, and given again', async (context) => {
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

test('a change of others is named and left alone; one of a note is asked for, or --overwrite', async (context) => {
  const { wm, ids, emulator, suspended, environment } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, ids.tasks, ids.archive, '--note', 'x', '--yes'], at(0));
  await call(emulator, 'PUT', `/webhooks/${ids.tasks}?status=Active`);
  await call(emulator, 'DELETE', `/webhooks/${ids.archive}`);
  const ran = await wm(undo, at(1));
  assert.equal(ran.status, 0, ran.errors);
  assert.ok(ran.errors.includes(`Changed back since by others, so left alone: ${ids.tasks}\n`), ran.errors);
  assert.ok(ran.errors.includes(`Not found, so left alone: ${ids.archive}\n`), ran.errors);
  assert.deepEqual(await suspended(), []);

  await wm(['webhook', 'label', ids.billing, 'a'], at(2));
  // As a command whose history could not be written.
  const history = join(String(environment['WM_CONFIG_DIR']), 'state', 'history');
  await rename(history, `${history}.aside`);
  await wm(['webhook', 'label', ids.billing, 'b'], at(3));
  await rm(history, { recursive: true });
  await rename(`${history}.aside`, history);
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

test('a change without a response is read first: only what took effect is put back', async (context) => {
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

test('an undo that did not end is continued by the next one, and then undone by a third', async (context) => {
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

test('create, delete, apply and rotate-secret cannot be undone, nor what was before them', async (context) => {
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

test('without a change there is nothing to undo; a dry run shows the requests', async (context) => {
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

test('resume --all sets apart what the last suspension did not suspend: a no leaves it out, --yes resumes it too', async (context) => {
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
