// What each error of Node and undici means. Whether a change may have been made, and whether it is tried again, follows
// from it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AddressNotAllowedError,
  connectFault,
  describeError,
  errorDetail,
  mayPass,
  ProxyError,
  responseFault,
} from '#world/http-fault.ts';

const coded = (code: unknown, message = 'as the system said') => Object.assign(new Error(message), { code });
const several = (...codes: readonly string[]) => new AggregateError(codes.map((code) => coded(code, code)));

test('an error before the request was sent', () => {
  for (const [error, fault] of [
    [new AddressNotAllowedError(['10.0.0.1', '::1']), 'address-not-allowed'],
    [new ProxyError('407'), 'proxy'],
    [coded('ECONNREFUSED'), 'connection-refused'],
    [several('ECONNREFUSED', 'ENETUNREACH'), 'connection-refused'],
    [coded('ETIMEDOUT'), 'timeout'],
    [several('ETIMEDOUT'), 'timeout'],
    [coded('ENOTFOUND'), 'unreachable'],
    [coded('EAI_AGAIN'), 'unreachable'],
    [coded('EHOSTUNREACH'), 'unreachable'],
    [coded('EMFILE'), 'unreachable'],
  ] as const)
    for (const secure of [true, false]) assert.equal(connectFault(error, secure), fault);
  // Whatever else fails while a trusted connection is made is about the certificate or the protocol.
  for (const error of [
    coded('CERT_HAS_EXPIRED'),
    coded(5),
    new Error('x'),
    new AggregateError([]),
    'x',
    undefined,
  ]) {
    assert.equal(connectFault(error, true), 'tls');
    assert.equal(connectFault(error, false), 'unreachable');
  }
});

test('whether waiting may help, for a fault where that varies', () => {
  const untrusted = new ProxyError('self-signed', 'tls');
  const rejected = new ProxyError('407', 'rejected');
  assert.deepEqual([connectFault(untrusted, true), mayPass(untrusted)], ['tls', undefined]);
  assert.deepEqual([connectFault(rejected, true), mayPass(rejected)], ['proxy', false]);
  assert.equal(mayPass(new ProxyError('502')), undefined);
  for (const code of ['ECONNRESET', 'EPIPE']) assert.equal(mayPass(coded(code)), true);
  for (const error of [coded('CERT_HAS_EXPIRED'), coded('EPROTO'), new Error('x'), undefined])
    assert.equal(mayPass(error), undefined);
});

test('an error after the request was sent', () => {
  const parser = Object.assign(new Error('bad'), { name: 'HTTPParserError' });
  for (const [error, fault] of [
    [coded('HPE_INVALID_EOF_STATE'), 'reset'],
    [Object.assign(parser, { message: 'Invalid EOF state' }), 'reset'],
    [coded('HPE_INVALID_CONSTANT'), 'malformed'],
    [Object.assign(new Error('bad'), { name: 'HTTPParserError' }), 'malformed'],
    [coded('UND_ERR_HEADERS_OVERFLOW'), 'malformed'],
    [coded('UND_ERR_SOCKET', 'bad response'), 'malformed'],
    [coded('UND_ERR_SOCKET', 'bad upgrade'), 'malformed'],
    [coded('UND_ERR_SOCKET', 'other side closed'), 'reset'],
    [coded('EPROTO'), 'tls'],
    [coded('ERR_SSL_BAD_RECORD_TYPE'), 'tls'],
    [coded('ETIMEDOUT'), 'timeout'],
    [coded('ECONNRESET'), 'reset'],
    [new Error('terminated'), 'reset'],
    ['x', 'reset'],
  ] as const)
    for (const headless of [true, false]) assert.equal(responseFault(error, headless), fault);
  const lengths = coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH');
  assert.deepEqual([responseFault(lengths, true), responseFault(lengths, false)], ['malformed', 'reset']);
});

test('the message for a user', () => {
  assert.equal(errorDetail(several('ECONNREFUSED', 'ENETUNREACH')), 'ECONNREFUSED; ENETUNREACH');
  assert.equal(errorDetail(new AggregateError([coded('x')], 'all of them')), 'all of them');
  assert.equal(errorDetail('a text'), 'a text');
  assert.equal(
    errorDetail(new AddressNotAllowedError(['10.0.0.1', '::1'])),
    'not allowed to connect to 10.0.0.1, ::1',
  );
});

test('a TLS fault has one code in both clients, and a message without advice on running Node', () => {
  const openssl = (reason: string) =>
    `write EPROTO 80DC:error:0A00042E:SSL routines:read_bytes:${reason}:rec.c:1:\n`;
  const advice = '; if the root CA is installed locally, try running Node.js with --use-system-ca';
  for (const [error, tlsCode, detail] of [
    [
      coded('DEPTH_ZERO_SELF_SIGNED_CERT', `self-signed certificate${advice}`),
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'the server has a self-signed certificate',
    ],
    [
      coded('EPROTO', openssl('tlsv1 alert protocol version')),
      'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
      'the server offers only TLS 1.1 or older',
    ],
    [
      coded('ERR_SSL_DECRYPTION_FAILED', openssl('decryption failed')),
      'ERR_SSL_DECRYPTION_FAILED',
      'decryption failed',
    ],
    [coded('CERT_REVOKED', 'certificate revoked'), 'CERT_REVOKED', 'certificate revoked'],
    [new ProxyError('the proxy is old', 'tls', 'ERR_SSL_X'), 'ERR_SSL_X', 'the proxy is old'],
  ] as const)
    assert.deepEqual(describeError(error, 'tls'), { detail, tlsCode });
  // After the handshake the same code means something else.
  assert.deepEqual(describeError(coded('ECONNRESET'), 'reset'), { detail: 'as the system said' });
});
