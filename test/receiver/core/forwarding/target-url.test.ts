// Which URLs and hosts deliveries can be forwarded to; an error shows no password.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import { checkTargetHost, checkTargetUrl, targetName } from '#receiver/core/forwarding/target.ts';

const rejected = (check: () => unknown): Failure => {
  try {
    check();
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'usage');
    return error;
  }
  return assert.fail('it is accepted');
};

test('accepts http and https URLs, whatever they point to; never sends a fragment', () => {
  for (const url of ['http://127.0.0.1:3000/hook', 'https://[::1]/', 'HTTP://localhost', 'http://a/b?c=d'])
    assert.equal(checkTargetUrl(url, '--forward-to'), url);
  assert.equal(checkTargetUrl('http://a/b?c#d', '--forward-to'), 'http://a/b?c');
});

test('anything else is a usage error that names the flag', () => {
  const wrong = [
    '',
    'localhost:3000',
    'ftp://a/',
    'http://',
    'http:a',
    'http://a b/',
    'http://a\n/',
    'http://a:99999/',
  ];
  for (const url of wrong) assert.match(rejected(() => checkTargetUrl(url, '--route')).message, /^--route: /);
});

test('credentials are a usage error that names the alternative and does not repeat them', () => {
  for (const url of [
    'http://user:geheim@a/',
    'https://geheim@a/',
    'ftp://user:geheim@a/',
    'http://user:geheim@a b/',
  ]) {
    const error = rejected(() => checkTargetUrl(url, '--forward-to'));
    assert.doesNotMatch(JSON.stringify([error.message, error.hint]), /geheim/);
  }
  const { message, hint } = rejected(() => checkTargetUrl('http://user:geheim@a/', '--forward-to'));
  assert.match(message, /contains credentials/);
  assert.match(String(hint), /--forward-header/);
});

test('a host, with or without a port', () => {
  for (const host of ['app', 'app.example.com:8080', '[::1]:80', '10.0.0.1'])
    assert.equal(checkTargetHost(host, '--forward-host'), host);
  for (const host of ['', 'a/b', 'http://a', 'a b', 'u@a', 'a:b', 'a\r\nX: y'])
    assert.match(rejected(() => checkTargetHost(host, '--forward-host')).message, /^--forward-host: /);
});

test('a target is named after its URL, without the query', () => {
  assert.equal(targetName('http://localhost:3000/hook?token=x'), 'http://localhost:3000/hook');
  assert.equal(targetName('http://localhost'), 'http://localhost/');
});
