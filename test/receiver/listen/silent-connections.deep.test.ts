// More connections on which nothing comes than the receiver takes: they keep no delivery out, and are noticed.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { exchangeBytes, statusesIn } from '#test/support/service/raw-exchange.ts';
import { deliver, listen } from './running-listener.ts';

test('2,001 silent connections block no delivery: /readyz stays green, with one warning and a count', async (context) => {
  const listener = await listen(context, '--metrics 0');
  const [, metrics = ''] = await listener.prints(/Metrics are on (http:\S+)\/metrics/);
  const silent: Socket[] = [];
  for (let count = 0; count < 2_001; count++) {
    const socket = connect({ port: listener.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    silent.push(socket);
    if (count % 100 === 0) await once(socket, 'connect');
    // Its 408 comes after many looks at the connections: they have been silent for a while.
    if (count === 1_500)
      assert.deepEqual(statusesIn(await exchangeBytes(listener.port, 'POST / HTTP/1.1\r\n')), [408]);
  }
  context.after(() => {
    for (const socket of silent) socket.destroy();
  });
  for (const taskId of ['A1', 'A2', 'A3'])
    assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId }]), 200);
  assert.equal((await fetch(`${metrics}/readyz`)).status, 200);
  const text = await (await fetch(`${metrics}/metrics`)).text();
  assert.match(text, /^wm_receiver_requests_total\{outcome="silent"\} 1\d{3}$/m);
  assert.match(text, /^wm_receiver_requests_total\{outcome="busy"\} 0$/m);
  const { errors } = await listener.stop();
  assert.equal(errors.match(/There are too many connections/g)?.length, 1);
  assert.match(errors, /wm ends such connections, and from now on only counts them\./);
});
