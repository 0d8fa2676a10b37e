// The webhook of a receiver that is suspended while it listens: that is said once, shown as a metric, and undone with --resume.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { call } from '#test/support/service/start-emulator.ts';
import { startListener } from '../listen/running-listener.ts';
import {
  behindTunnel,
  events,
  opened,
  type Place,
  type Setting,
  setStatus,
  startPlace,
  test,
  webhooks,
} from './opened.ts';

const url = 'https://name-1.tunnel.example.com';

/** A receiver of a webhook that was there before. `before`: what happens to it first. */
async function prepare(
  context: TestContext,
  more: Parameters<typeof opened>[2] = {},
  { before, ...setting }: Setting & { before?: (place: Place, id: string) => Promise<unknown> } = {},
) {
  const place = await startPlace(context);
  place.edge.keepsName = true;
  const id = await createHook(place);
  await before?.(place, id);
  const run = await opened(context, place, { tunnel: place.edge.command, webhook: id, ...more }, setting);
  return { ...run, place, id, status: async () => (await webhooks(place))[0]?.status };
}

async function open(context: TestContext, more: Parameters<typeof opened>[2] = {}) {
  const run = await prepare(context, more);
  await run.open();
  return run;
}

/** As a user of this machine does it. */
async function suspend({ service }: Place, id: string, ...more: readonly string[]): Promise<void> {
  assert.equal((await service.wm(['webhook', 'suspend', id, '--yes', ...more])).status, 0);
}

const isSuspended = (place: Place, id: string) => setStatus(place, id, 'Suspended');

/** Requests of one method fail while `is` is true. */
function outage(method: 'GET' | 'PUT') {
  const down = { is: false };
  const service: Setting['service'] = (send) => (request, options) =>
    down.is && request.method === method
      ? Promise.resolve({ fault: 'connection-refused', sent: false, detail: 'the test says so' })
      : send(request, options);
  return { down, service };
}

async function createHook({ service }: Place, hookUrl = url): Promise<string> {
  return (await call(service.emulator, 'POST', `/webhooks?hookUrl=${hookUrl}`)).body.data[0].id;
}

test('suspended while it listens: reported once, and once more when it is active again', async (context) => {
  const { id, place, look, count, wayIn, texts } = await open(context);
  assert.deepEqual(wayIn.webhook(), { id, status: 'Active' });
  await setStatus(place, id, 'Suspended');
  assert.equal(await look(), 60_000);
  await look();
  const says = `^${url} \\(${id}\\) was suspended: nothing is delivered to this receiver\\.\nTo resume it: wm webhook resume ${id}$`;
  assert.equal(count(new RegExp(says)), 1, texts.errors);
  assert.deepEqual(wayIn.webhook(), { id, status: 'Suspended' });
  await setStatus(place, id, 'Active');
  await look();
  await look();
  assert.equal(count(/^https:\S+ \(\w+\) is Active again\.$/), 1, texts.errors);
  await call(place.service.emulator, 'DELETE', `/webhooks/${id}`);
  await look();
  await look();
  const gone = /^Webhook \w+ no longer exists: nothing is delivered to this receiver\.$/;
  assert.equal(count(gone), 1, texts.errors);
  assert.equal(wayIn.webhook(), undefined);
});

for (const suspendWhenUnreachable of [false, true])
  test(`one GET per check, --suspend-when-unreachable: ${suspendWhenUnreachable}`, async (context) => {
    const { id, place, look, tunnels } = await open(context, { suspendWhenUnreachable });
    const query = new Map([['operation', 'getWebhooks']]);
    const sent = async () =>
      (await place.service.emulator.control('GET /requests', { query })).requests.length;
    const before = await sent();
    await look();
    await look();
    assert.equal((await sent()) - before, 2, id);
    if (!suspendWhenUnreachable) return;
    place.edge.isBlocked = true;
    await look();
    // One reads it back.
    await look();
    assert.equal((await sent()) - before, 5, id);
    await tunnels(2);
    await look();
    assert.equal((await sent()) - before, 6, id);
  });

