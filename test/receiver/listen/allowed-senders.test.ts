// --allow-from and --trusted-proxy: who may send deliveries, by the address that a connection has or that a trusted proxy reports.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { deliver, listen } from './running-listener.ts';

const event = [{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG' }];

test('a delivery from another address gets 503 and a reason, and is not stored', async (context) => {
  const listener = await listen(context, '--json --allow-from service,10.0.0.0/8');
  assert.equal(await deliver(listener, event), 503);
  await listener.prints(
    /A request came from an address that --allow-from does not name\. It was sent from 127\.0\.0\.1\. After three/,
  );
  assert.equal((await listener.next('rejected'))['from'], '127.0.0.1');
  const { errors } = await listener.stop();
  assert.match(errors, /^0 received, 1 rejected \(1 from another address\)/m);
});

test('with your own public URL, says at the start which addresses the service sends from', async (context) => {
  const listener = await listen(context, '--public-url https://hooks.example.com/');
  await listener.prints(
    /^The service sends from 160\.19\.162\.0\/23, .*146\.148\.2\.222\/32\. To accept no others: --allow-from service$/m,
  );
});

test('an allowed address, or one in an allowed range, may send', async (context) => {
  for (const range of ['127.0.0.1', '127.0.0.0/8', '10.0.0.1,::1/128,127.0.0.1/32']) {
    const listener = await listen(context, `--allow-from ${range}`);
    assert.equal(await deliver(listener, event), 200, range);
    await listener.stop();
  }
});

test('behind a proxy, the sender is the last address not added by a trusted proxy itself', async (context) => {
  const listener = await listen(context, '--allow-from service --trusted-proxy 127.0.0.1,10.1.0.0/16');
  for (const [forwarded, status] of [
    ['160.19.163.255', 200],
    ['::ffff:185.157.64.1', 200],
    ['8.8.8.8, 34.72.158.28', 200],
    ['34.73.3.211, 10.1.2.3', 200],
    ['160.19.164.0', 503],
    ['34.73.3.211, 8.8.8.8', 503],
    ['34.73.3.211, 8.8.8.8, 10.1.2.3', 503],
    ['34.73.3.211, unknown', 503],
    ['', 503],
    // Some proxies append the port of the connection.
    ['160.19.162.5:4321', 200],
    ['[::ffff:160.19.162.5]:99', 200],
    ['[::ffff:160.19.162.5]', 200],
    ['"[::ffff:160.19.162.5]:99"', 200],
    ['8.8.8.8:1, 34.73.3.211:65535, 10.1.2.3:443', 200],
    ['8.8.8.8:443', 503],
    ['[::1]:99', 503],
    ['34.73.3.211:1:2', 503],
    ['34.73.3.211:https', 503],
    ['34.73.3.211, 8.8.8.8:443, 10.1.2.3:443', 503],
  ] as const) {
    const headers = { 'X-Forwarded-For': forwarded };
    assert.equal(await deliver(listener, event, { headers, key: forwarded }), status, forwarded);
  }
});

for (const [forwarded, from] of [
  ['34.73.3.211, 8.8.8.8:443', '8\\.8\\.8\\.8'],
  ['[2001:db8::1]:99', '2001:db8::1'],
  ['unknown', '"unknown"'],
  [`8.8.8.8 is fine. ${'x'.repeat(400)}`, '"8\\.8\\.8\\.8 is fine\\. x{7}\\.\\.\\. \\(255 characters\\)'],
] as const)
  test(`the warning names the sender: ${from}`, async (context) => {
    const listener = await listen(context, '--allow-from service --trusted-proxy 127.0.0.1');
    assert.equal(await deliver(listener, event, { headers: { 'X-Forwarded-For': forwarded } }), 503);
    await listener.prints(new RegExp(`does not name\\. It was sent from ${from}\\. After three`));
  });

test('without --trusted-proxy, X-Forwarded-For is ignored', async (context) => {
  const listener = await listen(context, '--allow-from service');
  assert.equal(await deliver(listener, event, { headers: { 'X-Forwarded-For': '34.73.3.211' } }), 503);
});

test('docs/running-a-receiver.md lists each range of the service', async () => {
  const page = await readFile('docs/running-a-receiver.md', 'utf8');
  const ranges = [
    '160.19.162.0/23',
    '34.73.3.211/32',
    '35.196.104.95/32',
    '34.72.158.28/32',
    '185.157.64.0/22',
    '146.148.2.222/32',
  ];
  for (const range of ranges) assert.ok(page.includes(range), range);
});
