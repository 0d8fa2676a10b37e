// `wm webhook create URL --if-not-exists` several times at once: on one machine and on two. One webhook is left, and where that is
// not certain a warning names them; never none.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';

const hookUrl = 'https://hooks.example.com/orders';
const create = ['webhook', 'create', hookUrl, '--if-not-exists', '--yes', '--json'];

async function idsIn({ wm }: Emulated): Promise<readonly string[]> {
  return JSON.parse((await wm(['webhook', 'list', '--json'])).output).map(({ id }: { id: string }) => id);
}

test('six at once on one machine: one creates the webhook, and all print it', async (t) => {
  const service = await emulated(t);
  const runs = await Promise.all(Array.from({ length: 6 }, () => service.wm(create)));
  for (const { status, errors } of runs) assert.equal(status, 0, errors);
  const ids = await idsIn(service);
  assert.equal(ids.length, 1, runs.map(({ errors }) => errors).join(''));
  assert.deepEqual(new Set(runs.map(({ output }) => JSON.parse(output).id)), new Set(ids));
});

test('takes turns with apply, which may create the same webhook', async (t) => {
  const service = await emulated(t);
  const input = `{"version":1,"webhooks":[{"url":"${hookUrl}","scope":"account","events":"all"}]}`;
  const runs = await Promise.all([
    service.wm(['webhook', 'apply', '-', '--yes'], { input }),
    service.wm(create),
    service.wm(['webhook', 'apply', '-', '--yes'], { input }),
    service.wm(create),
  ]);
  for (const { status, errors } of runs) assert.equal(status, 0, errors);
  assert.equal((await idsIn(service)).length, 1);
});

interface Stored {
  readonly id: string;
  readonly hookUrl: string;
  status: string;
  readonly folderId?: string;
  readonly events?: readonly string[];
}

type Handle = (name: string) => Promise<number | undefined> | number | undefined;

/** A service that gives the new webhooks these ids. `handle` runs before each request, and may return the status of an error. */
async function serviceOf(t: TestContext, newIds: string[], webhooks: Stored[], handle: Handle) {
  const server = createServer(async ({ method, url = '' }, response) => {
    const path = decodeURIComponent(url.replace(/^\/api\/v4\//, ''));
    const status = (await handle(`${method} ${path}`)) ?? 200;
    const id = path.replace(/^webhooks\/?/, '');
    const reply = (data: readonly object[]) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      const error = { error: 'access_forbidden', errorDescription: 'Of the test' };
      response.end(JSON.stringify(status === 200 ? { kind: 'webhooks', data } : error));
    };
    if (status !== 200) return reply([]);
    if (method === 'POST') {
      const [, folderId] = /^folders\/(\w+)/.exec(path) ?? [];
      const inFolder = folderId ? { folderId } : {};
      const created = { id: newIds.shift() ?? 'none', hookUrl, status: 'Active', ...inFolder };
      webhooks.push(created);
      return reply([created]);
    }
    const found = id === '' ? webhooks : webhooks.filter((webhook) => webhook.id === id);
    if (found.length === 0 && id !== '') {
      response.writeHead(404, { 'Content-Type': 'application/json' });
      return response.end('{"error":"resource_not_found","errorDescription":"Of the test"}');
    }
    if (method === 'DELETE')
      webhooks.splice(0, webhooks.length, ...webhooks.filter((webhook) => webhook.id !== id));
    return reply(method === 'DELETE' ? [] : found);
  });
  const environment = { WM_HOST: `127.0.0.1:${await listening(server, t)}`, WM_TOKEN: 'token-of-a-test' };
  /** Each run has a folder of its own, as on a machine of its own. */
  return (argv: readonly string[]) => run(argv, { environment });
}

function event() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return [happened, () => happen()] as const;
}

for (const folder of [[], ['--folder', 'IEAAAAAQI4AB5FLD']])
  test(`two machines at once${folder.length === 0 ? '' : ', in a folder'}: the one whose id sorts last deletes its webhook`, async (t) => {
    const seen: string[] = [];
    const webhooks: Stored[] = [];
    const [bothLooked, looked] = event();
    const [bothCreated, created] = event();
    // By bytes; by the alphabet it would be the other way around.
    const wm = await serviceOf(t, ['b', 'C'], webhooks, async (name) => {
      seen.push(name);
      const [looks, posts] = ['GET webhooks', 'POST '].map(
        (start) => seen.filter((one) => one.startsWith(start)).length,
      );
      if (looks === 2) looked();
      if (posts === 2) setImmediate(created);
      if (name === 'GET webhooks') await (posts === 0 ? bothLooked : bothCreated);
    });
    const runs = await Promise.all([wm([...create, ...folder]), wm([...create, ...folder])]);
    for (const { status, errors } of runs) assert.equal(status, 0, errors);
    assert.deepEqual(
      webhooks.map(({ id }) => id),
      ['C'],
    );
    for (const { output } of runs) assert.equal(JSON.parse(output).id, 'C');
    assert.equal(seen.filter((name) => name.startsWith('DELETE')).join(), 'DELETE webhooks/b');
  });

