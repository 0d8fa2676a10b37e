// `wm-cli/emulator`: emulators in a test's own process, as a test uses them.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createClient } from '#library/client.ts';
import type { Emulator } from '#library/emulator-handle.ts';
import { EmulatorError, type EmulatorErrorCode } from '#library/emulator-parts.ts';
import { type EmulatorStartOptions, startEmulator } from '#library/start-emulator.ts';

async function start(test: TestContext, options?: EmulatorStartOptions): Promise<Emulator> {
  const emulator = await startEmulator(options);
  test.after(() => emulator.stop());
  return emulator;
}

async function update({ baseUrl, token, sample }: Emulator, title: string, as = token): Promise<number> {
  const url = `${baseUrl}/tasks/${sample.task}?title=${title}`;
  const response = await fetch(url, { method: 'PUT', headers: { Authorization: `Bearer ${as}` } });
  await response.arrayBuffer();
  return response.status;
}

async function titleAt({ baseUrl, token, sample }: Emulator): Promise<unknown> {
  const response = await fetch(`${baseUrl}/tasks/${sample.task}?access_token=${token}`);
  const body = JSON.parse(await response.text());
  return body.data[0].title;
}

/** What a failed call must be: the class, so that a test can tell it from an assertion of its own, and a message. */
function failure(code: EmulatorErrorCode, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof EmulatorError, String(error));
    assert.deepEqual([error.name, error.code], ['EmulatorError', code]);
    assert.match(error.message, message);
    return true;
  };
}

const connectionRefused = ({ cause }: Error) => /ECONNREFUSED/.test(String(cause));

test('eight emulators at once share nothing', async (context) => {
  const all = await Promise.all(Array.from({ length: 8 }, () => start(context)));
  assert.equal(new Set(all.flatMap(({ host, token }) => [host, token])).size, 16);
  assert.deepEqual(
    await Promise.all(all.map((emulator, at) => update(emulator, `title-${at}`))),
    all.map(() => 200),
  );
  assert.deepEqual(
    await Promise.all(all.map(titleAt)),
    all.map((_, at) => `title-${at}`),
  );
  const frozen = new Date('2026-05-01T00:00:00Z');
  await all[0]?.clock.freeze(frozen);
  const times = await Promise.all(all.map(({ clock }) => clock.now()));
  assert.deepEqual(
    times.map((time) => time.getTime() === frozen.getTime()),
    all.map((_, at) => at === 0),
  );
  await all[0]?.stop();
  assert.deepEqual(
    await Promise.all(all.slice(1).map((emulator) => update(emulator, 'still-there'))),
    Array(7).fill(200),
  );
});

test('a stop closes what clients still hold open: an idle connection, and a request without a response', async () => {
  const emulator = await startEmulator();
  const idle = connect(Number(new URL(emulator.authUrl).port), '127.0.0.1');
  await once(idle, 'connect');
  await emulator.faults.add({ request: 'getAccount', silence: true });
  const waiting = fetch(`${emulator.baseUrl}/account?access_token=${emulator.token}`);
  // Used once the request is there.
  while ((await emulator.faults.list()).length > 0) await new Promise((turn) => setImmediate(turn));
  const closed = once(idle, 'close');
  await Promise.all([emulator.stop(), assert.rejects(waiting), closed]);
  await assert.rejects(fetch(emulator.authUrl), connectionRefused);
});

test('a second stop changes nothing, even during the first', async () => {
  const emulator = await startEmulator();
  await Promise.all([emulator.stop(), emulator.stop()]);
  await emulator.stop();
  await emulator[Symbol.asyncDispose]();
});

test('`await using` stops the emulator', async () => {
  const emulator = await startEmulator();
  await emulator[Symbol.asyncDispose]();
  await assert.rejects(fetch(emulator.authUrl), connectionRefused);
});

test('a stopped emulator rejects every call', async () => {
  const emulator = await startEmulator();
  await emulator.stop();
  const stopped = failure('stopped', /was stopped/);
  await assert.rejects(emulator.clock.now(), stopped);
  await assert.rejects(emulator.emit('TaskTitleChanged'), stopped);
  await assert.rejects(emulator.requests(), stopped);
});

