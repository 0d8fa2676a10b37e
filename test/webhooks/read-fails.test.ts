// The service changes webhooks but fails to show them: exactly then users must be able to stop them. wm names the webhooks that
// it could not read, before and after.

import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { test } from 'node:test';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { onStage } from './on-stage.ts';
import { withHooks } from './three-webhooks.ts';

const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };

const isRead = ({ method }: IncomingMessage) => method === 'GET';
const failing = (request: IncomingMessage, response: ServerResponse) =>
  isRead(request) && fail(response, 500, 'server_error');
const cut = (request: IncomingMessage) => {
  if (isRead(request)) request.socket.destroy();
  return isRead(request);
};

test('suspends and reads back even if the read before fails', async (context) => {
  const { wm, control, one, two, nameOne, nameTwo, statuses } = await withHooks(context);
  for (const [ids, name] of [
    [[one], nameOne],
    [[two, one], nameTwo],
  ] as const) {
    await control('faults', { request: 'getWebhooks', status: 500, times: 3 });
    const ran = await wm(['webhook', 'suspend', ...ids, '--yes'], { world: noPause });
    assert.equal(ran.status, 0, ran.errors);
    const [first] = ids;
    assert.match(
      ran.errors,
      new RegExp(
        `^Webhook ${first} \\(http\\S+\\) could not be read beforehand: The service responded with 500 .*$`,
        'm',
      ),
    );
    assert.ok(ran.errors.includes(`Suspended: ${name}, read back from the service.`), ran.errors);
    assert.match(ran.output, new RegExp(`^${first}\tSuspended\t`));
  }
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Active']);
});

for (const [how, takes] of [
  ['answered 500', failing],
  ['cut off', cut],
] as const) {
  test(`every read is ${how}: sends the change, and reports the response of the service`, async (context) => {
    const { wm, environment, one, two, three, statuses } = await withHooks(context);
    const options = {
      environment: { WM_HOST: await inFront(context, environment['WM_HOST'], takes) },
      world: noPause,
    };
    const ran = await wm(['webhook', 'suspend', one, '--yes', '--json'], options);
    assert.equal(ran.status, 9, ran.errors);
    assert.equal(ran.output, '');
    const { message, hint } = JSON.parse(ran.errors.trimEnd().split('\n').at(-1) ?? '').error;
    const notReadBack = (id: string) =>
      `Webhook ${id}: the service responded that it is Suspended, but its status could not be read back`;
    assert.ok(message.startsWith(notReadBack(one)), message);
    assert.ok(hint.includes(`wm webhook get ${one}`), hint);

    const several = await wm(['webhook', 'suspend', two, three, '--yes'], options);
    assert.equal(several.status, 8, several.errors);
    for (const id of [two, three])
      assert.ok(several.errors.includes(`wm: ${notReadBack(id)}`), several.errors);
    assert.ok(several.errors.endsWith(`wm webhook suspend ${two} ${three} --yes\n`), several.errors);
    assert.doesNotMatch(several.errors, /[Nn]othing was changed/);
    assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Suspended']);
  });
}

test('without a prompt: the question says what could not be read', async (context) => {
  const { wm, environment, one, three, nameThree, statuses } = await withHooks(context);
  const host = await inFront(
    context,
    environment['WM_HOST'],
    (request, response) => request.url?.includes(three) !== true && failing(request, response),
  );
  for (const [ids, question] of [
    [[one], `Suspend webhook ${one} (could not be read)?`],
    [[one, three], `Suspend 2 webhooks: webhook ${one} (could not be read) and ${nameThree}?`],
  ] as const) {
    const ran = await wm(['webhook', 'suspend', ...ids], { environment: { WM_HOST: host }, world: noPause });
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.includes(`wm: Not confirmed: ${question}\n`), ran.errors);
  }
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('stops at a rejected read: sends nothing', async (context) => {
  const { wm, control, one, statuses } = await withHooks(context);
  for (const [status, error, exit] of [
    [403, 'access_forbidden', 3],
    [404, 'resource_not_found', 5],
    [401, 'not_authorized', 4],
  ]) {
    await control('faults', { request: 'getWebhooks', status, error });
    const ran = await wm(['webhook', 'suspend', one, '--yes']);
    assert.equal(ran.status, exit, ran.errors);
  }
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('on a terminal: asks, even if the account cannot be read', async (context) => {
  const { open, stage, ids, shown } = await onStage(context, 'one');
  let changed = false;
  const host = await inFront(context, stage.emulator.host, (request, response) => {
    changed ||= request.method === 'PUT';
    return !changed && failing(request, response);
  });
  const terminal = open(`wm webhook suspend ${ids[0]}`, { environment: { WM_HOST: host } });
  await terminal.shows(`Webhook ${ids[0]} could not be read beforehand: `);
  await terminal.shows('Cannot read the account: ');
  await terminal.shows(`Suspend webhook ${ids[0]} (could not be read)? (y/N)`, `y${key.enter}`);
  await terminal.shows(`Suspended: ${shown[0]}, read back`);
  assert.equal(await terminal.ended, 0);
});

test('--yes on a terminal: asks nothing, and does not look up the account for a question', async (context) => {
  const { open, ids } = await onStage(context, 'one');
  const terminal = open(`wm webhook suspend ${ids[0]} --yes`);
  await terminal.shows('Suspended: ');
  assert.equal(await terminal.ended, 0);
  assert.match(terminal.text, /^Account IEAAAAAQ\r?$/m);
  assert.doesNotMatch(terminal.text, /, as |\(y\/N\)/);
});
