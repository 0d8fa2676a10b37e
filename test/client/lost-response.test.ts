// Changes whose answer was lost: what is said afterwards is what is true of the service, read back from it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply, type Reply } from '#test/support/service/raw-server.ts';
import {
  answer,
  ask,
  firstLine,
  hook,
  hookId,
  hooks,
  lines,
  taskId,
} from '#test/support/service/scripted-service.ts';

const suspend = ['webhook', 'suspend', hookId, '--yes', '--json'];
const suspended = { ...hook, status: 'Suspended' };

/** Whether the n-th PUT takes effect, and whether its answer arrives. */
function service(
  puts: readonly { readonly done: boolean; readonly answered: boolean }[],
  readable = true,
): Reply {
  let status = 'Active';
  let count = 0;
  return (request) => {
    if (request.startsWith('PUT')) {
      const put = puts[Math.min(count++, puts.length - 1)];
      if (put?.done) status = 'Suspended';
      return put?.answered ? jsonReply(200, hooks({ ...hook, status })) : 'cut';
    }
    return count > 0 && !readable ? 'cut' : jsonReply(200, hooks({ ...hook, status }));
  };
}

test('suspend, every response lost, but the change was made: reported after reading back', async () => {
  const asked = await ask(suspend, service([{ done: true, answered: false }]));
  assert.equal(asked.status, 0, asked.errors);
  const { local, ...sent } = JSON.parse(asked.output);
  assert.deepEqual(sent, suspended);
  assert.equal(local.observed.status, 'Suspended');
  assert.match(asked.errors, /^Suspended: .*\(IEAAAAAQJAAAAAAB\), read back from the service/m);
  assert.deepEqual(asked.requests.map(firstLine), [
    `GET /api/v4/webhooks/${hookId} HTTP/1.1`,
    'GET /api/v4/webhooks HTTP/1.1',
    ...Array.from({ length: 3 }, () => `PUT /api/v4/webhooks/${hookId}?status=Suspended HTTP/1.1`),
    `GET /api/v4/webhooks/${hookId} HTTP/1.1`,
  ]);
});

test('suspend, every response lost and no change yet: exit 9, since it may still take effect', async () => {
  const asked = await ask(suspend, service([{ done: false, answered: false }]));
  assert.equal(asked.status, 9, asked.errors);
  assert.equal(asked.output, '');
  assert.match(
    JSON.parse(asked.errors).error.message,
    /Webhook IEAAAAAQJAAAAAAB \(https?:\S+\) is still Active, and the change to Suspended may yet take effect/,
  );
});

test('suspend, one response lost: the second attempt is accepted and still read back', async () => {
  const asked = await ask(
    suspend,
    service([
      { done: true, answered: false },
      { done: true, answered: true },
    ]),
  );
  assert.equal(asked.status, 0, asked.errors);
  assert.equal(asked.requests.filter((request) => request.startsWith('PUT')).length, 2);
});

test('suspend, the response lost and reading back fails: exit 9, with how to find out', async () => {
  for (const isDone of [true, false]) {
    const asked = await ask(suspend, service([{ done: isDone, answered: false }], false));
    assert.equal(asked.status, 9, asked.errors);
    assert.match(JSON.parse(asked.errors).error.hint, /wm webhook get IEAAAAAQJAAAAAAB/);
    assert.equal(asked.output, '');
  }
});

test('suspend, another user resumes at the same time: reports only what was read back', async () => {
  const asked = await ask(suspend, service([{ done: false, answered: true }]));
  assert.equal(asked.status, 1, asked.errors);
  const { message, hint } = JSON.parse(asked.errors).error;
  assert.equal(
    message,
    'Webhook IEAAAAAQJAAAAAAB (https://example.com/hook) is Active, not Suspended: the status was read back as Active; the change may have been undone by another user',
  );
  assert.match(hint, /^To see its status: wm webhook get IEAAAAAQJAAAAAAB/);
});

const create = [...lines.POST, '--json'];
const posted =
  (replies: { readonly list: string }): Reply =>
  (request) =>
    request.startsWith('POST') ? 'cut' : replies.list;

test('create, response lost: exit 9, sent once, and the webhooks with its URL are named', async () => {
  const otherHook = { ...hook, id: 'IEAAAAAQJAAAAAAC', hookUrl: 'https://example.com/hook2' };
  const older = { ...hook, id: 'IEAAAAAQJAAAAAAD' };
  const asked = await ask(create, posted({ list: jsonReply(200, hooks(older, otherHook, hook, otherHook)) }));
  assert.equal(asked.status, 9, asked.errors);
  assert.equal(asked.output, '');
  assert.match(
    asked.errors,
    /created now or earlier: IEAAAAAQJAAAAAAD \(Active\), IEAAAAAQJAAAAAAB \(Active\)/,
  );
  assert.deepEqual(asked.requests.map(firstLine), [
    'POST /api/v4/webhooks HTTP/1.1',
    'GET /api/v4/webhooks HTTP/1.1',
  ]);
});

