// Text from outside that is as long and as awkward as it may be: each reader goes through it once. A reader that looks
// again at what it has read would take hours here; what it takes otherwise is not measured.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedColors } from '#contract/allowed-html.ts';
import { nearestWords } from '#contract/did-you-mean.ts';
import { locateJson } from '#contract/locate-json.ts';
import { findTunnelUrl } from '#receiver/way-in/tunnel.ts';
import { wrapMessage } from '#terminal/wrap-message.ts';
import { redactUrls } from '#webhooks/diagnose.ts';
import { explainMismatch } from '#webhooks/signature/explain-mismatch.ts';

const many = 300_000;

test('a color between spaces', () => {
  assert.deepEqual(allowedColors(`color:a${' '.repeat(many)}b`), [undefined]);
  assert.deepEqual(allowedColors('top: 0; COLOR : red ;'), [undefined, 'color: red;']);
});

test('a body of line breaks with another signature', () => {
  const body = Buffer.from(`${'\n'.repeat(many)}x`);
  assert.match(explainMismatch('a secret of the test', body, 'ab'.repeat(32)).why, /./);
});

test('URLs inside a URL, for a bundle', () => {
  const urls = 'http://a/'.repeat(many / 10);
  assert.equal(
    redactUrls(`"${urls}" "${urls}?a=b#c" "${urls}#c?d"`),
    `"${urls}" "${urls}?[redacted]#[redacted]" "${urls}#[redacted]"`,
  );
});

test('a line of dots from a tunnel program', () => {
  assert.equal(findTunnelUrl(`https://a${'.'.repeat(many)}b`), undefined);
  assert.equal(findTunnelUrl('see https://abc.trycloudflare.com/...'), 'https://abc.trycloudflare.com');
});

test('the line numbers of 100,000 members', () => {
  const json = `{${Array.from({ length: many / 10 }, (_, at) => `"a${at}":0`).join(',\n')}}`;
  assert.equal(locateJson(json).lineOf([`a${many / 10 - 1}`]), many / 10);
});

test('a word that is as long as the candidate', () => {
  assert.deepEqual(nearestWords('a'.repeat(many), ['b'.repeat(many)]), []);
});

test('a message of many words, and one of a single word', () => {
  const words = 'ab '.repeat(many).trimEnd();
  assert.equal(wrapMessage(words, 5).length, many / 2);
});