test('--resume resumes the webhook once the way in works, but not forever', async (context) => {
  const { id, place, look, status, count, texts } = await open(context, { resume: true });
  place.edge.isBlocked = true;
  await setStatus(place, id, 'Suspended');
  await look();
  assert.equal(await status(), 'Suspended');
  const waits = / was suspended: nothing is delivered to this receiver\.\nwm resumes it once its URL reaches/;
  assert.equal(count(waits), 1, texts.errors);
  place.edge.isBlocked = false;
  await look();
  assert.equal(await status(), 'Active');
  assert.equal(count(/^Resumed: .*Events that occurred while it was suspended are not delivered\.$/), 1);
  assert.match(
    texts.errors,
    /^It was suspended some time after 2026-\S+: events since then were not delivered\./m,
  );
  for (const times of [2, 3]) {
    await setStatus(place, id, 'Suspended');
    await look();
    assert.equal(await status(), 'Active');
    assert.equal(count(/^Resumed: /), times, texts.errors);
  }
  await setStatus(place, id, 'Suspended');
  await look();
  await look();
  assert.equal(await status(), 'Suspended');
  const often = / was suspended: .* wm does not resume it: wm resumed it 3 times within 24 hours\.$/;
  assert.equal(count(often), 1, texts.errors);
});

for (const [note, why] of [
  ['ticket 4711', 'it has a note by .*: ticket 4711'],
  [undefined, 'wm suspended it from this machine'],
])
  test(`--resume leaves a webhook that a user suspended, ${note ?? 'without a note'}`, async (context) => {
    const { id, place, look, status, texts, count } = await open(context, { resume: true });
    await suspend(place, id, ...(note === undefined ? [] : ['--note', note]));
    await look();
    await look();
    assert.equal(await status(), 'Suspended');
    assert.equal(count(new RegExp(`wm does not resume it: ${why}\\.$`)), 1, texts.errors);
  });

test('--resume leaves a webhook whose URL points elsewhere', async (context) => {
  const { place, id, look, status, said, count, texts } = await open(context, { resume: true });
  place.edge.keepsName = false;
  place.edge.drop();
  await said(/^The tunnel has a new URL/);
  await setStatus(place, id, 'Suspended');
  await look();
  await look();
  assert.equal(await status(), 'Suspended', texts.errors);
  const why = `it delivers to ${url}, and this receiver is reached at https://name-2\\S+ now`;
  const says = new RegExp(` wm does not resume it: ${why}\\.\nTo resume it: wm webhook resume ${id}$`);
  assert.equal(count(says), 1, texts.errors);
});

for (const [flag, flags, common] of [
  ['--resume', { resume: true }, {}],
  ['--yes', {}, { yes: true }],
] as const) {
  test(`${flag} at the start leaves a webhook whose URL points elsewhere`, async (context) => {
    const place = await startPlace(context);
    const id = await createHook(place, 'https://other.example.com');
    await isSuspended(place, id);
    const { status, texts } = await behindTunnel(context, { webhook: id, ...flags }, { place, common });
    assert.equal(await status(), 'Suspended', texts.errors);
    assert.match(texts.errors, / wm does not resume it: it delivers to https:\/\/other\.example\.com, and /);
  });

  for (const [what, change, why] of [
    [
      'a note',
      (place: Place, id: string) => suspend(place, id, '--note', 'DO NOT RESUME'),
      'it has a note by .*: DO NOT RESUME',
    ],
    ['a wish to keep it suspended', suspend, 'wm webhook suspend was run for it while it was suspended, .*'],
    [
      'a new suspension',
      async (place: Place, id: string) => {
        await setStatus(place, id, 'Active');
        await suspend(place, id);
      },
      'wm suspended it from this machine',
    ],
  ] as const)
    test(`${flag} respects ${what} from before the way in worked`, async (context) => {
      const { open, look, place, id, status, texts, count } = await prepare(context, flags, {
        before: isSuspended,
        common,
      });
      place.edge.isBlocked = true;
      await open();
      await change(place, id);
      place.edge.isBlocked = false;
      await look();
      await look();
      assert.equal(await status(), 'Suspended', texts.errors);
      assert.equal(count(new RegExp(`wm does not resume it: ${why}\\.$`)), 1, texts.errors);
    });

  test(`${flag} still applies if the status cannot be read at first`, async (context) => {
    const { down, service } = outage('GET');
    const { open, look, place, id, status, texts, count } = await prepare(context, flags, {
      before: suspend,
      common,
      service,
    });
    down.is = true;
    await open();
    await look();
    assert.equal(count(/^Cannot read the status of .* wm tries again every minute\.$/), 1, texts.errors);
    down.is = false;
    await look();
    assert.equal(await status(), 'Active', texts.errors);
    // That was the one that it was given for.
    await suspend(place, id);
    await look();
    assert.equal(await status(), 'Suspended', texts.errors);
  });

  test(`${flag} no longer applies once the webhook was active`, async (context) => {
    const { down, service } = outage('PUT');
    const { open, look, place, id, status, texts } = await prepare(context, flags, {
      before: suspend,
      common,
      service,
    });
    down.is = true;
    await open();
    await setStatus(place, id, 'Active');
    await look();
    down.is = false;
    await suspend(place, id);
    await look();
    assert.equal(await status(), 'Suspended', texts.errors);
  });
}

