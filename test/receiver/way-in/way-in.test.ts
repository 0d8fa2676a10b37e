// The way in from end to end: a webhook is created only once its URL reaches this receiver, deliveries arrive, and it is suspended when the run
// ends. What happens when nothing gets through, and what nobody must do then.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { call } from '#test/support/service/start-emulator.ts';
import { respondRightly, startReceiver } from '#test/webhooks/verification/receivers.ts';
import { events, opened, secret, setStatus, startPlace, webhooks } from './opened.ts';

const skip = process.platform === 'win32';

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

test('creates the webhook once the URL reaches this receiver, suspends it at the end, and reads both back', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge, service } = place;
  const { open, wayIn, stored, arrived, texts } = await opened(context, place, {
    ...events,
    tunnel: edge.command,
    label: 'my laptop',
  });
  await open();
  const [hook, ...others] = await webhooks(place);
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
  assert.equal((await webhooks(place))[0]?.status, 'Suspended');
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

for (const [onExit, status, says] of [
  ['delete', undefined, /^Deleted: .*The service no longer has it\.$/m],
  ['keep', 'Active', /still delivers to this URL, where nothing listens now\.$/m],
] as const)
  test(`--on-exit ${onExit}`, { skip }, async (context) => {
    const place = await startPlace(context);
    const { open, wayIn, texts } = await opened(context, place, {
      ...events,
      tunnel: place.edge.command,
      onExit,
    });
    await open();
    assert.equal(await wayIn.leave(), undefined);
    assert.equal((await webhooks(place))[0]?.status, status);
    assert.match(texts.errors, says);
  });

test('the next receiver resumes the webhook that the last one created and suspended, and suspends it again', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge, service } = place;
  edge.keepsName = true;
  const statuses = async () => (await webhooks(place)).map(({ status }) => status);
  for (const run of ['first', 'second', 'third']) {
    const receiver = await opened(context, place, { ...events, tunnel: edge.command });
    await receiver.open();
    assert.deepEqual(await statuses(), ['Active'], run);
    await receiver.wayIn.leave();
    await receiver.wayIn.close();
    assert.deepEqual(await statuses(), ['Suspended'], run);
  }
  // Somebody has resumed it: from then on it is not the receiver's.
  const [{ id } = { id: '' }] = await webhooks(place);
  assert.equal((await service.wm(['webhook', 'resume', id, '--yes', '--no-verify'])).status, 0);
  assert.equal((await service.wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  const last = await opened(context, place, { ...events, tunnel: edge.command });
  await last.open();
  assert.match(last.texts.errors, /is suspended, so nothing will be delivered/);
  assert.deepEqual(await statuses(), ['Suspended']);
});

test('uses an existing webhook with the URL, resumes it if requested, and leaves it alone at the end', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge, service } = place;
  const first = await opened(context, place, { ...events, tunnel: edge.command });
  await first.open();
  await first.wayIn.leave();
  await first.wayIn.close();
  edge.keepsName = true;
  const [left] = await webhooks(place);
  assert.equal((await service.wm(['webhook', 'suspend', left?.id ?? '', '--yes'])).status, 0);
  // Another secret, of which this run knows only what was stored.
  const other = { secret: undefined };

  const labelled = { ...events, tunnel: edge.command, label: 'my laptop' };
  const hint = await opened(context, place, labelled, other);
  await hint.open();
  const [hook] = await webhooks(place);
  assert.ok(hook);
  assert.equal((await webhooks(place)).length, 1);
  assert.match(hint.texts.errors, /^https:\S+ \(\w+\) delivers there already\. Nothing was created\.$/m);
  assert.match(
    hint.texts.errors,
    new RegExp(
      `--label was not applied: [^\\n]+\\n\\s*To label it: wm webhook label ${hook.id} 'my laptop'$`,
      'm',
    ),
  );
  assert.match(
    hint.texts.errors,
    new RegExp(
      `is suspended, so nothing will be delivered\\.\nTo resume it: wm webhook resume ${hook.id}$`,
      'm',
    ),
  );
  assert.equal(hook.status, 'Suspended');
  await hint.wayIn.leave();
  await hint.wayIn.close();

  const resumed = await opened(context, place, { ...events, tunnel: edge.command, resume: true }, other);
  await resumed.open();
  assert.equal((await webhooks(place))[0]?.status, 'Active', resumed.texts.errors);
  assert.match(
    resumed.texts.errors,
    /^Resumed: .*Events that occurred while it was suspended are not delivered\.$/m,
  );
  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  // With the stored secret.
  await resumed.arrived(1);
  await resumed.wayIn.leave();
  assert.equal((await webhooks(place))[0]?.status, 'Active', 'it did not create it');
});

