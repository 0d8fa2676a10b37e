// `wm webhook resume` verifies the receiver first: what would go wrong is said, one prompt follows, and --yes always resumes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock } from '#world/world.ts';
import { onStage } from '../on-stage.ts';
import { withHooks } from '../three-webhooks.ts';
import { afterHandshakes, secret, startReceiver } from './receivers.ts';
import { type Verifying, verifying } from './verified.ts';

const events = ['--events', 'TaskStatusChanged'];
const stored = { environment: { WM_TOKEN_STORE: 'file' } };
const withSecret = { environment: { WM_WEBHOOK_SECRET: secret } };

async function suspended(service: Verifying, url: string, key?: string): Promise<string> {
  const id = await service.create(url, events, key);
  assert.equal((await service.wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  return id;
}

const statusIn = (output: string) => output.split('\t')[1];

test('a receiver that works: no warning, no prompt', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await suspended(service, receiver.url, secret);
  const ran = await service.wm(['webhook', 'resume', id, '--within', '300'], withSecret);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(statusIn(ran.output), 'Active');
  assert.doesNotMatch(ran.errors, /Receiver of/);
  assert.match(ran.errors, /^Verified 1 receiver: no problem found\.\n(?:Account .*\n)?Resumed: /);
  assert.ok(receiver.arrived.some(({ body }) => body.includes('TaskStatusChanged')));
});

test('a receiver that would suspend it again: a warning and one prompt; --yes resumes', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await suspended(service, receiver.url, secret);
  receiver.respond = afterHandshakes(() => ({ status: 404 }));
  const unconfirmed = await service.wm(['webhook', 'resume', id, '--within', '300'], withSecret);
  assert.equal(unconfirmed.status, 2);
  assert.match(
    unconfirmed.errors,
    /^Receiver of http:\S+ \(\S+\):\n {2}event TaskStatusChanged failed: 404: nothing is at/,
  );
  assert.equal(unconfirmed.errors.match(/Not confirmed/g)?.length, 1);
  const resumed = await service.wm(['webhook', 'resume', id, '--within', '300', '--yes'], withSecret);
  assert.equal(resumed.status, 0);
  assert.equal(statusIn(resumed.output), 'Active');
  assert.match(resumed.errors, /failed: 404/);
});

test('with --yes, resumes despite an unknown secret or an unreachable receiver', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const unknown = await suspended(service, receiver.url, secret);
  const gone = await suspended(service, 'http://no-such-host.example/hook');
  const unconfirmed = await service.wm(['webhook', 'resume', unknown, gone, '--within', '300']);
  assert.equal(unconfirmed.status, 2);
  assert.match(unconfirmed.errors, /handshake not checked: the secret is unknown\. Give it with/);
  assert.match(unconfirmed.errors, /dns failed: no-such-host\.example does not resolve/);
  assert.equal(unconfirmed.errors.match(/Not confirmed: Resume 2 webhooks: /g)?.length, 1);
  assert.match(unconfirmed.errors, /^Verified 2 receivers: 2 with problems\.$/m);
  const resumed = await service.wm(['webhook', 'resume', unknown, gone, '--within', '300', '--yes']);
  assert.equal(resumed.status, 0, resumed.errors);
  assert.deepEqual(resumed.output.trimEnd().split('\n').map(statusIn), ['Active', 'Active']);
});

test('sends no samples with --no-verify or --dry-run, or to an active webhook', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await suspended(service, receiver.url, secret);
  const before = receiver.arrived.length;
  assert.equal((await service.wm(['webhook', 'resume', id, '--dry-run'], withSecret)).status, 0);
  assert.equal((await service.wm(['webhook', 'resume', id, '--no-verify'])).status, 0);
  const otherId = await service.create(`${receiver.url}/2`);
  for (const ids of [[id], [id, otherId]]) {
    // Nothing is on standard input: who reads it gets an error.
    const again = await service.wm(['webhook', 'resume', ...ids, '--secret-stdin']);
    assert.equal(again.status, 0, again.errors);
    assert.doesNotMatch(again.errors, /Verified/);
  }
  assert.equal(receiver.arrived.length, before);
});

