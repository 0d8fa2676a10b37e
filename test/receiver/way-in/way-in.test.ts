// The way in from end to end: a webhook is created only once its URL reaches this receiver, deliveries arrive, and it is suspended when the run
// ends. What happens when nothing gets through, and what nobody must do then.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test as onEverySystem, type TestContext } from 'node:test';
import { checkpoint } from '#test/support/gate.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { respondRightly, startReceiver } from '#test/webhooks/verification/receivers.ts';
import { behindTunnel, events, opened, secret, setStatus, startPlace, test, webhooks } from './opened.ts';

test('creates the webhook once the URL reaches this receiver, suspends it at the end, and reads both back', async (context) => {
  const { edge, service, wayIn, stored, arrived, texts, hooks, status } = await behindTunnel(context, {
    ...events,
    label: 'my laptop',
  });
  const [hook, ...others] = await hooks();
  assert.ok(hook);
  assert.equal(others.length, 0);
  assert.equal(hook.hookUrl, 'https://name-1.tunnel.example.com');
  assert.equal(hook.status, 'Active');
  assert.match(texts.errors, /^From outside: https:\/\/name-1\.tunnel\.example\.com$/m);
  assert.match(
    texts.errors,
    new RegExp(`^Created: https://name-1\\.tunnel\\.example\\.com \\(${hook.id}\\)\\.$`, 'm'),
  );

  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  await arrived(1);
  assert.equal(stored[0]?.signature, 'valid');

  assert.equal(await wayIn.leave(), undefined);
  assert.equal(await status(), 'Suspended');
  assert.match(
    texts.errors,
    /^Suspended: .*, read back from the service\. It delivers nothing until you resume it\.$/m,
  );
  await wayIn.close();
  await edge.gone();

  const shown = await service.wm(['webhook', 'secret', 'my laptop', '--show']);
  assert.equal(shown.output, `${secret}\n`);
  const log = join(`${service.environment['WM_CONFIG_DIR']}`, 'state', 'history');
  const lines = (
    await Promise.all((await readdir(log)).map((name) => readFile(join(log, name), 'utf8')))
  ).join('');
  const changes = lines.split('\n').filter((line) => line.includes('"webhook listen"'));
  assert.deepEqual(
    changes.map((line) => JSON.parse(line).operation),
    ['createWebhook', 'updateWebhook'],
  );
});