for (const [how, typed] of [
  ['with a tunnel', {}],
  ['with --public-url', { publicUrl: url }],
] as const)
  test(`--create --resume ${how} respects a note from before the way in worked`, async (context) => {
    const place = await startPlace(context);
    place.edge.keepsName = true;
    const id = await createHook(place);
    await isSuspended(place, id);
    const flags = { ...events, resume: true, tunnel: place.edge.command, ...typed };
    const { open, look, texts } = await opened(context, place, flags);
    place.edge.isBlocked = true;
    await open();
    await suspend(place, id, '--note', 'DO NOT RESUME');
    place.edge.isBlocked = false;
    // With a URL of your own, the start does not wait for the tunnel.
    await place.edge.tunnels(1);
    await look();
    await look();
    assert.equal((await webhooks(place))[0]?.status, 'Suspended', texts.errors);
    assert.match(texts.errors, / wm does not resume it: it has a note by .*: DO NOT RESUME\.$/m);
  });

test('a failed resume is reported once, does not count, and leaves the status as it was read', async (context) => {
  const { down, service } = outage('PUT');
  const run = await prepare(context, { resume: true }, { service });
  const { look, wayIn, place, id, status, texts, count } = run;
  await run.open();
  down.is = true;
  await setStatus(place, id, 'Suspended');
  for (let times = 0; times < 4; times++) {
    await look();
    assert.deepEqual(wayIn.webhook(), { id, status: 'Suspended' });
  }
  const failed = `^Cannot resume ${url} \\(${id}\\): .*\\. wm tries again every minute\\.\nTo look at it: wm webhook get ${id}$`;
  assert.equal(count(new RegExp(failed)), 1, texts.errors);
  assert.equal(count(/ was suspended, so wm resumes it\.$/), 1, texts.errors);
  assert.equal(count(/^Cannot read /), 0, texts.errors);
  down.is = false;
  await look();
  assert.equal(await status(), 'Active', texts.errors);
  assert.equal(count(/^Resumed: /), 1, texts.errors);
});

test('the note of a webhook that cannot be resumed is reported once', async (context) => {
  const { down, service } = outage('PUT');
  const { open, look, status, texts, count } = await prepare(
    context,
    { resume: true },
    { before: (place, id) => suspend(place, id, '--note', 'ticket 4711'), service },
  );
  down.is = true;
  await open();
  await look();
  await look();
  assert.equal(count(/ has a note: .*ticket 4711/), 1, texts.errors);
  down.is = false;
  await look();
  assert.equal(await status(), 'Active', texts.errors);
});

test('the webhook created by --create, and a service that is unreadable for a while', async (context) => {
  const { down, service } = outage('GET');
  const { place, look, texts, count, hooks } = await behindTunnel(context, events, { service });
  const [hook] = await hooks();
  down.is = true;
  await look();
  await look();
  const failed = /^Cannot read the status of https:\S+ \(\w+\): .*\. wm tries again every minute\.$/;
  assert.equal(count(failed), 1, texts.errors);
  down.is = false;
  await setStatus(place, hook?.id ?? '', 'Suspended');
  await look();
  assert.match(texts.errors, / was suspended: nothing is delivered to this receiver\.$/m);
});

test('the metric', async (context) => {
  const place = await startPlace(context);
  const id = await createHook(place);
  const sample = async (status: string) => {
    await setStatus(place, id, status);
    const { folder, environment } = place.service;
    const world = { http: place.edge.http };
    const flags = `--metrics 0 --webhook ${id} --public-url ${url}`;
    const listener = startListener(context, flags, { folder, environment, world });
    const [, base = ''] = await listener.prints(/Metrics are on (http:\S+)\/metrics/);
    await listener.prints(/^Listening on /m);
    const text = await (await fetch(`${base}/metrics`)).text();
    await listener.stop();
    return /^wm_receiver_webhook_active.*/m.exec(text)?.[0];
  };
  assert.equal(await sample('Active'), 'wm_receiver_webhook_active 1');
  assert.equal(await sample('Suspended'), 'wm_receiver_webhook_active 0');
});
