// `wm webhook delete`: one question for all of them, each gone for certain and with a line of its own; if one fails, the
// others are still tried.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { hook, hooks } from '#test/support/service/scripted-service.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { readLocal } from './local-records.ts';
import { answering, cut } from './records.ts';
import { withHooks } from './three-webhooks.ts';

const missingId = 'IEAAAAAQJAAAAAAB';
const noSleep = { clock: { ...createWorld().clock, sleep: async () => {} } };

async function withThree(context: Parameters<typeof withHooks>[0]) {
  const hooks = await withHooks(context);
  const remainingIds = async () =>
    (await hooks.wm(['webhook', 'list', '-q'])).output
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('\t')[0]);
  return { ...hooks, left: remainingIds };
}

test('deletes each and prints a line or object; counts a repeated id once', async (context) => {
  const { wm, one, two, three, nameOne, nameTwo, left } = await withThree(context);
  const ran = await wm(['webhook', 'delete', one, two, one, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(
    ran.output,
    `${one}\tdeleted\thttp://hooks.example.com/one\n${two}\tdeleted\thttp://hooks.example.com/two\n`,
  );
  for (const name of [nameOne, nameTwo])
    assert.ok(ran.errors.includes(`Deleted: ${name}. The service no longer has it.`), ran.errors);
  assert.deepEqual(await left(), [three]);
  const json = await wm(['webhook', 'delete', three, '--yes', '--json']);
  const object = { id: three, hookUrl: 'http://hooks.example.com/three', deleted: true };
  assert.equal(json.output, `${JSON.stringify(object)}\n`);
  assert.deepEqual(await left(), []);
});

test('one does not exist: deletes the others and exits with 8', async (context) => {
  const { wm, one, two, three, left } = await withThree(context);
  const ran = await wm(['webhook', 'delete', one, missingId, two, '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, new RegExp(`^${one}\tdeleted\t.*\n${two}\tdeleted\t.*\n$`));
  assert.match(ran.errors, new RegExp(`^wm: 1 of 3 webhooks was not deleted: ${missingId}$`, 'm'));
  assert.deepEqual(await left(), [three]);
  // Of a single id the status is the failure's own.
  assert.equal((await wm(['webhook', 'delete', missingId, '--yes'])).status, 5);
});

test('one is rejected: names it, with the command that deletes it', async (context) => {
  const { wm, control, one, two, three, nameTwo, left } = await withThree(context);
  await control('faults', { request: 'deleteWebhook', status: 403, error: 'not_allowed' });
  const ran = await wm(['webhook', 'delete', two, one, '--yes']);
  assert.equal(ran.status, 8, ran.errors);
  assert.ok(ran.errors.includes(`wm: 1 of 2 webhooks was not deleted: ${nameTwo}`), ran.errors);
  assert.deepEqual(await left(), [two, three]);
  assert.equal((await wm(printedCommand(ran.errors, 'You can run it again safely: '))).status, 0);
  assert.deepEqual(await left(), [three]);
});

test('a token rejected halfway: reports what is done and what is left', async (context) => {
  const { wm, environment, one, two, three, nameOne, nameTwo, nameThree } = await withThree(context);
  const host = await inFront(context, environment['WM_HOST'], ({ method, url }, response) =>
    method === 'DELETE' && url?.includes(two) ? fail(response, 401, 'not_authorized') : false,
  );
  const ran = await wm(['webhook', 'delete', one, two, three, '--yes'], { environment: { WM_HOST: host } });
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, new RegExp(`^${one}\tdeleted\t.*\n$`));
  assert.ok(ran.errors.includes(`${nameOne} is deleted`), ran.errors);
  const rest = `2 of 3 webhooks were not deleted: ${nameTwo} failed, and ${nameThree} was not tried`;
  assert.ok(ran.errors.includes(rest), ran.errors);
  assert.ok(ran.errors.includes(`wm webhook delete ${two} ${three}`), ran.errors);
});

test('a service that confirms but keeps the webhook: not reported as deleted', async (context) => {
  const { wm, environment, one, two } = await withThree(context);
  const host = await inFront(context, environment['WM_HOST'], ({ method, url }, response) => {
    if (method !== 'DELETE' || !url?.includes(one)) return false;
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end('{"kind":"webhooks","data":[]}');
    return true;
  });
  const setting = { environment: { WM_HOST: host } };
  const single = await wm(['webhook', 'delete', one, '--yes'], setting);
  assert.deepEqual([single.status, single.output], [1, '']);
  const others =
    '2 more active webhooks deliver to other URLs of hooks.example.com. To list them: wm webhook list --status active --url //hooks.example.com/\n';
  const whom = `wm: Webhook ${one} (http://hooks.example.com/one) still exists`;
  assert.ok(single.errors.startsWith(`Account IEAAAAAQ\n${others}${whom}`), single.errors);
  const several = await wm(['webhook', 'delete', one, two, '--yes'], setting);
  assert.equal(several.status, 8, several.errors);
  assert.match(several.output, new RegExp(`^${two}\tdeleted\t.*\n$`));
});

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

test('deletes nothing without confirmation; the question names each URL', async (context) => {
  const { wm, one, two, nameOne, nameTwo, left } = await withThree(context);
  const ran = await wm(['webhook', 'delete', one, two]);
  assert.equal(ran.status, 2, ran.errors);
  assert.ok(ran.errors.includes(`Delete 2 webhooks for good: ${nameOne} and ${nameTwo}?`), ran.errors);
  assert.equal((await left()).length, 3);
});

test('shows one request per webhook', async (context) => {
  const { wm, one, two, left } = await withThree(context);
  const shown = await wm(['webhook', 'delete', one, two, '--dry-run', '--json']);
  assert.deepEqual(
    shown.output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).method),
    ['DELETE', 'DELETE'],
  );
  assert.equal((await left()).length, 3);
});

test('asks one question for all of them on a terminal', async (context) => {
  const stage = await setStage(context);
  const ids: string[] = [];
  for (const name of ['one', 'two']) {
    const hookUrl = `https://hooks.example.com/${name}`;
    ids.push((await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id);
  }
  const terminal = openInProcess(context, stage, `wm webhook delete ${ids.join(' ')}`, { columns: 200 });
  await terminal.shows('Account Paper Lantern Studio, as Ada Fields');
  for (const [index, name] of ['one', 'two'].entries())
    await terminal.shows(`https://hooks.example.com/${name} (${ids[index]})`);
  await terminal.shows('Delete these 2 webhooks for good?');
  await terminal.shows('(y/N)');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual((await call(stage.emulator, 'GET', '/webhooks')).body.data, []);
});