/** Another machine creates `rival` between the first look and the creation. */
async function withRival(
  t: TestContext,
  rival: Partial<Stored>,
  handle: (name: string, webhooks: Stored[]) => number | undefined = () => undefined,
  argv = create,
) {
  const webhooks: Stored[] = [];
  const seen: string[] = [];
  const wm = await serviceOf(t, ['M'], webhooks, (name) => {
    seen.push(name);
    if (name.startsWith('POST')) webhooks.push({ id: 'A', hookUrl, status: 'Active', ...rival });
    return handle(name, webhooks);
  });
  const ran = await wm(argv);
  assert.equal(ran.status, 0, ran.errors);
  return { ...ran, wm, seen, ids: webhooks.map(({ id }) => id).toSorted() };
}

test('if the id from the other machine sorts last, keeps both; a warning names both and the command', async (t) => {
  const { output, errors, ids, wm } = await withRival(t, { id: 'm' });
  assert.deepEqual(ids, ['M', 'm']);
  assert.equal(JSON.parse(output).id, 'M');
  assert.match(errors, /\bM and m\b/);
  assert.equal((await wm([...printedCommand(errors, 'To keep only M: '), '--yes'])).status, 0);
});

for (const [doubt, rival, names, handle] of [
  ['it is in another folder', { folderId: 'IEAAAAAQI4AB5FLD' }, 'A and M', undefined],
  ['it is Suspended', { status: 'Suspended' }, 'M and A', undefined],
  ['it delivers other events', { events: ['TaskCreated'] }, 'A and M', undefined],
  ['it cannot be read', {}, 'A and M', (name: string) => (name === 'GET webhooks/A' ? 403 : undefined)],
  [
    'the own one cannot be deleted',
    {},
    'A and M',
    (name: string) => (name === 'DELETE webhooks/M' ? 403 : undefined),
  ],
] as const)
  test(`the other id sorts first, but ${doubt}: keeps both, and a warning names both`, async (t) => {
    const { output, errors, ids } = await withRival(t, rival, handle);
    assert.deepEqual(ids, ['A', 'M']);
    assert.equal(JSON.parse(output).id, 'M');
    assert.ok(errors.includes(`Webhooks ${names} were created for ${hookUrl} at the same time.`), errors);
    const [keep, last] = names.split(' and ');
    assert.deepEqual(printedCommand(errors, `To keep only ${keep}: `), ['webhook', 'delete', last]);
  });

test('keeps both if created for a space, which the service does not show; a warning names both', async (t) => {
  const argv = [...create, '--space', 'IEAAAAAQI4AB5FLD'];
  const { output, errors, ids, seen } = await withRival(t, {}, undefined, argv);
  assert.ok(seen.includes('POST spaces/IEAAAAAQI4AB5FLD/webhooks'), seen.join());
  assert.deepEqual(ids, ['A', 'M']);
  assert.equal(JSON.parse(output).id, 'M');
  assert.deepEqual(printedCommand(errors, 'To keep only A: '), ['webhook', 'delete', 'M']);
});

test('keeps its own webhook if the other one is gone when read', async (t) => {
  const { output, ids, errors } = await withRival(t, {}, (name, webhooks) => {
    if (name === 'GET webhooks/A') webhooks.shift();
    return undefined;
  });
  assert.deepEqual(ids, ['M']);
  assert.equal(JSON.parse(output).id, 'M');
  assert.doesNotMatch(errors, /webhook delete/);
});

test('keeps both if the list does not have its own webhook yet', async (t) => {
  let hidden: Stored[] = [];
  const { output, errors, ids } = await withRival(t, {}, (name, webhooks) => {
    if (name === 'GET webhooks') hidden = webhooks.splice(1);
    return undefined;
  });
  assert.deepEqual([...ids, ...hidden.map(({ id }) => id)], ['A', 'M']);
  assert.equal(JSON.parse(output).id, 'M');
  assert.match(errors, /\bA and M\b/);
});

test('prints the webhook with a warning if the second lookup fails', async (t) => {
  const { output, errors, ids } = await withRival(t, {}, (name, webhooks) =>
    name === 'GET webhooks' && webhooks.length > 0 ? 403 : undefined,
  );
  assert.deepEqual(ids, ['A', 'M']);
  assert.equal(JSON.parse(output).id, 'M');
  assert.match(errors, /^Cannot check whether another webhook was created at the same time as M: .*403/m);
});

test('deletes nothing without --if-not-exists: two are intended', async (t) => {
  const argv = ['webhook', 'create', hookUrl, '--yes'];
  const { ids, seen } = await withRival(t, {}, undefined, argv);
  assert.deepEqual(ids, ['A', 'M']);
  assert.deepEqual(
    seen.filter((name) => !name.startsWith('GET webhooks')),
    ['POST webhooks'],
  );
});

test('says that no webhook has the generated secret if the other machine created it', async (t) => {
  const argv = ['webhook', 'create', hookUrl, '--if-not-exists', '--yes', '--generate-secret', '--no-verify'];
  const { errors, ids } = await withRival(t, {}, undefined, argv);
  assert.deepEqual(ids, ['A']);
  assert.match(errors, /^No webhook has the generated secret\.$/m);
});
