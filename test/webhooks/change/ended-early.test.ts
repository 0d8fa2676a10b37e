// Several webhooks, and a failure that would affect the others too: it ends the command, with its own status only if nothing was changed, and
// says how far the command got and how to continue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { createWorld } from '#world/create-world.ts';
import { jsonLines, withHooks } from '../three-webhooks.ts';

const missingId = 'IEAAAAAQJAAAAAAB';
const noPause = { clock: { ...createWorld().clock, sleep: async () => {} } };

test('a token rejected halfway: reports done, failed and untried webhooks', async (context) => {
  const { wm, environment, one, two, three, nameOne, nameTwo, nameThree, statuses } =
    await withHooks(context);
  const host = await inFront(
    context,
    environment['WM_HOST'],
    ({ method, url }, response) =>
      method === 'PUT' && url?.includes(two) === true && fail(response, 401, 'not_authorized'),
  );
  const ran = await wm(['webhook', 'suspend', one, missingId, two, three, '--yes', '--json'], {
    environment: { WM_HOST: host },
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.deepEqual(
    jsonLines(ran.output).map(({ id }) => id),
    [one],
  );
  const last = JSON.parse(ran.errors.trimEnd().split('\n').at(-1) ?? '').error;
  assert.deepEqual([last.code, last.httpStatus], ['part_failed', 401]);
  assert.ok(last.message.includes('not_authorized'), last.message);
  assert.ok(
    last.message.endsWith(
      `; ${nameOne} is Suspended; 3 of 4 webhooks were not suspended: ${missingId} and ${nameTwo} failed, and ${nameThree} was not tried`,
    ),
    last.message,
  );
  // A missing webhook is not repeated; how to sign in still comes first.
  assert.match(
    last.hint,
    new RegExp(`^.*WM_TOKEN.*\nThen repeat the rest: wm webhook suspend ${two} ${three} --yes$`),
  );
  assert.deepEqual(await statuses(), ['Suspended', 'Active', 'Active']);
});

test('token rejected at the first change: none was done', async (context) => {
  const { wm, control, one, two, three, nameOne, nameTwo, nameThree, statuses } = await withHooks(context);
  await control('faults', { request: 'updateWebhook', status: 401 });
  const ran = await wm(['webhook', 'suspend', one, two, three, '--yes', '--json']);
  assert.equal(ran.status, 4, ran.errors);
  assert.equal(ran.output, '');
  const { message, hint } = JSON.parse(ran.errors).error;
  const rest = `3 of 3 webhooks were not suspended: ${nameOne} failed, and ${nameTwo} and ${nameThree} were not tried`;
  assert.ok(message.endsWith(`; ${rest}`), message);
  assert.ok(hint.endsWith(`wm webhook suspend ${one} ${two} ${three} --yes`), hint);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('token rejected while reading the webhooks: none was tried', async (context) => {
  const { wm, control, one, two, nameOne, nameTwo, statuses } = await withHooks(context);
  await control('faults', { request: 'getWebhooks', status: 401 });
  const ran = await wm(['webhook', 'suspend', one, missingId, two, '--yes', '--json']);
  assert.equal(ran.status, 4, ran.errors);
  assert.equal(ran.output, '');
  const { message, hint } = JSON.parse(ran.errors).error;
  assert.ok(message.endsWith(`; ${nameOne}, ${missingId} and ${nameTwo} were not tried`), message);
  assert.ok(hint.endsWith(`wm webhook suspend ${one} ${missingId} ${two} --yes`), hint);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('token rejected at the last: marks and repeats an unknown outcome too', async (context) => {
  const { wm, environment, one, two, nameOne, nameTwo } = await withHooks(context);
  // The first change gets no response, and from then on the token is rejected.
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket }, response) => {
    isSent ||= method === 'PUT';
    if (!isSent) return false;
    if (method !== 'PUT' || !url?.includes(one)) return fail(response, 401, 'not_authorized');
    socket.destroy();
    return true;
  });
  const ran = await wm(['webhook', 'suspend', one, two, '--yes'], {
    environment: { WM_HOST: host },
    world: noPause,
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.equal(ran.output, '');
  const message = `1 of 2 webhooks was not suspended: ${nameTwo}; it is unknown whether ${nameOne} was suspended`;
  assert.ok(ran.errors.includes(`; ${message}\n`), ran.errors);
  assert.ok(ran.errors.endsWith(`wm webhook suspend ${one} ${two} --yes\n`), ran.errors);
});

test('signed out: none was tried; the hint is to sign in, then to repeat', async (context) => {
  const { wm } = await emulated(context, {}, { signedOut: true });
  const others = [missingId, 'IEAAAAAQJAAAAAAC'];
  for (const verb of ['suspend', 'delete']) {
    const ran = await wm(['webhook', verb, ...others, '--yes']);
    assert.equal(ran.status, 4, ran.errors);
    assert.ok(
      ran.errors.endsWith(`\n  Then repeat the rest: wm webhook ${verb} ${others.join(' ')} --yes\n`),
      ran.errors,
    );
    assert.ok(ran.errors.includes(`\n  ${others.join(' and ')} were not tried\n`), ran.errors);
  }
});