test('create for a folder, response lost: does not name a webhook of another folder', async () => {
  const [mine, another] = ['IEAAAAAQI4AB5FLD', 'IEAAAAAQI4AB5SUB'];
  const made = { ...hook, id: 'IEAAAAAQJAAAAAAD', folderId: mine };
  const elsewhere = { ...hook, id: 'IEAAAAAQJAAAAAAC', folderId: another };
  const list = jsonReply(200, hooks(elsewhere, made));
  const asked = await ask([...create, '--folder', mine], posted({ list }));
  assert.equal(asked.status, 9, asked.errors);
  const { hint } = JSON.parse(asked.errors.split('\n').at(-2) ?? '').error;
  assert.match(hint, /^This webhook has this URL, created now or earlier: IEAAAAAQJAAAAAAD \(Active\)$/m);
  assert.doesNotMatch(hint, /IEAAAAAQJAAAAAAC/);
});

test('create, response lost and not in the list: exit 9, never retried', async () => {
  const near = [`${hook.hookUrl}/`, hook.hookUrl.toUpperCase(), 'https://example.com/hoo', undefined];
  const asked = await ask(
    create,
    posted({ list: jsonReply(200, hooks(...near.map((hookUrl) => ({ ...hook, hookUrl })))) }),
  );
  assert.equal(asked.status, 9, asked.errors);
  assert.equal(asked.requests.length, 2);
  assert.match(JSON.parse(asked.errors.split('\n').at(-2) ?? '').error.hint, /wm webhook list/);
});

test('create, response lost and the list cannot be read: exit 9', async () => {
  for (const list of [
    jsonReply(403, { error: 'access_forbidden', errorDescription: 'A fault of the test' }),
    jsonReply(500, {}),
    'not HTTP at all',
  ]) {
    const asked = await ask(create, posted({ list }));
    assert.equal(asked.status, 9, asked.errors);
    assert.equal(asked.requests.filter((request) => request.startsWith('POST')).length, 1);
  }
});

test('create, rejected: does not look for the webhook', async () => {
  const asked = await ask(create, [
    jsonReply(400, { error: 'invalid_parameter', errorDescription: 'hookUrl value is invalid' }),
  ]);
  assert.equal(asked.status, 2, asked.errors);
  assert.equal(asked.requests.length, 1);
});

test('update and delete, response lost: exit 9 with the command that shows the current state', async () => {
  const update = await ask(lines.PUT, ['cut']);
  assert.equal(update.status, 9);
  assert.match(update.errors, /wm task get IEAAAAAQKQAB5BNG/);
  const deletion = await ask(lines.DELETE, ['cut']);
  assert.equal(deletion.status, 9);
});

for (const [method, body] of [
  ['GET', hooks(hook)],
  ['PUT', { kind: 'tasks', data: [{ id: taskId, title: 'x' }] }],
  ['DELETE', hooks(hook)],
  ['POST', hooks(hook)],
] as const) {
  test(`${method}: a response that breaks off after complete JSON still gives the outcome`, async () => {
    const text = JSON.stringify(body);
    const cut = answer(200, ['Content-Type: application/json'], text, text.length + 1);
    const asked = await ask([...lines[method], '--verbose'], (request) =>
      request.startsWith('GET') && method !== 'GET' ? jsonReply(200, hooks(hook)) : cut,
    );
    assert.equal(asked.status, 0, asked.errors);
    assert.match(
      asked.errors,
      new RegExp(`^${method} \\S+ -> reset \\(.+\\), after a complete response with 200 in \\d+ ms$`, 'm'),
    );
    const sent = asked.requests.filter((request) => request.startsWith(method));
    assert.equal(sent.length, 1);
  });
}

test('PUT, rejected in complete JSON before the response breaks off: not changed', async () => {
  const body = JSON.stringify({ error: 'invalid_parameter', errorDescription: 'title is too long' });
  const cut = answer(400, ['Content-Type: application/json'], body, body.length + 1);
  const asked = await ask(lines.PUT, [cut]);
  assert.equal(asked.status, 2, asked.errors);
  assert.match(asked.errors, /title is too long/);
});

for (const method of ['PUT', 'DELETE', 'POST'] as const) {
  // It says that the request did not come in time; but some answer so when they did not get ready with it in time.
  test(`${method}, 408: the outcome is unknown`, async () => {
    const asked = await ask(lines[method], [jsonReply(408, { error: 'request_timeout' })]);
    assert.equal(asked.status, 9, asked.errors);
    assert.match(asked.errors, /A proxy, not the service, may have responded with 408/);
    assert.doesNotMatch(asked.errors, /[Nn]othing was changed/);
  });
}
