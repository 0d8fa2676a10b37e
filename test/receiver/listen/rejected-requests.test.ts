// Requests that were not stored: `wm webhook listen` says why and how many, and `wm webhook log` counts the same ones afterwards.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliver, listen, startTarget } from './running-listener.ts';

const created = [{ eventType: 'TaskCreated', taskId: 'A1' }];

test('the reasons with their counts, in the summary and the log: before the first delivery and after the last', async (context) => {
  const listener = await listen(context, '');
  await fetch(`http://127.0.0.1:${listener.port}/favicon.ico`);
  assert.equal(await deliver(listener, created, { key: 'a' }), 200);
  await deliver(listener, created, { key: 'b', secret: 'another secret' });
  await deliver(listener, created, { key: 'c', secret: 'another secret' });
  const { errors } = await listener.stop();
  assert.match(errors, /^1 received, 3 rejected \(2 with a bad signature, 1 not a POST\)\.$/m);
  const log = await listener.wm('webhook log');
  assert.match(log.errors, /^3 requests were not stored: 2 with a bad signature, 1 not a POST\. /m);
});

test('the log counts requests over the limit per minute, even without any delivery', async (context) => {
  const listener = await listen(context, '');
  for (let sent = 0; sent < 70; sent++) await fetch(`http://127.0.0.1:${listener.port}/`);
  const { errors } = await listener.stop();
  assert.match(errors, /70 rejected \(70 not a POST\)/);
  const log = await listener.wm('webhook log');
  assert.match(log.errors, /^70 requests were not stored: 70 not a POST\. /m);
});

test('a signed body that a handshake could have is not a delivery: 200, counted, one warning, not forwarded', async (context) => {
  const target = await startTarget(context);
  const listener = await listen(context, `--forward-to ${target.url}`);
  const longest = '1'.repeat(100);
  for (const body of ['12345', '0', 'AbcXyz', longest]) assert.equal(await deliver(listener, body), 200);
  // All other signed bodies are deliveries, whatever is in them.
  for (const body of [`${longest}1`, '12345 ', '"1"', '', '1\n', '-1', '1\u00e9'])
    assert.equal(await deliver(listener, body), 200);
  await target.has(7);
  assert.deepEqual(
    target.received.map(({ body }) => body).toSorted(),
    ['', '"1"', '-1', '1\n', '12345 ', '1\u00e9', `${longest}1`].toSorted(),
  );
  const { errors } = await listener.stop();
  assert.equal(
    errors.match(/saw a handshake .* wm responds with 200, and from now on only counts/g)?.length,
    1,
  );
  assert.match(
    errors,
    /^7 received, 4 rejected \(4 whose signature may come from a handshake\), 7 forwarded/m,
  );
  const log = await listener.wm('webhook log');
  assert.match(log.errors, /^4 requests were not stored: 4 whose signature may come from a handshake\. /m);
});
