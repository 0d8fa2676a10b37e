// `wm webhook create` tries the handshake before the service does: a wrong response is explained before anything is sent, and a
// receiver that cannot be reached from here is only a warning.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { receiverSecret, setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { respondRightly, startReceiver, type TestReceiver } from '../verification/receivers.ts';

const secret = 'kF7Qe2';
const signed = { environment: { WM_WEBHOOK_SECRET: secret } };
const within = ['--within', '300'];

/** Of wm itself, and not of the service. */
const tries = ({ arrived }: TestReceiver) =>
  arrived.filter(({ headers }) => headers['user-agent'] === 'wm-webhook-verify').length;

test('a correct response: one attempt, no warning, then the service sends its handshake', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const receiver = await startReceiver(context, respondRightly(secret));
  const ran = await wm(['webhook', 'create', receiver.url, ...within, '--quiet'], signed);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors, '');
  assert.deepEqual([tries(receiver), receiver.arrived.length], [1, 2]);
});

for (const [description, respond, why, fix] of [
  [
    'another secret',
    respondRightly('another secret'),
    'the receiver does not accept the signature: it has another secret (401 "invalid signature"',
    "Give the receiver the webhook's secret, or give wm the secret that the webhook was created with.",
  ],
  [
    'no proof',
    () => ({ status: 200 }),
    'the response has no X-Hook-Secret: the receiver does not handle handshakes, or a proxy removes the header.',
    'Recognise a handshake by requestType in its body',
  ],
  [
    'a redirect',
    () => ({ status: 308, headers: { Location: 'https://elsewhere.example/' } }),
    'a redirect to "https://elsewhere.example/", which the service is assumed not to follow',
    'Create the webhook with the URL at which the redirect ends',
  ],
] as const)
  test(`${description}: explained before anything is sent; --yes and --no-verify leave it to the service`, async (context) => {
    const { wm } = await emulated(context, { allowLocalHooks: true });
    const receiver = await startReceiver(context, respond);
    const create = ['webhook', 'create', receiver.url, '--quiet'];
    const ran = await wm([...create, ...within], signed);
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.startsWith(`The handshake with ${receiver.url} failed: `), ran.errors);
    assert.ok(ran.errors.includes(why), ran.errors);
    assert.ok(ran.errors.includes(`\n${fix}`), ran.errors);
    assert.match(
      ran.errors,
      /\nwm: Not confirmed: Create the webhook anyway\?\n {2}Cannot prompt: not a terminal\. Confirm with --yes\.\n$/,
    );
    assert.equal(receiver.arrived.length, tries(receiver), 'the service was not told');

    const confirmed = await wm([...create, ...within, '--yes'], signed);
    assert.ok(confirmed.errors.startsWith(`The handshake with ${receiver.url} failed: `), confirmed.errors);
    assert.match(confirmed.errors, /could not verify the secret/, 'said by the service');

    const before = tries(receiver);
    const unverified = await wm([...create, '--no-verify'], signed);
    assert.match(unverified.errors, /^wm: .*\n.*could not verify the secret/);
    assert.equal(tries(receiver), before);
    assert.equal((await wm(['webhook', 'list'])).output, '');
  });

test('explains a missing response within the time limit too', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const receiver = await startReceiver(context, () => new Promise(() => {}));
  const ran = await wm(['webhook', 'create', receiver.url, '--within', '1'], signed);
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /failed: no complete response within 1 s: the receiver is too slow/);
});

test('warns about a receiver that is unreachable from here, and the service tries it', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const { url } = await startReceiver(context, respondRightly(secret));
  const ran = await wm(['webhook', 'create', url, '--connect-to', '127.0.0.1:1', '--quiet'], signed);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(
    ran.errors,
    `Cannot try the handshake with ${url} from here: 127.0.0.1 refuses connections to port 1.
Start the receiver, or the proxy before it.
The service will try it now.
`,
  );
});

test('sends no handshake without a secret, for --dry-run or --curl, or if the webhook exists', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const receiver = await startReceiver(context, respondRightly(undefined));
  const create = ['webhook', 'create', receiver.url];
  for (const flag of ['--dry-run', '--curl']) assert.equal((await wm([...create, flag], signed)).status, 0);
  assert.equal((await wm(create)).status, 0);
  assert.equal((await wm([...create, '--if-not-exists'], signed)).status, 0);
  assert.deepEqual(receiver.arrived, []);
});

test('asks about a wrong response on a terminal (TERM=xterm)', async (context) => {
  const stage = await setStage(context);
  const receiver = await startReceiver(context, () => ({ status: 200 }));
  const url = 'http://hooks.example.com/signed';
  const commandLine = `wm webhook create ${url} --events TaskCreated --within 300 --connect-to 127.0.0.1:${receiver.port}`;
  const environment = { TERM: 'xterm', WM_WEBHOOK_SECRET: receiverSecret };
  for (const [answer, exit, shown] of [
    ['n', 2, 'Not confirmed; nothing was done'],
    ['y', 0, 'IEAAAAAQ'],
  ] as const) {
    const terminal = openInProcess(context, stage, commandLine, { columns: 200, environment });
    await terminal.shows(`The handshake with ${url} failed: the response has no X-Hook-Secret`);
    await terminal.shows('Create the webhook anyway?');
    await terminal.shows('(y/N)', `${answer}${key.enter}`);
    await terminal.shows(shown);
    assert.equal(await terminal.ended, exit);
  }
});
