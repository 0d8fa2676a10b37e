// A public URL that the user gives, and a webhook that is there already: what is said of it, and what becomes of one that somebody
// has changed before the receiver ends.

import assert from 'node:assert/strict';
import { test as onEverySystem } from 'node:test';
import { wayInFlags } from '#receiver/way-in/way-in-flags.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { behindTunnel, events, opened, type Place, setStatus, startPlace, test } from './opened.ts';

const publicUrl = 'https://name-1.tunnel.example.com';

async function hookAt({ service }: Place, hookUrl: string): Promise<string> {
  const { body } = await call(service.emulator, 'POST', `/webhooks?hookUrl=${hookUrl}`);
  return body.data[0].id;
}

test('a suspended webhook of the public URL: shown with its note, or resumed with --yes', async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, publicUrl);
  await place.service.wm(['webhook', 'suspend', id, '--yes', '--note', 'ticket 4711']);
  const named = await behindTunnel(context, { publicUrl }, { place });
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
  const resumed = await behindTunnel(context, { publicUrl }, { place, common: { yes: true } });
  await resumed.tunnels(1);
  await resumed.look();
  assert.equal(await resumed.status(), 'Active', resumed.texts.errors);
});

test('a failed resume is a warning: the receiver continues', async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, publicUrl);
  await setStatus(place, id, 'Suspended');
  const { look, tunnels, texts, status } = await behindTunnel(
    context,
    { publicUrl, resume: true },
    {
      place,
      service: (send) => (request, options) =>
        request.method === 'PUT'
          ? Promise.resolve({ fault: 'connection-refused', sent: false, detail: 'the test says so' })
          : send(request, options),
    },
  );
  await tunnels(1);
  await look();
  assert.equal(await status(), 'Suspended');
  assert.match(
    texts.errors,
    new RegExp(`^Cannot resume https:\\S+ \\(${id}\\): .*\\.\nTo look at it: wm webhook get ${id}$`, 'm'),
  );
});

onEverySystem(
  'a public URL that does not reach this receiver says where it should point',
  async (context) => {
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
  },
);

test('a webhook with another URL is reported, with the command that creates one', async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, 'https://hooks.example.com/wm');
  const { texts } = await behindTunnel(context, { webhook: id }, { place });
  assert.match(
    texts.errors,
    new RegExp(
      `^Webhook ${id} delivers to https://hooks\\.example\\.com/wm, and this receiver is reached at ${publicUrl}\\.\n.* wm webhook create ${publicUrl}$`,
      'm',
    ),
  );
});

test('an existing webhook that delivers something else is used, and the difference is reported', async (context) => {
  const place = await startPlace(context);
  await hookAt(place, publicUrl);
  const other = wayInFlags.events.parse(['TaskCreated']);
  const { sampleFolder: folder } = place.service.emulator;
  const { texts, hooks } = await behindTunnel(context, { ...events, events: other, folder }, { place });
  assert.equal((await hooks()).length, 1);
  assert.match(texts.errors, /^It differs from what you asked for: it covers /m);
});

test('at the end: a webhook already deleted or suspended by another user is fine', async (context) => {
  const deleted = await behindTunnel(context, events);
  const [{ id } = { id: '' }] = await deleted.hooks();
  await call(deleted.service.emulator, 'DELETE', `/webhooks/${id}`);
  assert.equal(await deleted.wayIn.leave(), undefined);
  assert.equal(
    deleted.count(new RegExp(`^Webhook ${id} no longer exists\\. There is nothing to suspend\\.$`)),
    1,
  );

  const suspended = await behindTunnel(context, events);
  const [hook] = await suspended.hooks();
  await setStatus(suspended, hook?.id ?? '', 'Suspended');
  assert.equal(await suspended.wayIn.leave(), undefined);
  assert.equal(suspended.count(new RegExp(`^Webhook ${hook?.id} is Suspended already\\.$`)), 1);
});

test('a label already used by another webhook is a warning: the new webhook exists', async (context) => {
  const place = await startPlace(context);
  const id = await hookAt(place, 'https://hooks.example.com/wm');
  await place.service.wm(['webhook', 'label', id, 'mine']);
  const { texts, hooks } = await behindTunnel(context, { ...events, label: 'mine' }, { place });
  assert.equal((await hooks()).length, 2);
  assert.match(texts.errors, new RegExp(`^Webhook ${id} already has the label 'mine'$`, 'm'));
});
