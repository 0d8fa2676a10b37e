// `wm webhook listen --forward-to` its own address: every delivery would arrive as its own duplicate, and count as forwarded.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { test } from 'node:test';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { deliver, listen } from './running-listener.ts';

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
  const listener = await listen(context, `--json --forward-to ${url} --max-attempts 1`);
  port = listener.port;
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A1' }], { key: 'a' }), 200);
  const { outcome, verdict } = await listener.next('attempt');
  assert.deepEqual([outcome, verdict], ['508', 'dead']);
  // The header of another process says nothing.
  const more = { key: 'b', headers: { 'X-Wm-Loop': 'another' } };
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A2' }], more), 200);
  const { errors } = await listener.stop();
  assert.match(errors, /^2 received, 2 dead letters\.$/m);
});

test('two receivers that forward to each other: the second fails, and says so', async (context) => {
  const [first, second] = [await freePort(), await freePort()];
  const start = (port: number, to: number) =>
    listen(context, `--port ${port} --json --forward-to http://127.0.0.1:${to}/ --max-attempts 1`);
  const listener = await start(first, second);
  const other = await start(second, first);
  const created = [{ eventType: 'TaskCreated', taskId: 'A1' }];
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  assert.equal((await listener.next('attempt'))['outcome'], '200');
  const { outcome, verdict } = await other.next('attempt');
  assert.deepEqual([outcome, verdict], ['508', 'dead']);
});