test('a port that is taken', async (context) => {
  const first = await start(context);
  const port = Number(new URL(first.authUrl).port);
  await assert.rejects(
    startEmulator({ port }),
    failure('port_in_use', new RegExp(`^The emulator cannot listen on port ${port}: .*Choose another port`)),
  );
  assert.equal(await update(first, 'unharmed'), 200);
});

test('a mistake in a call is an error with the reason, from the line of the call', async (context) => {
  const emulator = await start(context);
  const misspelt = emulator.faults.add({ request: 'updateTaks', status: 503 });
  await assert.rejects(misspelt, failure('invalid_value', /did you mean "?updateTask/));
  await assert.rejects(
    misspelt,
    (error: Error) => error.stack?.includes('start-emulator.test') || assert.fail(error.stack),
  );
  const { faults, stubs, users, clock } = emulator;
  for (const [call, code, message] of [
    [() => faults.add({ request: 'any' }), 'invalid_value', /A fault needs/],
    [() => stubs.add({ request: 'PUT /tasks/{id}' }), 'invalid_value', /updateTask, which the emulator has/],
    [() => emulator.emit('TaskStatusChanged', { status: 'Bogus' }), 'invalid_value', /Bogus/],
    [() => emulator.deliveries('IEAAAAAQJYAAAAAA'), 'not_found', /IEAAAAAQJYAAAAAA/],
    [() => users.change('KUANOONE', { active: false }), 'not_found', /KUANOONE/],
    [() => users.remove('KUANOONE'), 'not_found', /KUANOONE/],
    [() => emulator.createToken({ userId: 'KUANOONE' }), 'not_found', /KUANOONE/],
    [() => emulator.createTasks({ count: 0 }), 'invalid_value', /0/],
    [() => clock.advance(-1), 'invalid_value', /^-1 is not a number of milli/],
  ] as const)
    await assert.rejects(call, failure(code, message));
});

test('an invalid option in a JavaScript program is an error that names it', async (context) => {
  const emulator = await start(context);
  /** As JavaScript calls it. */
  const call = (options: unknown) => Reflect.apply(startEmulator, undefined, [options]);
  const cyclic: Record<string, unknown> = { version: 1 };
  cyclic['tasks'] = cyclic;
  for (const [options, message] of [
    [{ sead: {} }, /"sead" is not a member of the options of startEmulator: port, application/],
    [{ mode: 'lax' }, /mode: "lax" is not one of default, bare, strict/],
    [{ port: '4010' }, /port: "4010" is not a number/],
    [{ port: -1 }, /port: -1/],
    [{ port: 4010.5 }, /port: 4010.5 is not a whole number/],
    [{ application: { clientId: '' } }, /clientId: "" is not a client id/],
    [{ connectTo: { 'hooks.example.com': '127.0.0.1:80' } }, /connectTo: .* is not a list/],
    [{ connectTo: [{ host: 'a:80', address: 'b', port: 80 }] }, /host: "a:80" is not a host name/],
    [{ connectTo: [{ host: 'a', address: '127.0.0.1', port: 0 }] }, /port: 0/],
    [{ retrySeconds: [1] }, /two numbers/],
    [{ log: 'console' }, /log is not a function/],
    [{ seed: 'version: 1' }, /The seed cannot be used/],
    [{ seed: { version: 1, tasks: [{ title: 1n }] } }, /title: 1 is not text/],
    [{ seed: cyclic }, /tasks is not a list/],
    ['port', /not an object/],
  ] as const)
    await assert.rejects(call(options), failure('invalid_value', message));
  const { clock } = emulator;
  const freeze = (at: unknown) => Reflect.apply(clock.freeze, clock, [at]);
  for (const at of ['2030-01-01T00:00:00Z', new Date('never'), 0])
    await assert.rejects(freeze(at), failure('invalid_value', /is not a date: write new Date/));
  await assert.rejects(
    Reflect.apply(clock.advance, clock, ['5m']),
    failure('invalid_value', /"5m" is not a number of milliseconds/),
  );
  // As if it were left out.
  const plain = await call({ mode: undefined, port: undefined, seed: undefined });
  await plain.stop();
});

test('a misspelt member in a call is an error that names it', async (context) => {
  const emulator = await start(context);
  /** As JavaScript calls it. */
  const call = (name: 'requests' | 'createToken' | 'createTasks', options: unknown) =>
    Reflect.apply(emulator[name], emulator, [options]);
  for (const [name, options, message] of [
    [
      'requests',
      { rejeted: true },
      /^"rejeted" is not an option of requests: operation, rejected, ignored, since$/,
    ],
    ['requests', { rejected: 'yes' }, /^requests: rejected is not a boolean$/],
    ['createToken', { userID: emulator.sample.ben }, /"userID" is not a member of/],
    ['createTasks', { titel: 'x' }, /"titel" is not a member of/],
  ] as const)
    await assert.rejects(call(name, options), failure('invalid_value', message));
});

test('the request log, and what a test expects of it', async (context) => {
  const emulator = await start(context);
  await emulator.expectRequests({ any: 0 });
  await update(emulator, 'a');
  await update(emulator, '');
  const [first, second] = await emulator.requests({ operation: 'updateTask' });
  assert.deepEqual([first?.status, first?.reason], [200, undefined]);
  assert.equal(second?.status, 400);
  assert.match(second?.reason ?? '', /title/);
  assert.ok(!JSON.stringify([first, second]).includes(emulator.token));
  assert.deepEqual(await emulator.requests({ rejected: true }), [second]);
  assert.deepEqual(await emulator.requests({ since: first?.number ?? 0 }), [second]);
  assert.deepEqual(await emulator.requests({ operation: ['getAccount', 'token'] }), []);
  await emulator.expectRequests({ updateTask: 2, createWebhook: 0 });
  await assert.rejects(
    emulator.expectRequests({ updateTask: 1, createWebhook: 1 }),
    failure(
      'unexpected_requests',
      /^Expected 1 updateTask request, found 2; Expected 1 createWebhook request, found 0$/,
    ),
  );
  await assert.rejects(emulator.expectRequests({}), failure('invalid_value', /^Name a request/));
  await emulator.clearRequests();
  await emulator.expectRequests({ any: 0 });
});

test('a test can expect that nothing was ignored', async (context) => {
  const emulator = await start(context);
  const url = `${emulator.baseUrl}/tasks/${emulator.sample.task}/comments?access_token=${emulator.token}`;
  const comment = (parameters: Record<string, string>) =>
    fetch(url, { method: 'POST', body: new URLSearchParams(parameters) });
  await update(emulator, 'a');
  await comment({ text: 'x' });
  await emulator.expectNothingIgnored();
  await comment({ text: 'x', colour: 'red' });
  const ignoring = await emulator.requests({ ignored: true, operation: 'createTaskComment' });
  assert.deepEqual(ignoring.at(-1)?.ignored, ['colour']);
  assert.ok(ignoring.at(-1)?.assumed?.includes('unknown-parameter'));
  await assert.rejects(
    emulator.expectNothingIgnored(),
    failure(
      'unexpected_requests',
      /^POST \/api\/v4\/tasks\/IEAAAAAQKQAB5BNG\/comments\?access_token=\[redacted\]: ignored: colour; assumed: /,
    ),
  );
  await emulator.clearRequests();
  await emulator.expectNothingIgnored();
});

test('stubs respond to what the emulator does not have', async (context) => {
  const emulator = await start(context);
  const approvals = () => fetch(`${emulator.baseUrl}/approvals?access_token=${emulator.token}`);
  await emulator.stubs.add({ request: 'GET /approvals', json: { kind: 'approvals', data: [] } });
  assert.equal((await emulator.stubs.list()).length, 1);
  assert.deepEqual(await (await approvals()).json(), { kind: 'approvals', data: [] });
  await emulator.stubs.clear();
  assert.equal((await approvals()).status, 404);
});

test('users, tokens and tasks', async (context) => {
  const emulator = await start(context);
  const { ada, ben } = emulator.sample;
  assert.ok((await emulator.users.list()).some(({ id }) => id === ada));
  const reader = await emulator.createToken({ userId: ben, scopes: ['wsReadOnly'] });
  assert.equal(await update(emulator, 'b', reader), 403);
  const writer = await emulator.createToken({ userId: ben });
  assert.equal(await update(emulator, 'b', writer), 200);
  assert.equal((await emulator.users.change(ben, { active: false })).deactivated, true);
  assert.equal(await update(emulator, 'c', writer), 401);
  await emulator.users.change(ben, { active: true });
  const again = await emulator.createToken({ userId: ben });
  await emulator.users.remove(ben);
  assert.equal(await update(emulator, 'd', again), 401);
  assert.equal(await update(emulator, 'd', await emulator.createToken()), 200);

  const tasks = await emulator.createTasks({ count: 3, title: 'Row' });
  assert.equal(new Set(tasks).size, 3);
  const client = createClient({ access: { token: emulator.token, host: emulator.host } });
  const pages: unknown[] = [];
  for await (const { records } of client.pages('listTasks', {}, { title: 'Row' }, { pageSize: 2 }))
    pages.push(records.map(({ title }) => title));
  assert.deepEqual(pages, [['Row 1', 'Row 2'], ['Row 3']]);
  assert.equal((await emulator.createTasks()).length, 1);
});

test('the clock of an emulator, and faults that are cleared', async (context) => {
  const emulator = await start(context, { retrySeconds: [1, 2] });
  const at = new Date('2030-01-01T00:00:00Z');
  assert.deepEqual(await emulator.clock.freeze(at), at);
  assert.deepEqual(await emulator.clock.advance(2_000), new Date(at.getTime() + 2_000));
  assert.ok((await emulator.clock.resume()) >= at);
  await emulator.faults.add({ request: 'any', status: 500, times: 9 });
  await emulator.faults.clear();
  assert.equal(await update(emulator, 'x'), 200);
});

test('a reset restores the initial data', async (context) => {
  const emulator = await start(context);
  const before = await titleAt(emulator);
  await update(emulator, 'changed');
  await emulator.stubs.add({ request: 'GET /approvals', status: 200 });
  await emulator.faults.add({ request: 'any', status: 500, times: 9 });
  await emulator.reset();
  assert.deepEqual([await emulator.stubs.list(), await emulator.faults.list()], [[], []]);
  await emulator.expectRequests({ any: 0 });
  assert.equal(await titleAt(emulator), before);
});

test('changing a returned value does not change the emulator', async (context) => {
  const emulator = await start(context);
  const [user] = await emulator.users.list();
  assert.ok(user);
  Object.assign(user, { deactivated: true, deleted: true });
  assert.notEqual((await emulator.users.list())[0]?.deleted, true);
  assert.equal(await update(emulator, 'unharmed'), 200);
});

test('a custom application and custom data, and a snapshot to start with again', async (context) => {
  const application = { clientId: 'my-app', redirectUris: ['https://app.example.com/callback'] };
  const seed = {
    version: 1,
    users: [{ firstName: 'Mia', email: 'mia@example.org', admin: true }],
    folders: [{ title: 'Harbour' }],
    tasks: [{ title: 'Paint the door', parentIds: ['Harbour'] }],
  };
  const first = await start(context, { application, seed });
  assert.equal(first.clientId, 'my-app');
  const titles = async ({ baseUrl, token }: Emulator) => {
    const response = await fetch(`${baseUrl}/tasks?access_token=${token}`);
    const body = JSON.parse(await response.text());
    return body.data.map(({ title }: { title: string }) => title);
  };
  assert.deepEqual(await titles(first), ['Paint the door']);
  const second = await start(context, { seed: await first.snapshot() });
  assert.deepEqual(await titles(second), ['Paint the door']);
  await assert.rejects(
    startEmulator({ seed: { ...seed, tasks: [{ titel: 'Paint the door' }] } }),
    failure('invalid_value', /^The seed cannot be used:\n {2}seed\.tasks\.0.*titel/),
  );
});
