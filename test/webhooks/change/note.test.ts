// `wm webhook suspend --note`: who suspended it, when and why, as long as it is suspended.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { readLocal, writeLocal } from '../local-records.ts';
import { withOldAndNew } from '../matching/old-and-new.ts';

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

test('stores the note with name and time; list and get show it, and resume removes it', async (context) => {
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

  // Repeating is harmless, and another note is added to it.
  assert.equal((await wm(['webhook', 'suspend', ids.billing, '--yes'], at(1))).status, 0);
  assert.deepEqual(await notes(service), [[ids.billing, note]]);
  const again = await wm(['webhook', 'suspend', ids.billing, '--note', 'see 4712', '--yes'], at(2));
  assert.ok(again.errors.endsWith(`Only its note is new: see 4712. It keeps this one too: ${note}.\n`));
  assert.deepEqual(await notes(service), [[ids.billing, `${note}; see 4712 (Ada Fields, ${time(2)})`]]);
  const history = JSON.parse((await wm(['history', ids.billing, '--json'])).output);
  assert.deepEqual(
    history.map((entry: { readonly note?: string }) => entry.note),
    ['ticket 4711', 'see 4712'],
  );

  const resumed = await wm(['webhook', 'resume', ids.billing, '--no-verify', '--yes'], at(3));
  assert.ok(resumed.output.endsWith(`\t${time(3)}, by wm\t\t\n`), resumed.output);
  assert.equal((await readLocal(environment))[ids.billing]?.note, undefined);
});

test('adds one note to several webhooks, and removes it from several', async (context) => {
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
    (await wm(['webhook', 'resume', ids.archive, ids.invoices, ids.tasks, '--no-verify', '--yes'])).status,
    0,
  );
  assert.deepEqual(await notes(service), []);
});

test('does not show a note at the next suspension', async (context) => {
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

test('uses the user name of the system if the account gives no name', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  const host = await inFront(context, environment['WM_HOST'], ({ url }, response) =>
    url?.includes('/contacts') ? fail(response, 403, 'access_forbidden') : false,
  );
  for (const [USER, by] of [
    ['ada', 'ada'],
    ['', 'unknown'],
  ] as const) {
    const setting = { environment: { WM_HOST: host, USER } };
    const ran = await wm(['webhook', 'suspend', ids.tasks, '--note', 'x', '--yes', '--json'], setting);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(JSON.parse(ran.output).local.note.by, by);
  }
});

test('stores nothing if the request is only shown; an empty note is invalid', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  await writeLocal(environment, {});
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', 'x', '--dry-run'])).status, 0);
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', '', '--yes'])).status, 2);
  assert.equal((await wm(['webhook', 'suspend', ids.tasks, '--note', 'x'])).status, 2);
  assert.equal((await readLocal(environment))[ids.tasks]?.note, undefined);
});

test('stores no note if another wm resumes the webhook first', async (context) => {
  const { wm, ids, environment } = await withOldAndNew(context);
  let name: ServerResponse | undefined;
  let isSent = false;
  let resumed: Promise<void> | undefined;
  const resume = async (WM_HOST: string) => {
    const argv = ['webhook', 'resume', ids.billing, '--no-verify', '--yes'];
    const ran = await wm(argv, { environment: { WM_HOST } });
    assert.equal(ran.status, 0, ran.errors);
    assert.ok(name);
    fail(name, 403, 'access_forbidden');
  };
  const host: string = await inFront(context, environment['WM_HOST'], ({ url = '' }, response) => {
    // The suspension waits for the user's name, until the other wm is done.
    if (url.includes('/contacts')) name = response;
    else if (url.includes('status=Suspended')) isSent = true;
    else if (isSent && url.includes(ids.billing) && !resumed)
      response.on('finish', () => {
        resumed = resume(host);
      });
    return url.includes('/contacts');
  });
  const setting = { environment: { WM_HOST: host, USER: 'ada' } };
  const ran = await wm(['webhook', 'suspend', ids.billing, '--note', 'late', '--yes'], setting);
  assert.equal(ran.status, 0, ran.errors);
  await resumed;
  const { output } = await wm(['webhook', 'get', ids.billing, '--json'], setting);
  const { status, local } = JSON.parse(output);
  assert.deepEqual([status, local.note], ['Active', undefined]);
  const named = `Webhook ${ids.billing} (https://hooks.example.com/billing)`;
  assert.ok(
    ran.errors.endsWith(`${named} was resumed by someone else meanwhile: it has no note.\n`),
    ran.errors,
  );
});

test('adds a note to webhooks already suspended, unless --no-note-change', async (context) => {
  const service = await withOldAndNew(context);
  const { wm, ids } = service;
  await wm(['webhook', 'suspend', ids.archive, '--note', 'LEGAL HOLD', '--yes'], at(0));
  const hold = `LEGAL HOLD (Ada Fields, ${time(0)})`;
  const all = ['webhook', 'suspend', ids.archive, ids.billing, '--note', 'INC-78'];
  const left = await wm([...all, '--no-note-change', '--yes'], at(1));
  assert.match(left.errors, /archive.* is already Suspended\. Nothing was changed\.$/m);
  const incident = `INC-78 (Ada Fields, ${time(1)})`;
  assert.deepEqual(await notes(service), [
    [ids.archive, hold],
    [ids.billing, incident],
  ]);
  const refused = await wm(['webhook', 'suspend', ids.archive, '--note', 'x'], at(2));
  assert.equal(refused.status, 2);
  assert.ok(refused.errors.includes(`Its note: ${hold}.`), refused.errors);
});

