// Which secrets, and which headers, make a request a delivery or a handshake. The ordinary cases are in test/witness/.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sign } from '#contract/signature.ts';
import type { Headers } from '#receiver/core/intake/delivery-journal.ts';
import { type JudgeOptions, judgeRequest } from '#receiver/core/intake/judge-request.ts';

const secret = 's3cret';
const event = '[{"eventType":"TaskDeleted"}]';
const handshake = '{"requestType":"WebHook secret verification"}';

function judge(headers: Headers, body: string, options: JudgeOptions = { secrets: [secret] }): string {
  const judgement = judgeRequest({ headers, body: Buffer.from(body) }, options);
  if (judgement.kind === 'rejection') return judgement.reason;
  return judgement.kind === 'delivery' ? judgement.signature : judgement.challenge;
}
const signed = (body: string, by = secret): Headers => [['X-Hook-Signature', sign(by, body)]];

test('without a secret, accepts nothing unless unsigned deliveries are allowed', () => {
  const both = { secrets: [secret], unsigned: true };
  const none = { secrets: [], unsigned: true };
  const cases: readonly (readonly [about: Headers, body: string, options: JudgeOptions, result: string])[] = [
    [[], event, { secrets: [] }, 'no-signature'],
    [signed(event), event, { secrets: [] }, 'bad-signature'],
    [[], event, none, 'unsigned'],
    [signed(event), event, none, 'unsigned'],
    [[], event, both, 'unsigned'],
    [signed(event), event, both, 'valid'],
    [signed(event, 'other'), event, both, 'bad-signature'],
    [[['X-Hook-Signature', '']], event, both, 'unsigned'],
    // Nothing could sign the response to a handshake.
    [[['X-Hook-Secret', 'abc']], handshake, none, 'no-signature'],
    [[['X-Hook-Secret', 'abc'], ...signed(handshake)], handshake, none, 'bad-signature'],
    [[['X-Hook-Secret', 'abc'], ...signed(handshake)], handshake, both, 'abc'],
    // Anyone knows the empty secret.
    [signed(event, ''), event, { secrets: [''] }, 'bad-signature'],
  ];
  for (const [headers, body, options, result] of cases)
    assert.equal(judge(headers, body, options), result, JSON.stringify([headers, body, options]));
});

test('a handshake secret signs no delivery, and changes nothing for handshakes without a secret', () => {
  const own = { secrets: [secret], handshakeSecrets: ['own'] };
  const challenge = ['X-Hook-Secret', 'abc'] as const;
  assert.equal(judge([challenge, ...signed(handshake, 'own')], handshake, own), 'abc');
  assert.equal(judge([challenge, ...signed(handshake)], handshake, own), 'abc');
  assert.equal(judge(signed(event, 'own'), event, own), 'bad-signature');
  assert.equal(judge([challenge, ...signed(event, 'own')], event, own), 'bad-signature');
  const unsigned = { secrets: [], handshakeSecrets: ['own'], unsigned: true };
  assert.equal(judge(signed(event, 'other'), event, unsigned), 'unsigned');
  const judged = judgeRequest(
    { headers: [challenge, ...signed(handshake, 'own')], body: Buffer.from(handshake) },
    own,
  );
  assert.deepEqual(judged.kind === 'handshake' && judged.responseHeader, [
    'X-Hook-Secret',
    sign('own', 'abc'),
  ]);
});

test('a header that a proxy has repeated counts once; different values are invalid', () => {
  const [header] = signed(event);
  assert.ok(header);
  const [name, value] = header;
  assert.equal(judge([header, [name.toLowerCase(), value]], event), 'valid');
  assert.equal(judge([[name, `${value}, ${value}`]], event), 'valid');
  assert.equal(judge([header, [name, sign('other', event)]], event), 'bad-signature');
  assert.equal(judge([[name, `,${value}`]], event), 'bad-signature');
  const challenge = (value: string): Headers => [['X-Hook-Secret', value]];
  const by = signed(handshake);
  assert.equal(judge([...challenge('abc'), ...challenge('abc'), ...by], handshake), 'abc');
  assert.equal(judge([...challenge('abc'), ...challenge('abd'), ...by], handshake), 'bad-challenge');
});

test('rejects a body that a handshake could have signed, unless nothing is checked', () => {
  for (const body of ['12345', 'abc', 'x'.repeat(100)]) assert.equal(judge(signed(body), body), 'forgeable');
  for (const body of ['x'.repeat(101), '1 ', '', '1\n']) assert.equal(judge(signed(body), body), 'valid');
  assert.equal(judge([], '12345', { secrets: [], unsigned: true }), 'unsigned');
});

test('a body that is almost a handshake is a delivery', () => {
  for (const body of [
    '{"requestType":1}',
    '{"requestType":["text"]}',
    '{"RequestType":"text"}',
    '[]',
    '[[{"requestType":"text"}]]',
    '["requestType"]',
    '"requestType"',
    '.requestType',
    '{"requestType":"text"',
    '[{"requestType":"text"},{"requestType":"text"}]',
    `{"requestType":"${'x'.repeat(5_000)}"}`,
    `${'['.repeat(70)}{"requestType":"text"}${']'.repeat(70)}`,
  ])
    assert.equal(judge([['X-Hook-Secret', 'abc'], ...signed(body)], body), 'valid', body.slice(0, 50));
});

test('reads a body that is a view of a larger buffer, as Node passes it', () => {
  const buffer = Buffer.from(`xx${handshake}yy`);
  const body = new Uint8Array(buffer.buffer, buffer.byteOffset + 2, handshake.length);
  const headers: Headers = [['X-Hook-Secret', 'abc'], ...signed(handshake)];
  assert.equal(judgeRequest({ headers, body }, { secrets: [secret] }).kind, 'handshake');
});
