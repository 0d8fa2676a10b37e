// A public URL that the user gives, and a webhook that is there already: what is said of it, and what becomes of one that somebody
// has changed before the receiver ends.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { wayInFlags } from '#receiver/way-in/way-in-flags.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { events, opened, type Place, setStatus, startPlace, webhooks } from './opened.ts';

const skip = process.platform === 'win32';
const publicUrl = 'https://name-1.tunnel.example.com';

async function hookAt({ service }: Place, hookUrl: string): Promise<string> {
  const { body } = await call(service.emulator, 'POST', `/webhooks?hookUrl=${hookUrl}`);
  return body.data[0].id;
}

async function created(context: TestContext, more: Parameters<typeof opened>[2] = {}) {
  const place = await startPlace(context);
  const run = await opened(context, place, { ...events, tunnel: place.edge.command, ...more });
  await run.open();
  const [hook] = await webhooks(place);
  assert.ok(hook);
  return { ...run, place, id: hook.id };
}

test('a suspended webhook of the public URL: shown with its note, or resumed with --yes', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, publicUrl);
  await place.service.wm(['webhook', 'suspend', id, '--yes', '--note', 'ticket 4711']);
  const flags = { publicUrl, tunnel: place.edge.command };
  const named = await opened(context, place, flags);
  await named.open();
  // With a given URL nobody waits for the tunnel.
  await named.tunnels(1);
  await named.look();
  assert.match(
    named.texts.errors,
    new RegExp(
      `\\(${id}\\) is suspended, so nothing will be delivered\\. It has a note by .*: ticket 4711\\.\nTo resume it: wm webhook resume ${id}$`,
      'm',
    ),
  );
  await named.wayIn.close();
  place.edge.keepsName = true;
  const resumed = await opened(context, place, flags, { common: { yes: true } });
  await resumed.open();
  await resumed.tunnels(1);
  await resumed.look();
  assert.equal((await webhooks(place))[0]?.status, 'Active', resumed.texts.errors);
});

test('a failed resume is a warning: the receiver continues', { skip }, async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, publicUrl);
  await setStatus(place, id, 'Suspended');
  const flags = { publicUrl, tunnel: place.edge.command, resume: true };
  const { open, look, tunnels, texts } = await opened(context, place, flags, {
    service: (send) => (request, options) =>
      request.method === 'PUT'
        ? Promise.resolve({ fault: 'connection-refused', sent: false, detail: 'the test says so' })
        : send(request, options),
  });
  await open();
  await tunnels(1);
  await look();
  assert.equal((await webhooks(place))[0]?.status, 'Suspended');
  assert.match(
    texts.errors,
    new RegExp(`^Cannot resume https:\\S+ \\(${id}\\): .*\\.\nTo look at it: wm webhook get ${id}$`, 'm'),
  );
});

test('a public URL that does not reach this receiver says where it should point', async (context) => {
  const place = await startPlace(context);
  const { open, at, texts } = await opened(context, place, { publicUrl }, { signedOut: true });
  await open();
  assert.match(
    texts.errors,
    new RegExp(
      `^Deliveries do not get here\\. .*\nCheck the tunnel or proxy in front of this receiver: it must forward to 127\\.0\\.0\\.1:${at.port}\\.$`,
      'm',
    ),
  );
});

test('a webhook with another URL is reported, with the command that creates one', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, 'https://hooks.example.com/wm');
  const { open, texts } = await opened(context, place, { webhook: id, tunnel: place.edge.command });
  await open();
  assert.match(
    texts.errors,
    new RegExp(
      `^Webhook ${id} delivers to https://hooks\\.example\\.com/wm, and this receiver is reached at ${publicUrl}\\.\n.* wm webhook create ${publicUrl}$`,
      'm',
    ),
  );
});

test('an existing webhook that delivers something else is used, and the difference is reported', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  await hookAt(place, publicUrl);
  const { open, texts } = await opened(context, place, {
    ...events,
    events: wayInFlags.events.parse(['TaskCreated']),
    tunnel: place.edge.command,
    folder: place.service.emulator.sampleFolder,
  });
  await open();
  assert.equal((await webhooks(place)).length, 1);
  assert.match(texts.errors, /^It differs from what you asked for: it covers /m);
});

test('at the end: a webhook already deleted or suspended by another user is fine', {
  skip,
}, async (context) => {
  const deleted = await created(context);
  await call(deleted.place.service.emulator, 'DELETE', `/webhooks/${deleted.id}`);
  assert.equal(await deleted.wayIn.leave(), undefined);
  assert.match(
    deleted.texts.errors,
    new RegExp(`^Webhook ${deleted.id} no longer exists\\. There is nothing to suspend\\.$`, 'm'),
  );

  const suspended = await created(context);
  await setStatus(suspended.place, suspended.id, 'Suspended');
  assert.equal(await suspended.wayIn.leave(), undefined);
  assert.match(suspended.texts.errors, new RegExp(`^Webhook ${suspended.id} is Suspended already\\.$`, 'm'));
});

test('a label already used by another webhook is a warning: the new webhook exists', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, 'https://hooks.example.com/wm');
  await place.service.wm(['webhook', 'label', id, 'mine']);
  const { open, texts } = await opened(context, place, {
    ...events,
    tunnel: place.edge.command,
    label: 'mine',
  });
  await open();
  assert.equal((await webhooks(place)).length, 2);
  assert.match(texts.errors, new RegExp(`^Webhook ${id} already has the label 'mine'$`, 'm'));
});
