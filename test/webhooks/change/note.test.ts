// `wm webhook suspend --note`: who suspended it, when and why, as long as it is suspended.

import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { clockAt, emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { withOldAndNew } from '../matching/old-and-new.ts';
import { onStage } from '../on-stage.ts';

const noon = Date.UTC(2026, 2, 2, 12);
const minute = 60_000;
const at = (minutes: number) => ({ world: { clock: clockAt(noon + minutes * minute) } });

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

const warning = 'DO NOT RESUME before ticket 99 is closed';

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
  const { open, ids } = await onStage(context, 'a');
  assert.equal(await open(`wm webhook suspend ${ids[0]} --yes --note '${warning}'`).ended, 0);
  for (const id of ['', `${ids[0]} `]) {
    const terminal = open(`wm webhook resume ${id}--no-verify`, { columns: 250 });
    if (id === '') {
      await terminal.screenShows(`note: ${warning}`, key.enter);
    }
    await terminal.shows(`Its note: ${warning} (`, `n${key.enter}`);
    assert.equal(await terminal.ended, 2);
  }
});
