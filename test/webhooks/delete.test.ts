// `wm webhook delete` of a webhook that cannot be read beforehand, and interrupted. test/transcript/webhook-deleted.txt shows when one is
// gone for certain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { hook, hooks } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { readLocal } from './local-records.ts';
import { answering, cut } from './records.ts';
import { withHooks } from './three-webhooks.ts';

const missingId = 'IEAAAAAQJAAAAAAB';
const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

test('404 for a webhook that was not seen before: what the list shows counts', async (context) => {
  const missing = jsonReply(404, { error: 'resource_not_found', errorDescription: 'No such webhook' });
  const path = `webhooks/${missingId}`;
  const notFound = /was not found: it was deleted, or belongs to another application/;
  for (const [deleted, listed, status, says] of [
    [missing, hooks({ ...hook, id: 'IEAAAAAQJAAAAAAC' }), 5, notFound],
    [missing, hooks({ ...hook, id: missingId }), 1, /still exists/],
    [jsonReply(403, {}), hooks(), 9, notFound],
  ] as const) {
    const { wm } = await answering(context, {
      'GET webhooks': [listed],
      [`GET ${path}`]: [cut, cut, cut, missing],
      [`DELETE ${path}`]: [deleted],
    });
    const ran = await wm(['webhook', 'delete', missingId, '--yes']);
    assert.equal(ran.status, status, ran.errors);
    assert.match(ran.errors, says);
  }
});

test('interrupted halfway: reports what is done, unknown and left', async (context) => {
  const { wm, environment, one, two, three, nameOne, nameThree } = await withHooks(context);
  const signals = handSignals();
  let isInterrupted = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket }) => {
    if (isInterrupted) socket.destroy();
    else if (method === 'DELETE' && url?.includes(two)) {
      isInterrupted = true;
      signals.interrupt('SIGINT');
    }
    return isInterrupted;
  });
  const setting = { environment: { WM_HOST: host } };
  for (const id of [one, two]) {
    const input = 'a-secret-of-no-webhook';
    assert.equal((await wm(['webhook', 'label', id, `label ${id}`], setting)).status, 0);
    await wm(['webhook', 'secret', id, '--store', '--secret-stdin'], { ...setting, input });
  }
  const ran = await wm(['webhook', 'delete', one, two, three, '--yes'], {
    ...setting,
    world: { process: signals.process, ...noSleep },
  });
  assert.equal(ran.status, 130, ran.errors);
  const labelled = nameOne.replace(')', `, 'label ${one}')`);
  assert.ok(ran.errors.includes(`${labelled} is deleted; ${nameThree} was not tried`), ran.errors);
  assert.ok(ran.errors.includes(`wm webhook get ${two}`), ran.errors);
  assert.ok(ran.errors.includes(`wm webhook delete ${two} ${three}`), ran.errors);
  // What this machine stored of the first has gone with it.
  assert.deepEqual(Object.keys(await readLocal({ ...environment, ...setting.environment })), [two]);
  const states: (string | undefined)[] = [];
  for (const id of [one, two])
    states.push((await wm(['webhook', 'secret', id], setting)).output.split('\t')[1]);
  assert.deepEqual(states, ['not stored', 'stored']);
});
