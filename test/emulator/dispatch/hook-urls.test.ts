// Where a webhook may point, in every notation of an address: sent through the front door, judged by the contract's rule.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalid, outcome, records } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';

const invalidUrls: readonly string[] = [
  // This machine, in every notation of IPv4.
  ...'http://127.0.0.1/ http://127.0.0.1:80/ http://127.1/ http://127.0.1/'.split(' '),
  ...'http://127.255.255.254/ http://2130706433/ http://017700000001/ http://0x7f000001/'.split(' '),
  ...'http://0x7F.0x0.0x0.0x1/ http://0177.0.0.1/ http://0x7f.1/ http://127.0.0.1./'.split(' '),
  ...'http://%31%32%37.0.0.1/ http://１２７.0.0.1/ http://127。0。0。1/ http://0/ http://0.0.0.0/'.split(' '),
  ...'http://00000000000/'.split(' '),
  // Private and special ones.
  ...'http://10.0.0.1/ http://10.255.255.255/ http://167772161/ http://012.0.0.1/'.split(' '),
  ...'http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://0xC0A80101/'.split(' '),
  ...'http://100.64.0.1/ http://169.254.169.254/ http://2852039166/ http://192.0.0.1/'.split(' '),
  ...'http://192.0.2.1/ http://198.18.0.1/ http://198.51.100.1/ http://203.0.113.1/'.split(' '),
  ...'http://192.88.99.1/ http://224.0.0.1/ http://240.0.0.1/ http://255.255.255.255/'.split(' '),
  // IPv6: loopback, unspecified, local, multicast, documentation.
  ...'http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[::]/ http://[fe80::1]/'.split(' '),
  ...'http://[fe80::1%25eth0]/ http://[fc00::1]/ http://[fd12:3456:789a::1]/ http://[fec0::1]/'.split(' '),
  ...'http://[ff02::1]/ http://[2001:db8::1]/ http://[3fff::1]/ http://[100::1]/'.split(' '),
  ...'http://[100:0:0:1::1]/ http://[5f00::1]/'.split(' '),
  // An IPv4 address inside: mapped, compatible, translated, NAT64, 6to4.
  ...'http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::ffff:10.0.0.1]/'.split(' '),
  ...'http://[::ffff:0:127.0.0.1]/ http://[::ffff:0:10.0.0.1]/ http://[::127.0.0.1]/'.split(' '),
  ...'http://[::7f00:1]/ http://[64:ff9b::127.0.0.1]/ http://[64:ff9b::a00:1]/'.split(' '),
  ...'http://[64:ff9b:1::a00:1]/'.split(' '),
  // Another network's NAT64: even a global address inside leads to it.
  'http://[64:ff9b:1::808:808]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001::1]/',
  // Names of this machine and of private networks.
  ...'http://localhost/ http://LOCALHOST/ http://localhost./ http://a.localhost/ http://intranet/'.split(' '),
  ...'http://printer.local/ http://db.internal/ http://router.home.arpa/'.split(' '),
  // Ports, protocols, credentials, and what is no URL.
  ...'http://hooks.example.com:8080/ https://hooks.example.com:8443/ https://hooks.example.com:0/'.split(' '),
  ...'https://hooks.example.com:65536/ https://8.8.8.8:22/ http://[2606:4700:4700::1111]:8080/'.split(' '),
  ...'ftp://hooks.example.com/ ws://hooks.example.com/ file:///etc/passwd javascript:alert(1)'.split(' '),
  ...'data:text/plain,x http://user@hooks.example.com/ http://user:pw@hooks.example.com/'.split(' '),
  ...'http://:pw@hooks.example.com/ hooks.example.com //hooks.example.com/ /hook http:// http:///'.split(' '),
  ...'http://256.1.1.1/ http://[::1/'.split(' '),
  'not a url',
];

const accepted: readonly string[] = [
  ...'http://hooks.example.com/ https://hooks.example.com/ https://hooks.example.com'.split(' '),
  ...'http://hooks.example.com:80/ https://hooks.example.com:443/wm?x=y&z=%20'.split(' '),
  ...'http://hooks.example.com:443/ https://hooks.example.com:80/ HTTPS://HOOKS.EXAMPLE.COM/'.split(' '),
  ...'https://hooks.example.com./ https://bücher.example.com/ http://8.8.8.8/ http://134744072/'.split(' '),
  ...'http://172.15.0.1/ http://172.32.0.1/ http://192.167.1.1/ http://[2606:4700:4700::1111]/'.split(' '),
  ...'http://[::ffff:8.8.8.8]/ http://[64:ff9b::8.8.8.8]/ http://[2002:808:808::1]/'.split(' '),
];

test('hookUrl: 90 addresses that are not global, or not of the allowed form, are rejected in every notation', async (t) => {
  const emulator = await started(t);
  assert.ok(invalidUrls.length >= 90);
  for (const hookUrl of invalidUrls) {
    const { status, body } = await call(emulator, 'POST', '/webhooks', { form: { hookUrl } });
    assert.deepEqual([status, body.error], invalid, hookUrl);
    assert.match(body.errorDescription, /^Parameter 'hookUrl' value is invalid/, hookUrl);
  }
  assert.deepEqual(await outcome(emulator, 'POST', '/webhooks'), [400, 'parameter_required']);
  assert.deepEqual(await records(emulator, 'GET', '/webhooks'), []);
});

test('hookUrl: global addresses and names on port 80 or 443 are accepted as sent', async (t) => {
  const emulator = await started(t);
  for (const hookUrl of accepted) {
    const data = await records(emulator, 'POST', '/webhooks', { form: { hookUrl } });
    assert.equal(data[0].hookUrl, hookUrl);
  }
});
