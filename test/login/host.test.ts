// Which hosts tokens may go to. Some hostile ones of hundreds are tried as the host of a sign-in, of a renewal and of the environment;
// hostile-input.deep.test.ts tries them all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import {
  defaultHostSuffixes,
  hostOrigin,
  isAllowedHost,
  isHost,
  isLoopbackHost,
  parseAuthUrl,
  parseHost,
  withSchemeOf,
} from '#login/host.ts';
import { friendlyHosts, hostileHosts, words } from './hostile-hosts.ts';
import { testHostVariable } from './hostile-input.ts';
import { network, signInAt, testHostsOfTokens } from './hosts-of-tokens.ts';

const authUrl = 'https://login.example.com';

test('the list has at least five hundred hostile hosts', () => {
  assert.ok(hostileHosts.length >= 500, `${hostileHosts.length}`);
});

test('rejects all hostile hosts, and accepts the friendly ones', () => {
  for (const host of hostileHosts) {
    assert.equal(isAllowedHost(host, authUrl, ['example.com']), false, JSON.stringify(host));
  }
  for (const [host] of friendlyHosts) assert.equal(isAllowedHost(host, authUrl, ['example.com']), true, host);
});

test('a host that is not allowed: the error lists the allowed ones', async () => {
  const local = 'http://127.0.0.1:4010';
  for (const [url, host, why] of [
    [authUrl, 'api.elsewhere.org', /^it allows example\.com and subdomains$/],
    [authUrl, '127.0.0.1:4010', /^a loopback host needs an authorization URL on loopback$/],
    [authUrl, 'example.com/x', /^it is not a host name$/],
    [local, 'api.example.com', /^it allows loopback hosts only$/],
  ] as const) {
    await assert.rejects(signInAt(network(host), url), (error) => {
      assert.ok(error instanceof Failure);
      assert.match(error.why ?? '', why);
      return true;
    });
  }
});

testHostsOfTokens(10);
testHostVariable(20);

test('only plain names and loopback with a port are hosts', () => {
  const hosts = hostileHosts.filter(isHost);
  const loopback = /^(?:127\.0\.0\.1|localhost|\[::1\]):\d{2,4}$/;
  const shape = /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/;
  for (const host of hosts) assert.ok(shape.test(host) || loopback.test(host), host);
  for (const host of ['127.0.0.1:1', 'localhost:65535', '[::1]:4010']) assert.ok(isLoopbackHost(host), host);
  const others = words('127.0.0.1:0 localhost:65536 [::1] 127.0.0.2:80 localhost: Localhost:80');
  for (const host of [...others, '127.0.0.1:80\n']) {
    assert.equal(isLoopbackHost(host), false, host);
  }
  assert.equal(parseHost('API.Example.COM', 'WM_HOST'), 'api.example.com');
});

test('a sign-in at loopback allows loopback hosts only, and no other sign-in allows them', () => {
  const local = 'http://127.0.0.1:4010';
  assert.equal(isAllowedHost('127.0.0.1:5000', local, []), true);
  assert.equal(isAllowedHost('[::1]:5000', local, []), true);
  assert.equal(isAllowedHost('127.0.0.1:5000', authUrl, ['127.0.0.1:5000', 'localhost']), false);
  for (const host of [
    ...hostileHosts.filter((host) => !isLoopbackHost(host)),
    'api.example.com',
    '127.0.0.1',
    'localhost',
  ]) {
    assert.equal(isAllowedHost(host, local, defaultHostSuffixes(local)), false, host);
  }
});

test('uses https for a loopback host only if its sign-in did or the host says so', () => {
  assert.equal(withSchemeOf('https://127.0.0.1:4010', '127.0.0.1:4011'), 'https://127.0.0.1:4011');
  assert.equal(hostOrigin('https://127.0.0.1:4011'), 'https://127.0.0.1:4011');
  assert.equal(parseHost('https://localhost:4010', 'WM_HOST'), 'https://localhost:4010');
  for (const [from, host] of [
    [undefined, '127.0.0.1:4010'],
    ['http://127.0.0.1:4010', '127.0.0.1:4010'],
    ['https://login.example.com', '127.0.0.1:4010'],
    ['https://127.0.0.1.example.com:4010', '127.0.0.1:4010'],
    ['nonsense', '127.0.0.1:4010'],
    ['https://127.0.0.1:4010', 'api.example.com'],
  ] as const) {
    assert.equal(withSchemeOf(from, host), host, `${from}`);
  }
  // Only a person names it so, never a token's answer.
  assert.equal(isAllowedHost('https://127.0.0.1:4010', 'https://127.0.0.1:4010', []), false);
  for (const host of words(
    'https://api.example.com http://127.0.0.1:4010 https://127.0.0.1 https://https://[::1]:1',
  )) {
    assert.equal(isHost(host), false, host);
  }
});

test('host suffixes of an authorization URL', () => {
  assert.deepEqual(defaultHostSuffixes('https://login.example.com'), ['example.com']);
  assert.deepEqual(defaultHostSuffixes('https://eu.login.example.com:8443/x'), ['login.example.com']);
  assert.deepEqual(defaultHostSuffixes('https://example.com'), ['example.com']);
  assert.deepEqual(defaultHostSuffixes('https://example.co.uk'), ['example.co.uk']);
  assert.deepEqual(defaultHostSuffixes('https://login.example.co.uk'), ['example.co.uk']);
  assert.deepEqual(defaultHostSuffixes('http://127.0.0.1:4010'), []);
});

test('a possible password is not shown, in a host or in a URL', () => {
  for (const text of [
    'u:canary@h',
    'https://u:canary@api.example.com',
    'canary@h@h',
    'u:p//canary@h',
    'u:can?ary@h',
    'api.example.com?token=canary',
    'api.example.com/#canary',
  ]) {
    for (const parse of [parseAuthUrl, (host: string) => parseHost(host, 'WM_HOST')]) {
      assert.throws(
        () => parse(text),
        ({ message, hint }: Failure) => !/can\??ary/.test(`${message}${hint}`) && /"/.test(message),
        text,
      );
    }
  }
  assert.throws(() => parseHost('https://u:x@h', 'WM_HOST'), {
    message: 'WM_HOST: "https://...@h" is not a host',
  });
});

test('an authorization URL must be https or loopback, and nothing but a URL', () => {
  assert.equal(parseAuthUrl('https://Login.Example.COM/'), 'https://login.example.com');
  assert.equal(parseAuthUrl('https://login.example.com/base//'), 'https://login.example.com/base');
  assert.equal(parseAuthUrl('http://127.0.0.1:4010'), 'http://127.0.0.1:4010');
  assert.equal(parseAuthUrl('https://login.example.com?'), 'https://login.example.com');
  assert.equal(parseAuthUrl('https://login.example.com/#'), 'https://login.example.com');
  // The prompt offers a host alone, so a flag, a variable and a setting take it too.
  assert.equal(parseAuthUrl(' login.Example.com '), 'https://login.example.com');
  assert.equal(parseAuthUrl('localhost:4010'), 'http://localhost:4010');
  for (const address of [
    ...words('http://login.example.com ftp://login.example.com javascript:alert(1) http://127.0.0.2:4010'),
    ...words('https://user@login.example.com https://:password@login.example.com http://localhost login'),
    ...words('https://login.example.com?x https://login.example.com/#x http://127.0.0.1.evil.test:4010'),
    '',
  ]) {
    assert.throws(
      () => parseAuthUrl(address),
      (error) => error instanceof Failure && error.exitStatus === 2,
      address,
    );
  }
});