test('the next receiver resumes the webhook that the last one created and suspended, and suspends it again', async (context) => {
  const place = await startPlace(context);
  const next = () => behindTunnel(context, events, { place, keepsName: true });
  for (const run of ['first', 'second', 'third']) {
    const { leave, status } = await next();
    assert.equal(await status(), 'Active', run);
    await leave();
    assert.equal(await status(), 'Suspended', run);
  }
  // Somebody has resumed it: from then on it is not the receiver's.
  const [{ id } = { id: '' }, ...others] = await webhooks(place);
  assert.deepEqual(others, []);
  const { wm } = place.service;
  assert.equal((await wm(['webhook', 'resume', id, '--yes', '--no-verify'])).status, 0);
  assert.equal((await wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  const { texts, status } = await next();
  assert.match(texts.errors, /is suspended, so nothing will be delivered/);
  assert.equal(await status(), 'Suspended');
});

test('uses an existing webhook with the URL, resumes it if requested, and leaves it alone at the end', async (context) => {
  const { place, service, ...first } = await behindTunnel(context, events, { keepsName: true });
  await first.leave();
  const [{ id } = { id: '' }] = await first.hooks();
  assert.equal((await service.wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  // Another secret, of which this run knows only what was stored.
  const other = { place, secret: undefined };

  const hint = await behindTunnel(context, { ...events, label: 'my laptop' }, other);
  const [hook, ...others] = await hint.hooks();
  assert.deepEqual([hook?.id, hook?.status, others], [id, 'Suspended', []]);
  for (const says of [
    /^https:\S+ \(\w+\) delivers there already\. Nothing was created\.$/m,
    new RegExp(
      `--label was not applied: [^\\n]+\\n\\s*To label it: wm webhook label ${id} 'my laptop'$`,
      'm',
    ),
    new RegExp(`is suspended, so nothing will be delivered\\.\nTo resume it: wm webhook resume ${id}$`, 'm'),
  ])
    assert.match(hint.texts.errors, says);
  await hint.leave();

  const resumed = await behindTunnel(context, { ...events, resume: true }, other);
  assert.equal(await resumed.status(), 'Active', resumed.texts.errors);
  assert.match(
    resumed.texts.errors,
    /^Resumed: .*Events that occurred while it was suspended are not delivered\.$/m,
  );
  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  // With the stored secret.
  await resumed.arrived(1);
  await resumed.wayIn.leave();
  assert.equal(await resumed.status(), 'Active', 'it did not create it');
});

test('nothing gets through: reported once; the second failure restarts the tunnel; the recovery is reported once', async (context) => {
  const { edge, look, tunnels, texts, count } = await behindTunnel(
    context,
    {},
    { keepsName: true, signedOut: true },
  );
  assert.equal(await look(), 60_000);
  edge.isBlocked = true;
  assert.equal(await look(), 60_000);
  assert.match(
    texts.errors,
    /^Deliveries do not get here\. https:\/\/name-1\.tunnel\.example\.com: the connection was closed .*\nwm restarts the tunnel if it happens again\.$/m,
  );
  assert.equal(edge.names.length, 1, 'one failure is no reason');
  assert.equal(await look(), 15_000);
  await tunnels(2);
  await look();
  edge.isBlocked = false;
  await look();
  await look();
  assert.equal(count(/^Deliveries do not get here/), 1, texts.errors);
  assert.equal(count(/^The way in works again: \S+ reaches this receiver\.$/), 1, texts.errors);
  assert.match(texts.errors, /^The tunnel lets nothing through\. wm starts it again in 1 s\.$/m);
});

test('a URL that points to another receiver with the same secret', async (context) => {
  const { edge, look, texts } = await behindTunnel(context);
  const other = await startReceiver(context, respondRightly(secret));
  edge.leadsTo = other.port;
  await look();
  assert.match(
    texts.errors,
    /^Deliveries do not get here\. https:\S+: it leads to another receiver with the same secret\.\nEnd the other receiver or its tunnel/m,
  );
  other.respond = respondRightly('another');
  await look();
  assert.match(
    texts.errors,
    /^Deliveries do not get here\. \S+: 401 "invalid signature": .*suspends the webhook at once/m,
  );
});

test('--suspend-when-unreachable: suspends after two failures, before a delivery fails; resumes when the URL works', async (context) => {
  const { edge, service, look, texts, count, status, arrived, tunnels } = await behindTunnel(
    context,
    { ...events, suspendWhenUnreachable: true },
    { keepsName: true },
  );
  edge.isBlocked = true;
  await look();
  assert.equal(await status(), 'Active', 'one failure may be a moment');
  await look();
  assert.equal(await status(), 'Suspended');
  assert.match(
    texts.errors,
    /^The way in does not work, so wm suspends https:\S+ \(\w+\) before deliveries fail\.$/m,
  );
  await tunnels(2);
  await look();
  assert.equal(count(/so wm suspends/), 1);
  edge.isBlocked = false;
  await look();
  assert.equal(await status(), 'Active', texts.errors);
  assert.match(texts.errors, /^The way in works again, so wm resumes https:\S+ \(\w+\)\.$/m);
  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  await arrived(1);
});

/** A webhook of somebody else, given with --webhook. */
async function withWebhook(context: TestContext, setting: Parameters<typeof behindTunnel>[2] = {}) {
  const first = await behindTunnel(context, { ...events, onExit: 'keep' }, { keepsName: true });
  await first.leave();
  const [{ id } = { id: '' }] = await first.hooks();
  const flags = { webhook: id, suspendWhenUnreachable: true };
  return { ...(await behindTunnel(context, flags, { ...setting, place: first.place })), id };
}

const meanwhile: readonly [
  string,
  (all: Awaited<ReturnType<typeof withWebhook>>) => Promise<unknown>,
  string | undefined,
  RegExp,
][] = [
  [
    'resumed it',
    ({ place, id }) => setStatus(place, id, 'Active'),
    'Active',
    /is active again: another user or program resumed it\.$/m,
  ],
  [
    'deleted it',
    ({ place, id }) => call(place.service.emulator, 'DELETE', `/webhooks/${id}`),
    undefined,
    /^Webhook \w+ no longer exists: there is nothing to resume\.$/m,
  ],
  [
    'said that it is to stay suspended',
    ({ place, id }) => place.service.wm(['webhook', 'suspend', id, '--yes']),
    'Suspended',
    /does not resume it: wm webhook suspend was run for it while it was suspended, so it is to stay suspended\.\nTo resume it: wm webhook resume \w+$/m,
  ],
  [
    'gave it a note',
    ({ place, id }) => place.service.wm(['webhook', 'suspend', id, '--yes', '--note', 'ticket 4711']),
    'Suspended',
    /does not resume it: it has a note by .*: ticket 4711\.$/m,
  ],
];

for (const [what, change, status, says] of meanwhile)
  test(`suspended while unreachable, and another user ${what}: wm does not touch it`, async (context) => {
    const all = await withWebhook(context);
    all.edge.isBlocked = true;
    await all.look();
    await all.look();
    assert.equal(await all.status(), 'Suspended');
    await all.tunnels(2);
    await change(all);
    all.edge.isBlocked = false;
    await all.look();
    assert.equal(await all.status(), status, all.texts.errors);
    assert.match(all.texts.errors, says);
    await all.look();
    assert.equal(await all.status(), status);
    assert.equal(all.count(says), 1);
    assert.equal(await all.wayIn.leave(), undefined);
    assert.equal(await all.status(), status, 'it did not create it');
  });

test('leaves a webhook that another user suspended as it is, and at the end names what wm suspended', async (context) => {
  const all = await withWebhook(context);
  await setStatus(all.place, all.id, 'Suspended');
  all.edge.isBlocked = true;
  for (const tunnels of [1, 2, 2, 3]) {
    await all.look();
    await all.tunnels(tunnels);
  }
  assert.equal(all.count(/is already suspended; wm leaves it suspended\.$/), 1, all.texts.errors);
  all.edge.isBlocked = false;
  await all.look();
  assert.equal(await all.status(), 'Suspended');

  await setStatus(all.place, all.id, 'Active');
  all.edge.isBlocked = true;
  await all.look();
  await all.look();
  assert.equal(await all.status(), 'Suspended');
  assert.equal(await all.wayIn.leave(), undefined);
  assert.match(
    all.texts.errors,
    /^Webhook \w+ stays suspended: the way in does not work\.\nTo resume it: wm webhook resume \w+$/m,
  );
});

test('if the service is unreachable too, reports it once, and retries with each check', async (context) => {
  let isDown = false;
  const all = await withWebhook(context, {
    service: (send) => (request, options) =>
      isDown && !request.url.includes('.tunnel.example.com')
        ? Promise.resolve({ fault: 'connection-refused', sent: false, detail: 'the test says so' })
        : send(request, options),
  });
  all.edge.isBlocked = true;
  isDown = true;
  for (const tunnels of [1, 2, 2, 3]) {
    await all.look();
    await all.tunnels(tunnels);
  }
  assert.equal(await all.status(), 'Active');
  const failed = /^Cannot suspend https:\S+ \(\w+\): .*\. wm tries again every minute\.$/;
  assert.equal(all.count(failed), 1, all.texts.errors);
  isDown = false;
  await all.look();
  assert.equal(await all.status(), 'Suspended');
});

test('reports a new URL after a restart, and suspends the webhook with the old one permanently', async (context) => {
  const flags = { ...events, suspendWhenUnreachable: true };
  const { edge, said, texts, look, hooks, status } = await behindTunnel(context, flags);
  edge.drop();
  await said(/^Suspended: /);
  const [hook] = await hooks();
  assert.equal(hook?.status, 'Suspended');
  assert.match(
    texts.errors,
    new RegExp(
      `^The tunnel has a new URL: https://name-2\\.\\S+\\. The old one, https://name-1\\.\\S+ no longer works\\.\nhttps://name-1\\S+ \\(${hook?.id}\\) still delivers there, and its URL cannot be changed\\. To create a webhook for the new URL: wm webhook create https://name-2\\.\\S+\nThen delete the old webhook: wm webhook delete ${hook?.id}$`,
      'm',
    ),
  );
  await look();
  assert.equal(await status(), 'Suspended');
  assert.match(
    texts.errors,
    /does not resume it: it delivers to https:\/\/name-1\S*, and this receiver is reached at https:\/\/name-2/,
  );
});

test('if a URL does not reach this receiver within a minute, creates the webhook later, once it does', async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  edge.isBlocked = true;
  const { look, texts, count } = await behindTunnel(context, events, { place, keepsName: true });
  assert.equal(edge.connections, 12);
  assert.equal(count(/^Deliveries do not get here/), 1, texts.errors);
  assert.match(texts.errors, /^The webhook is created once the URL reaches this receiver\.$/m);
  assert.deepEqual(await webhooks(place), []);
  edge.isBlocked = false;
  await look();
  assert.equal((await webhooks(place)).length, 1, texts.errors);
});

test('if the service does not respond at the end, prints the command to run after 15 s', async (context) => {
  let isDeaf = false;
  const request = checkpoint();
  const run = await behindTunnel(context, events, {
    service: (send) => (sent, options) => {
      if (!isDeaf || sent.url.includes('.tunnel.')) return send(sent, options);
      request.reach();
      return new Promise(() => {});
    },
  });
  isDeaf = true;
  const left = run.wayIn.leave();
  await request.reached;
  run.clock.advance(15_000);
  const failure = await left;
  const [hook] = await run.hooks();
  assert.equal(failure?.code, 'outcome_unknown');
  assert.equal(
    failure.sentence,
    `It is unknown whether webhook ${hook?.id} was suspended: the service has not responded within 15 s`,
  );
  assert.equal(failure.next, `wm webhook suspend ${hook?.id}`);
});

test('without a sign-in, still watches the public URL, and sends no requests to the service', async (context) => {
  const { texts, wayIn } = await behindTunnel(context, {}, { signedOut: true });
  assert.match(
    texts.errors,
    /^Not signed in, so wm cannot see whether the webhook of this URL is suspended\. To sign in: wm login$/m,
  );
  assert.equal(await wayIn.leave(), undefined);
});

onEverySystem('without a URL, says how to make the receiver reachable', async (context) => {
  const place = await startPlace(context);
  const { open, texts } = await opened(context, place, {});
  await open();
  assert.equal(
    texts.errors,
    'Only this machine can reach it. From outside: --tunnel or --public-url (--help)\n',
  );
});