test('stores no note for a failed suspension', async (context) => {
  const { wm, ids, control, environment } = await withOldAndNew(context);
  await control('faults', { request: 'updateWebhook', status: 403, error: 'not_allowed' });
  const ran = await wm(['webhook', 'suspend', ids.tasks, ids.billing, '--note', 'x', '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  const local = await readLocal(environment);
  assert.equal(local[ids.tasks]?.note, undefined);
  assert.equal(local[ids.billing]?.note?.text, 'x');
});

const warning = 'DO NOT RESUME before ticket 99 is closed';

test('resume shows the note and asks before removing it, even for an exact name; the history keeps it', async (context) => {
  const { wm, ids, suspended, environment } = await withOldAndNew(context);
  for (const id of [ids.billing, ids.tasks])
    assert.equal((await wm(['webhook', 'suspend', id, '--note', warning, '--yes'], at(0))).status, 0);
  const shown = `${warning} (Ada Fields, ${time(0)})`;
  const resume = ['webhook', 'resume', ids.billing, '--no-verify'];
  const refused = await wm(resume, at(1));
  assert.equal(refused.status, 2, refused.errors);
  assert.ok(refused.errors.includes(`Its note: ${shown}.`), refused.errors);
  assert.deepEqual(await suspended(), ['billing', 'tasks']);
  assert.equal((await readLocal(environment))[ids.billing]?.note?.text, warning);

  // Of several, each with its own; also with --quiet.
  const all = await wm(
    ['webhook', 'resume', '--all', '--status', 'suspended', '--no-verify', '--yes', '-q'],
    at(2),
  );
  assert.equal(all.status, 0, all.errors);
  assert.equal(all.errors.split(`has a note: ${shown}.`).length, 3, all.errors);
  const { output } = await wm(['history', ids.billing, '--json']);
  assert.equal(JSON.parse(output).at(-1).note, `resumed although it had a note: ${shown}`);
  // One without a note has none of another's.
  await wm(['webhook', 'suspend', ids.archive, '--yes'], at(3));
  await wm(['webhook', 'suspend', ids.billing, '--note', 'x', '--yes'], at(3));
  await wm(['webhook', 'resume', ids.billing, ids.archive, '--no-verify', '--yes'], at(4));
  const last = JSON.parse((await wm(['history', ids.archive, '--json'])).output).at(-1);
  assert.equal(last.note, undefined);
});

test('resume says since when events were lost, with the command that lists tasks changed since', async (context) => {
  const { wm, ids, suspend } = await withOldAndNew(context);
  await wm(['webhook', 'suspend', ids.billing, '--yes'], at(0));
  const ran = await wm(['webhook', 'resume', ids.billing, '--no-verify'], at(60));
  assert.match(
    ran.errors,
    /^It was suspended since 2026-03-02T12:00:00Z: events since then were not delivered\.$/m,
  );
  const listed = await wm(printedCommand(ran.errors, 'To list the tasks changed since: '));
  assert.equal(listed.status, 0, listed.errors);

  // Suspended elsewhere: between two looks.
  await wm(['webhook', 'list'], at(61));
  await suspend(ids.billing);
  await wm(['webhook', 'list'], at(70));
  const otherRun = await wm(['webhook', 'resume', ids.billing, '--no-verify'], at(80));
  assert.match(
    otherRun.errors,
    /^It was suspended some time after 2026-03-02T13:0\d:00Z: events since then were not delivered\.$/m,
  );
});

test('takes the name from the profile without a request', async (context) => {
  const service = await emulated(context, {}, { signedOut: true });
  const { emulator, wm } = service;
  const login = ['login', '--with-token', '--host', emulator.host, '--store', 'file'];
  assert.equal((await wm(login, { input: emulator.token })).status, 0);
  const { body } = await call(emulator, 'POST', '/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2Fa');
  const id: string = body.data[0].id;
  const ran = await wm(['webhook', 'suspend', id, '--note', 'why', '--yes', '--verbose'], at(0));
  assert.match(ran.output, /\twhy \(Ada Fields, /);
  assert.doesNotMatch(ran.errors, /\/contacts/);
});

test('on a terminal, the picker and the confirmation show the note', async (context) => {
  const stage = await setStage(context);
  const { body } = await call(
    stage.emulator,
    'POST',
    '/webhooks?hookUrl=https%3A%2F%2Fhooks.example.com%2Fa',
  );
  const id = body.data[0].id;
  const done = openInProcess(context, stage, `wm webhook suspend ${id} --yes --note '${warning}'`, {
    columns: 200,
  });
  assert.equal(await done.ended, 0);
  for (const line of ['wm webhook resume --no-verify', `wm webhook resume ${id} --no-verify`]) {
    const terminal = openInProcess(context, stage, line, { columns: 250 });
    if (!line.includes(id)) {
      await terminal.screenShows(`note: ${warning}`);
      terminal.type(key.enter);
    }
    await terminal.shows(`Its note: ${warning} (`);
    terminal.type(`n${key.enter}`);
    assert.equal(await terminal.ended, 2);
  }
});