test('nothing gets through: reported once; the second failure restarts the tunnel; the recovery is reported once', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  edge.keepsName = true;
  const { open, look, tunnels, texts } = await opened(
    context,
    place,
    { tunnel: edge.command },
    { signedOut: true },
  );
  await open();
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
  assert.equal(count(texts.errors, /^Deliveries do not get here/gm), 1, texts.errors);
  assert.equal(
    count(texts.errors, /^The way in works again: \S+ reaches this receiver\.$/gm),
    1,
    texts.errors,
  );
  assert.match(texts.errors, /^The tunnel lets nothing through\. wm starts it again in 1 s\.$/m);
});

test('a URL that points to another receiver with the same secret', { skip }, async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  const { open, look, texts } = await opened(context, place, { tunnel: edge.command });
  await open();
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

test('--suspend-when-unreachable: suspends after two failures, before a delivery fails; resumes when the URL works', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge, service } = place;
  edge.keepsName = true;
  const { open, look, texts, arrived, tunnels } = await opened(context, place, {
    ...events,
    tunnel: edge.command,
    suspendWhenUnreachable: true,
  });
  await open();
  edge.isBlocked = true;
  await look();
  assert.equal((await webhooks(place))[0]?.status, 'Active', 'one failure may be a moment');
  await look();
  assert.equal((await webhooks(place))[0]?.status, 'Suspended');
  assert.match(
    texts.errors,
    /^The way in does not work, so wm suspends https:\S+ \(\w+\) before deliveries fail\.$/m,
  );
  await tunnels(2);
  await look();
  assert.equal(count(texts.errors, /so wm suspends/g), 1);
  edge.isBlocked = false;
  await look();
  assert.equal((await webhooks(place))[0]?.status, 'Active', texts.errors);
  assert.match(texts.errors, /^The way in works again, so wm resumes https:\S+ \(\w+\)\.$/m);
  await service.wm(['task', 'update', service.emulator.sampleTask, '--status', 'Completed']);
  await arrived(1);
});