test('reads the secret from standard input once for several webhooks', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const ids = [
    await suspended(service, receiver.url, secret),
    await suspended(service, `${receiver.url}/2`, secret),
  ];
  const argv = ['webhook', 'resume', ...ids, '--within', '300', '--secret-stdin'];
  const ran = await service.wm(argv, { input: `${secret}\n` });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Verified 2 receivers: no problem found\.$/m);
});

test('uses the stored secret of each webhook; a wrong one fails', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const id = await suspended(service, receiver.url, secret);
  const store = async (text: string) =>
    assert.equal(
      (
        await service.wm(['webhook', 'secret', id, '--store', '--secret-stdin', '--yes'], {
          ...stored,
          input: text,
        })
      ).status,
      0,
    );
  const resume = () => service.wm(['webhook', 'resume', id, '--within', '300'], stored);
  await store('another secret');
  const unconfirmed = await resume();
  assert.equal(unconfirmed.status, 2, unconfirmed.errors);
  assert.match(unconfirmed.errors, /handshake failed: the receiver does not accept the signature/);
  await store(secret);
  const ran = await resume();
  assert.equal(ran.status, 0, ran.errors);
});

test('warns that a webhook that could not be read is not verified', async (context) => {
  const { wm, control, one, two } = await withHooks(context);
  assert.equal((await wm(['webhook', 'suspend', one, two, '--yes'])).status, 0);
  const world = { clock: { ...createWorld().clock, sleep: async () => {} } };
  for (const [ids, question] of [
    [[one], 'Resume [^;]*'],
    [[one, two], 'Resume 2 webhooks: [^;]*'],
  ] as const) {
    await control('faults', { request: 'getWebhooks', status: 500, times: 3 });
    const unconfirmed = await wm(['webhook', 'resume', ...ids], { world });
    assert.equal(unconfirmed.status, 2, unconfirmed.errors);
    assert.match(
      unconfirmed.errors,
      new RegExp(`^Receiver of .*${one}.*:\n {2}not verified: its record could not be read$`, 'm'),
    );
    assert.match(
      unconfirmed.errors,
      new RegExp(`Not confirmed: ${question}${one}\\S* \\(could not be read\\)`),
    );
  }
});

test('starts the last verification within two minutes, and shows progress', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context);
  const ids: string[] = [];
  for (let index = 0; index < 6; index++) {
    const id = await service.create(`${receiver.url}/${index}`, events);
    await call(service.emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
    ids.push(id);
  }
  const real = createWorld().clock;
  let passed = 0;
  let isNoticed = false;
  const clock: Clock = {
    ...real,
    monotonic: () => real.monotonic() + passed,
    after(milliseconds, run) {
      if (milliseconds !== 5_000 || isNoticed) return real.after(milliseconds, run);
      isNoticed = true;
      queueMicrotask(run);
      return () => {};
    },
  };
  receiver.respond = () => {
    passed = 121_000;
    return { status: 200 };
  };
  const { streams, texts } = collectStreams({ isTerminal: true });
  const { output } = collectStreams().streams;
  const ran = await service.wm(['webhook', 'resume', ...ids, '--within', '300', '--yes'], {
    world: { clock, streams: { ...streams, output } },
  });
  const shown = texts.errors;
  assert.equal(ran.status, 0, shown);
  assert.match(shown, /^Verifying 6 receivers: 0 done\.$/m);
  assert.equal(shown.match(/^ {2}not verified: the others took too long$/gm)?.length, 2, shown);
  assert.match(shown, /^Verified 6 receivers: 2 with problems\.$/m);
});

test('on a terminal (TERM=xterm): shows the warnings, then one question for both', async (context) => {
  const { open, ids, shown, statuses, setStatus } = await onStage(context, 'one', 'two');
  for (const id of ids) await setStatus(id, 'Suspended');
  for (const [answer, exit, after] of [
    ['n', 2, 'Suspended'],
    ['y', 0, 'Active'],
  ] as const) {
    const terminal = open(`wm webhook resume ${ids.join(' ')} --connect-to 127.0.0.1:1`, {
      environment: { TERM: 'xterm' },
    });
    for (const name of shown) await terminal.shows(`Receiver of ${name}`);
    await terminal.shows('connection failed: 127.0.0.1 refuses connections to port 1.');
    await terminal.shows('Resume these 2 webhooks? (y/N)', `${answer}${key.enter}`);
    assert.equal(await terminal.ended, exit);
    assert.deepEqual(await statuses(), [after, after]);
  }
});
