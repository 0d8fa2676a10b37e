// `wm webhook suspend --note`: who suspended it, when and why, as long as it is suspended.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockAt } from '../app/emulated.ts';
import { fail, inFront } from '../app/intercept.ts';
import { call } from '../emulator/start.ts';
import { readLocal, writeLocal } from './local-records.ts';
import { withOldAndNew } from './matching/old-and-new.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * minute) } });
const time = (minutes: number) => new Date(noon + minutes * minute).toISOString();

type Service = Awaited<ReturnType<typeof withOldAndNew>>;

/** The last columns of each webhook that has a note: its id and the note. */
async function notes({ wm }: Service, words: readonly string[] = ['list']) {
  const { output } = await wm(['webhook', ...words, '-q'], at(60));
  return output
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap((cells) => (cells[8] ? [[cells[0], cells[8]]] : []));
}

test('the note is stored with name and time, shown by list and get, and removed by resume', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, environment } = service;
  const ran = await wm(['webhook', 'suspend', ids.billing, '--note', 'ticket 4711', '--yes'], at(0));
  assert.equal(ran.status, 0, ran.errors);
  const note = `ticket 4711 (Ada Fields, ${time(0)})`;
  assert.ok(ran.output.endsWith(`\t${time(0)}, by wm\t${note}\t\n`), ran.output);
  assert.deepEqual(await notes(service), [[ids.billing, note]]);
  assert.deepEqual(await notes(service, ['get', ids.billing]), [[ids.billing, note]]);
  const json = JSON.parse((await wm(['webhook', 'get', ids.billing, '--json'])).output);
  assert.deepEqual(json.local.note, { text: 'ticket 4711', by: 'Ada Fields', at: time(0) });

  // Repeating is harmless, and another note replaces it.
  assert.equal((await wm(['webhook', 'suspend', ids.billing, '--yes'], at(1))).status, 0);
  assert.deepEqual(await notes(service), [[ids.billing, note]]);
  const again = await wm(['webhook', 'suspend', ids.billing, '--note', 'see 4712', '--yes'], at(2));
  assert.ok(again.errors.includes('is already Suspended'), again.errors);
  assert.deepEqual(await notes(service), [[ids.billing, `see 4712 (Ada Fields, ${time(2)})`]]);

  const resumed = await wm(['webhook', 'resume', ids.billing, '--no-verify'], at(3));
  assert.ok(resumed.output.endsWith(`\t${time(3)}, by wm\t\t\n`), resumed.output);
  assert.equal((await readLocal(environment))[ids.billing]?.note, undefined);
});

test('several get one note, and several lose it', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, suspend } = service;
  await suspend(ids.archive);
  const text = 'old host is\tgone';
  const ran = await wm(['webhook', 'suspend', '--all', '--url', 'old', '--note', text, '--yes'], at(0));
  assert.equal(ran.status, 0, ran.errors);
  const note = `old host is\\tgone (Ada Fields, ${time(0)})`;
  assert.deepEqual(await notes(service), [
    [ids.archive, note],
    [ids.invoices, note],
  ]);
  assert.equal(
    (await wm(['webhook', 'resume', ids.archive, ids.invoices, ids.tasks, '--no-verify'])).status,
    0,
  );
  assert.deepEqual(await notes(service), []);
});

test('a note is about one suspension: it is not shown for the next', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids, emulator, suspend } = service;
  await wm(['webhook', 'suspend', ids.billing, '--note', 'first', '--yes'], at(0));
  // Resumed and suspended elsewhere; wm saw it in between.
  await call(emulator, 'PUT', `/webhooks/${ids.billing}?status=Active`);
  assert.deepEqual(await notes(service), []);
  await suspend(ids.billing);
  assert.deepEqual(await notes(service), []);
  // Resumed elsewhere, then suspended here without a note.
  await wm(['webhook', 'suspend', ids.billing, '--note', 'second', '--yes'], at(70));
  assert.equal((await notes(service)).length, 1);
  await call(emulator, 'PUT', `/webhooks/${ids.billing}?status=Active`);
  await wm(['webhook', 'suspend', ids.billing, '--yes'], at(71));
  assert.deepEqual(await notes(service), []);
});

test('without a name from the account, the note has that of the system', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  const host = await inFront(context, environment['WM_HOST'], ({ url }, response) =>
    url?.includes('/contacts') ? fail(response, 403, 'access_forbidden') : false,
  );
  for (const [USER, by] of [
    ['ada', 'ada'],
    ['', 'unknown'],
  ] as const) {
    const more = { environment: { WM_HOST: host, USER } };
    const ran = await wm(['webhook', 'suspend', ids.tasks, '--note', 'x', '--yes', '--json'], more);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(JSON.parse(ran.output).local.note.by, by);
  }
});

test('a request that is only shown stores nothing; an empty note is invalid', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  await writeLocal(environment, {});
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', 'x', '--dry-run'])).status, 0);
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', '', '--yes'])).status, 2);
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', 'x'])).status, 2);
  assert.equal((await readLocal(environment))[ids.tasks]?.note, undefined);
});

test('a suspension that fails has no note', async (context) => {
  const { wm, ids, control, environment } = await withOldAndNew(context);
  await control('faults', { request: 'updateWebhook', status: 403, error: 'not_allowed' });
  const ran = await wm(['webhook', 'suspend', ids.tasks, ids.billing, '--note', 'x', '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  const local = await readLocal(environment);
  assert.equal(local[ids.tasks]?.note, undefined);
  assert.equal(local[ids.billing]?.note?.text, 'x');
});
