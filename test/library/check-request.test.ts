// The steps of a receiver one by one, with what JavaScript programs and frameworks give them: texts and bytes, and headers of
// every kind.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handshake, parseEvents, type RequestHeaders, verifySignature } from '#library/check-request.ts';
import * as witness from '../witness/signature.ts';

test('signatures computed by another tool', () => {
  for (const { secret, body, hex } of witness.signatures) {
    assert.ok(verifySignature(secret, body, hex));
    assert.ok(verifySignature(['another', secret], Buffer.from(body), hex.toUpperCase()));
    for (const name of ['X-Hook-Signature', 'x-hook-signature', 'X-HOOK-SIGNATURE'])
      assert.ok(verifySignature(secret, body, { [name]: hex }), name);
    assert.ok(verifySignature(secret, body, new Headers({ 'x-hook-signature': hex })));
    assert.ok(!verifySignature(secret, body, {}));
    assert.ok(!verifySignature(['another', ''], body, hex));
    assert.ok(!verifySignature(secret, `${body} `, hex));
    assert.ok(!verifySignature(secret, body, hex.slice(1)));
    assert.ok(!verifySignature([], body, hex));
  }
});

test('a missing signature or secret never verifies, and never throws', () => {
  for (const none of [undefined, null, '', 'zz']) assert.equal(verifySignature('secret', '[]', none), false);
  // HMAC takes an empty key too; anyone can sign with it.
  const withEmptyKey = 'b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad';
  assert.equal(verifySignature('', '', withEmptyKey), false);
  const untyped: { secret: string; signature: string } = JSON.parse('{"signature":["a"]}');
  assert.equal(verifySignature(untyped.secret, '[]', 'a'), false);
  assert.equal(verifySignature('secret', '[]', untyped.signature), false);
});

const body = '{"requestType":"WebHook secret verification"}';
const sealed = witness.signatures.find((row) => row.body === body);
const answered = witness.handshakes.find((row) => row.secret === sealed?.secret);
assert.ok(sealed && answered);
const { secret, hex: signature } = sealed;
const { challenge, hex: proof } = answered;

const kinds: Readonly<Record<string, RequestHeaders>> = {
  Headers: new Headers({ 'X-Hook-Signature': signature, 'X-Hook-Secret': challenge }),
  'node:http': { 'x-hook-signature': signature, 'x-hook-secret': challenge, host: 'a', accept: undefined },
  'as they were written': { 'X-Hook-Signature': signature, 'X-HOOK-SECRET': challenge, get: 'a header too' },
  'lists of values': { 'x-hook-signature': [signature], 'x-hook-secret': [challenge] },
  'a function': (name) => ({ 'X-Hook-Signature': signature, 'X-Hook-Secret': challenge })[name],
};

for (const [kind, headers] of Object.entries(kinds)) {
  test(`a handshake with headers as ${kind}`, () => {
    const expected = { 'X-Hook-Secret': proof };
    assert.deepEqual(handshake(secret, body, headers), expected);
    assert.deepEqual(handshake(['another', secret], Buffer.from(body), headers), expected);
    assert.equal(handshake('another', body, headers), undefined);
    assert.equal(handshake(secret, `${body} `, headers), undefined);
  });
}

test('a request that is not a handshake gets no header, whatever its headers', () => {
  const delivery = witness.signatures.find((row) => row.secret === secret && row.body === '[]');
  assert.ok(delivery);
  const headers = { 'x-hook-signature': delivery.hex, 'x-hook-secret': challenge };
  assert.equal(handshake(secret, '[]', headers), undefined);
  assert.equal(handshake(secret, body, { 'x-hook-signature': signature }), undefined);
  assert.equal(
    handshake(secret, body, { 'x-hook-signature': signature, 'x-hook-secret': '{"a":1}' }),
    undefined,
  );
  assert.equal(handshake(secret, body, {}), undefined);
});

test('the events of a body: a list, one object, none', () => {
  assert.deepEqual(
    parseEvents('[{"eventType":"A"},5,{"eventType":"B"}]').map((event) => 'name' in event && event.name),
    ['A', 'B'],
  );
  assert.equal(parseEvents(Buffer.from('{}')).length, 1);
  for (const none of ['', 'not JSON', '5', 'null', '[]', '[[]]', '['.repeat(100_000)])
    assert.deepEqual(parseEvents(none), [], none.slice(0, 10));
});
