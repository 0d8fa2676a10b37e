// `wm webhook delete`: one question for all of them, each gone for certain and with a line of its own; if one fails, the
// others are still tried.

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

async function withThree(context: Parameters<typeof withHooks>[0]) {
  const hooks = await withHooks(context);
  const left = async (): Promise<readonly string[]> =>
    (await hooks.wm(['webhook', 'list', '-q'])).output.match(/^IE\w+/gm) ?? [];
  return { ...hooks, left };
}

/** A 404 that does not say that the webhook is not there: by a proxy, or of the service for another reason. */
const otherNotFound = {
  'a web page': ['text/html', '<h1>404 page not found</h1>'],
  'an empty body': ['text/plain', ''],
  'foreign JSON': ['application/json', '{"message":"no Route matched with those values"}'],
  'a code without a description': ['application/json', '{"error":"resource_not_found"}'],
  method_not_found: ['application/json', '{"error":"method_not_found","errorDescription":"no"}'],
  'a new code': ['application/json', '{"error":"hook_unknown","errorDescription":"no"}'],
} as const;

for (const [what, [type, body]] of Object.entries(otherNotFound)) {
  test(`404 with ${what}: reports that it still exists, by id, with --all and from a file`, async (context) => {
    const { wm, environment, one, two, three, left } = await withThree(context);
    const host = await inFront(context, environment['WM_HOST'], ({ method }, response) => {
      if (method !== 'DELETE') return false;
      response.writeHead(404, { 'Content-Type': type }).end(body);
      return true;
    });
    const input = 'version: 1\nwebhooks: []\n';
    for (const [argv, several] of [
      [['webhook', 'delete', one, '--yes'], false],
      [['webhook', 'delete', '--all', '--yes'], true],
      [['webhook', 'apply', '-', '--delete-others', '--yes'], true],
    ] as const) {
      const ran = await wm(argv, { environment: { WM_HOST: host }, input });
      assert.notEqual(ran.status, 0, ran.errors);
      assert.notEqual(ran.status, 5, ran.errors);
      assert.match(ran.errors, new RegExp(`${one}.* still exists`));
      assert.doesNotMatch(ran.errors, /no longer exists|Deleted:|[Nn]othing was changed/);
      if (!several) assert.equal(ran.output, '');
    }
    assert.deepEqual(await left(), [one, two, three]);
  });
}

test('404 means no longer there only if the webhook was seen before and the list lacks it', async (context) => {
  const missing = jsonReply(404, { error: 'resource_not_found', errorDescription: 'No such webhook' });
  const path = `webhooks/${missingId}`;
  const seen = hooks({ ...hook, id: missingId });
  const list = hooks({ ...hook, id: 'IEAAAAAQJAAAAAAC' });
  for (const [reads, listed, status, says] of [
    [[seen, missing], list, 0, /no longer exists\. Nothing was deleted\./],
    [[seen, missing], seen, 1, /still exists/],
    [[seen, missing], jsonReply(502, '<h1>Bad gateway</h1>'), 9, /could not read back/],
    [[seen, missing], { ...list, nextPageToken: 'more' }, 9, /could not read back/],
    [[cut, cut, cut, missing], list, 5, /was not found: it was deleted, or belongs to another application/],
    [[cut, cut, cut, missing], seen, 1, /still exists/],
  ] as const) {
    const { wm } = await answering(context, {
      'GET webhooks': [listed],
      [`GET ${path}`]: reads,
      [`DELETE ${path}`]: [missing],
    });
    const ran = await wm(['webhook', 'delete', missingId, '--yes']);
    assert.equal(ran.status, status, ran.errors);
    assert.match(ran.errors, says);
  }
});

test('unknown outcome for a webhook never seen before, without a usable response', async (context) => {
  const missing = jsonReply(404, { error: 'resource_not_found', errorDescription: 'No such webhook' });
  const path = `webhooks/${missingId}`;
  const { wm } = await answering(context, {
    'GET webhooks': [hooks()],
    [`GET ${path}`]: [cut, cut, cut, missing],
    [`DELETE ${path}`]: [jsonReply(403, {})],
  });
  const ran = await wm(['webhook', 'delete', missingId, '--yes']);
  assert.equal(ran.status, 9, ran.errors);
  assert.match(ran.errors, /was not found: it was deleted, or belongs to another application/);
});

test('a lost response: reads back whether it is gone', async (context) => {
  const { wm, environment, one, two, left } = await withThree(context);
  // The deletion of the first is done and that of the second is not; neither response arrives.
  let blind = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket, headers }) => {
    if (blind && method === 'GET') {
      socket.destroy();
      return true;
    }
    if (method !== 'DELETE') return false;
    if (url?.includes(two)) {
      socket.destroy();
      return true;
    }
    void fetch(`http://${environment['WM_HOST']}${url}`, {
      method,
      headers: { Authorization: headers.authorization ?? '' },
    }).then(() => socket.destroy());
    return true;
  });
  const setting = { environment: { WM_HOST: host }, world: noSleep };
  const gone = await wm(['webhook', 'delete', one, '--yes'], setting);
  assert.equal(gone.status, 0, gone.errors);
  assert.match(gone.output, new RegExp(`^${one}\tdeleted\t`));
  const unconfirmed = await wm(['webhook', 'delete', two, '--yes'], setting);
  assert.equal(unconfirmed.status, 9, unconfirmed.errors);
  assert.ok(unconfirmed.errors.includes(`wm webhook get ${two}`), unconfirmed.errors);
  assert.ok((await left()).includes(two));
  blind = true;
  const unseen = await wm(['webhook', 'delete', two, '--yes'], setting);
  assert.equal(unseen.status, 9, unseen.errors);
});

test('interrupted halfway: reports what is done, unknown and left', async (context) => {
  const { wm, environment, one, two, three, nameOne, nameThree } = await withThree(context);
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
