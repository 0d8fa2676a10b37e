// A test of a user's own, with an emulator in its process. Compiled against the package's types, and run, by package.test.ts.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type Emulator, EmulatorError, startEmulator } from 'wm-cli/emulator';

const [emulator, other] = await Promise.all([startEmulator({ allowLocalHooks: true }), startEmulator()]);
assert.notEqual(emulator.host, other.host);

async function update({ baseUrl, token, sample }: Emulator, title: string): Promise<number> {
  const url = `${baseUrl}/tasks/${sample.task}?title=${title}`;
  return (await fetch(url, { method: 'PUT', headers: { Authorization: `Bearer ${token}` } })).status;
}

// Faults, of this emulator alone.
await emulator.faults.add({ request: 'updateTask', status: 503 });
assert.equal((await emulator.faults.list()).length, 1);
assert.deepEqual(
  [await update(emulator, 'a'), await update(other, 'a'), await update(emulator, 'b')],
  [503, 200, 200],
);
await emulator.faults.add({ request: 'any', status: 500, times: 9 });
await emulator.faults.clear();
await assert.rejects(emulator.faults.add({ request: 'updateTaks', status: 503 }), /updateTaks/);

// The clock.
const start = new Date('2026-05-01T00:00:00Z');
assert.deepEqual(await emulator.clock.freeze(start), start);
assert.equal((await emulator.clock.advance(90_000)).toISOString(), '2026-05-01T00:01:30.000Z');
assert.equal((await emulator.clock.now()).toISOString(), '2026-05-01T00:01:30.000Z');

// A delivery that fails twice, retried as soon as the clock says so.
const statuses = [503, 503, 200];
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(statuses.shift() ?? 500).end());
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
const address = receiver.address();
assert.ok(typeof address === 'object' && address !== null);
const created = await fetch(`${emulator.baseUrl}/webhooks`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${emulator.token}` },
  body: new URLSearchParams({ hookUrl: `http://127.0.0.1:${address.port}/`, events: '["TaskTitleChanged"]' }),
});
assert.equal(created.status, 200);
assert.equal(await emulator.emit('TaskTitleChanged', { taskId: emulator.sample.task }), 1);
assert.equal(await other.emit('TaskTitleChanged'), 0);
await emulator.clock.advance(120_000);
const [delivery, ...more] = await emulator.deliveries();
assert.deepEqual(more, []);
assert.deepEqual(
  [delivery?.state, delivery?.attempts.map(({ result }) => result)],
  ['delivered', [503, 503, 200]],
);

// What came in, and what the emulator does not have.
await emulator.clearRequests();
await emulator.stubs.add({ request: 'GET /approvals/{id}', json: { data: [] } });
assert.deepEqual(await (await fetch(`${emulator.baseUrl}/approvals/A1`)).json(), { data: [] });
await update(emulator, 'c');
await update(emulator, '');
const requests = await emulator.requests();
assert.deepEqual(
  requests.map(({ operation, status }) => [operation, status]),
  [
    ['stub', 200],
    ['updateTask', 200],
    ['updateTask', 400],
  ],
);
const rejected = await emulator.requests({ operation: 'updateTask', rejected: true });
assert.match(rejected[0]?.reason ?? '', /'title'/);
assert.deepEqual(await emulator.requests({ since: requests.at(-1)?.number ?? 0 }), []);
// @ts-expect-error no request has this name
await assert.rejects(emulator.requests({ operation: 'updateTsk' }), /updateTask/);
await emulator.expectRequests({ updateTask: 2 });
await assert.rejects(emulator.expectRequests({ createTask: 1 }), EmulatorError);
await emulator.expectNothingIgnored();
assert.deepEqual(await emulator.requests({ ignored: true, rejected: false }), []);

// An application and data of one's own.
const seed = { version: 1, tasks: [{ title: 'Own' }] };
const own = await startEmulator({
  seed,
  application: { clientId: 'mine', redirectUris: ['https://app.example.com/callback'] },
});
assert.equal(own.clientId, 'mine');
const tasks = await fetch(`${own.baseUrl}/tasks`, { headers: { Authorization: `Bearer ${own.token}` } });
assert.match(await tasks.text(), /"title":"Own"/);
const again = await startEmulator({ seed: await own.snapshot() });
assert.equal(again.sample.task, own.sample.task);
await Promise.all([own.stop(), again.stop()]);
await assert.rejects(startEmulator({ seed: { version: 1, tasks: [{}] } }), /tasks\.0: has no title/);

await emulator.reset();
assert.deepEqual(await emulator.deliveries(), []);
await emulator.stop();
await emulator.stop();
await other[Symbol.asyncDispose]();
receiver.close();
process.stdout.write('every check held\n');
