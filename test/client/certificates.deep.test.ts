// Certificates on the ways that certificates.test.ts leaves out: bulk runs, proxies, a bulk run after a
// refresh, and a delivery of the emulator.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked, port, testCertificates, wm } from './certificate-ways.ts';

testCertificates('deep');

test('a delivery from the emulator is also verified', async () => {
  const redirected = ['--connect-to', `hooks.example.com=127.0.0.1:${port}`, '--no-input'];
  const create = 'printf 0123456789 | wm webhook create https://hooks.example.com/hook --secret-stdin';
  const ran = await wm(['emulator', 'exec', ...redirected, '--', 'sh', '-c', create], {
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /the receiver could not be reached \(tls\)/);
  assert.deepEqual(asked, []);
});
