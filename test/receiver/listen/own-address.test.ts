// `wm webhook listen --forward-to` its own address: every delivery would arrive as its own duplicate, and count as forwarded.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { deliver, listen } from './running-listener.ts';

for (const words of [
  ['--forward-to', 'http://127.0.0.1:4020/hook'],
  ['--port', '4555', '--forward-to', 'http://localhost:4555/'],
  ['--port', '4555', '--host', '192.0.2.7', '--route', 'TaskCreated=http://192.0.2.7:4555/'],
  ['--port', '4555', '--host', '::1', '--forward-to', 'http://[::1]:4555/'],
])
  test(`${words.join(' ')}: rejected before anything starts`, async () => {
    const ran = await run(['webhook', 'listen', ...words]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, /^wm: http:\S+ is the address of this receiver: each delivery would come back/);
  });

test('a loop through a proxy is a failure of the target, not a delivery', async (context) => {
  let port = 0;
  const proxy = createServer((incoming, response) => {
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (back) => {
      response.writeHead(back.statusCode ?? 502, back.headers);
      back.pipe(response);
    });
    incoming.pipe(onward);
  });
  const url = `http://127.0.0.1:${await listening(proxy)}/`;
  context.after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const typed = ['--port', '0', '--json', '--forward-to', url, '--max-attempts', '1'];
  const listener = await listen(context, typed, { folder: await ownFolder(context) });
  port = listener.port;
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A1' }], { key: 'a' }), 200);
  const { outcome, verdict } = await listener.next('attempt');
  assert.deepEqual([outcome, verdict], ['508', 'dead']);
  // The header of another process says nothing.
  const headers = { 'X-Wm-Loop': 'another' };
  assert.equal(
    await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A2' }], { key: 'b', headers }),
    200,
  );
  const { errors } = await listener.stop();
  assert.match(errors, /^2 received, 2 dead letters\.$/m);
});

test('two receivers that forward to each other: the second fails, and says so', async (context) => {
  const [first, second] = [await freePort(), await freePort()];
  const start = async (port: number, to: number) => {
    const typed = ['--port', `${port}`, '--forward-to', `http://127.0.0.1:${to}/`, '--max-attempts', '1'];
    return listen(context, [...typed, '--json'], { folder: await ownFolder(context) });
  };
  const listener = await start(first, second);
  const other = await start(second, first);
  const created = [{ eventType: 'TaskCreated', taskId: 'A1' }];
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  assert.equal((await listener.next('attempt'))['outcome'], '200');
  const { outcome, verdict } = await other.next('attempt');
  assert.deepEqual([outcome, verdict], ['508', 'dead']);
});

test('--host 0.0.0.0: other machines can reach it', async (context) => {
  const typed = ['--port', '0', '--host', '0.0.0.0'];
  const listener = await listen(context, typed, { folder: await ownFolder(context) });
  await listener.prints(
    /^Other machines of its network can reach it\. For the service: --tunnel or --public-url/m,
  );
  assert.ok(!listener.errors.includes('Only this machine'), listener.errors);
});