/** A webhook of somebody else, given with --webhook. */
async function withWebhook(
  context: Parameters<typeof startPlace>[0],
  more: Parameters<typeof opened>[3] = {},
) {
  const place = await startPlace(context);
  const { edge } = place;
  edge.keepsName = true;
  const first = await opened(context, place, { ...events, tunnel: edge.command, onExit: 'keep' });
  await first.open();
  await first.wayIn.leave();
  await first.wayIn.close();
  const [hook] = await webhooks(place);
  assert.ok(hook);
  const run = await opened(
    context,
    place,
    { tunnel: edge.command, webhook: hook.id, suspendWhenUnreachable: true },
    more,
  );
  await run.open();
  return { ...run, place, edge, id: hook.id, status: async () => (await webhooks(place))[0]?.status };
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
  test(`suspended while unreachable, and another user ${what}: wm does not touch it`, {
    skip,
  }, async (context) => {
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
    assert.equal(count(all.texts.errors, new RegExp(says, 'gm')), 1);
    assert.equal(await all.wayIn.leave(), undefined);
    assert.equal(await all.status(), status, 'it did not create it');
  });

test('leaves a webhook that another user suspended as it is, and at the end names what wm suspended', {
  skip,
}, async (context) => {
  const all = await withWebhook(context);
  await setStatus(all.place, all.id, 'Suspended');
  all.edge.isBlocked = true;
  for (const tunnels of [1, 2, 2, 3]) {
    await all.look();
    await all.tunnels(tunnels);
  }
  assert.equal(
    count(all.texts.errors, /is already suspended; wm leaves it suspended\.$/gm),
    1,
    all.texts.errors,
  );
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

test('if the service is unreachable too, reports it once, and retries with each check', {
  skip,
}, async (context) => {
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
  assert.equal(
    count(all.texts.errors, /^Cannot suspend https:\S+ \(\w+\): .*\. wm tries again every minute\.$/gm),
    1,
    all.texts.errors,
  );
  isDown = false;
  await all.look();
  assert.equal(await all.status(), 'Suspended');
});

test('reports a new URL after a restart, and suspends the webhook with the old one permanently', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  const { open, said, texts, look } = await opened(context, place, {
    ...events,
    tunnel: edge.command,
    suspendWhenUnreachable: true,
  });
  await open();
  edge.drop();
  await said(/^Suspended: /);
  const [hook] = await webhooks(place);
  assert.equal(hook?.status, 'Suspended');
  assert.match(
    texts.errors,
    new RegExp(
      `^The tunnel has a new URL: https://name-2\\.\\S+\\. The old one, https://name-1\\.\\S+ no longer works\\.\nhttps://name-1\\S+ \\(${hook?.id}\\) still delivers there, and its URL cannot be changed\\. To create a webhook for the new URL: wm webhook create https://name-2\\.\\S+\nThen delete the old webhook: wm webhook delete ${hook?.id}$`,
      'm',
    ),
  );
  await look();
  assert.equal((await webhooks(place))[0]?.status, 'Suspended');
  assert.match(
    texts.errors,
    /does not resume it: it delivers to https:\/\/name-1\S*, and this receiver is reached at https:\/\/name-2/,
  );
});

test('if a URL does not reach this receiver within a minute, creates the webhook later, once it does', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { edge } = place;
  edge.keepsName = true;
  edge.isBlocked = true;
  const { open, look, texts } = await opened(context, place, { ...events, tunnel: edge.command });
  await open();
  assert.equal(edge.connections, 12);
  assert.equal(count(texts.errors, /^Deliveries do not get here/gm), 1, texts.errors);
  assert.match(texts.errors, /^The webhook is created once the URL reaches this receiver\.$/m);
  assert.deepEqual(await webhooks(place), []);
  edge.isBlocked = false;
  await look();
  assert.equal((await webhooks(place)).length, 1, texts.errors);
});

test('if the service does not respond at the end, prints the command to run after 15 s', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  let isDeaf = false;
  let onRequest = () => {};
  const asked = new Promise<void>((resolve) => {
    onRequest = resolve;
  });
  const run = await opened(
    context,
    place,
    { ...events, tunnel: place.edge.command },
    {
      service: (send) => (request, options) => {
        if (!isDeaf || request.url.includes('.tunnel.')) return send(request, options);
        onRequest();
        return new Promise(() => {});
      },
    },
  );
  await run.open();
  isDeaf = true;
  const left = run.wayIn.leave();
  await asked;
  run.clock.advance(15_000);
  const failure = await left;
  const [hook] = await webhooks(place);
  assert.equal(failure?.code, 'outcome_unknown');
  assert.equal(
    failure.sentence,
    `It is unknown whether webhook ${hook?.id} was suspended: the service has not responded within 15 s`,
  );
  assert.equal(failure.next, `wm webhook suspend ${hook?.id}`);
});

test('without a sign-in, still watches the public URL, and sends no requests to the service', {
  skip,
}, async (context) => {
  const place = await startPlace(context);
  const { open, texts, wayIn } = await opened(
    context,
    place,
    { tunnel: place.edge.command },
    { signedOut: true },
  );
  await open();
  assert.match(
    texts.errors,
    /^Not signed in, so wm cannot see whether the webhook of this URL is suspended\. To sign in: wm login$/m,
  );
  assert.equal(await wayIn.leave(), undefined);
});

test('without a URL, says how to make the receiver reachable', async (context) => {
  const place = await startPlace(context);
  const { open, texts } = await opened(context, place, {});
  await open();
  assert.equal(
    texts.errors,
    'Only this machine can reach it. From outside: --tunnel or --public-url (--help)\n',
  );
});
