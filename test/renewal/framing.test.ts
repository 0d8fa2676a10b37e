// Tokens that arrive whole in a response that is framed wrongly: a refresh token works once, so they are used.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { inside } from './inside.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
const { wm } = inside(stage);
beforeEach(async () => {
  service.faults.length = 0;
  await stage.signInAnew();
  await stage.expire();
});

type Body = string | Uint8Array;
const framed = (headers: readonly string[], body: Body) =>
  Buffer.concat([
    Buffer.from(['HTTP/1.1 200 OK', ...headers, 'Connection: close', '', ''].join('\r\n')),
    Buffer.from(body),
  ]);
const json = 'Content-Type: application/json';
const length = (body: Body, more = 0) => `Content-Length: ${Buffer.byteLength(body) + more}`;
const chunk = (body: Body) => `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n`;
const gzip = 'Content-Encoding: gzip';

const whole: Readonly<Record<string, readonly [(tokens: string) => Uint8Array, RegExp]>> = {
  'a length that is too long by one': [
    (tokens) => framed([json, length(tokens, 1)], tokens),
    /token endpoint broke off \(.*\); its JSON is complete/,
  ],
  'no last chunk': [
    (tokens) => framed([json, 'Transfer-Encoding: chunked'], chunk(tokens)),
    /token endpoint broke off \(.*\); its JSON is complete/,
  ],
  'a bad chunk after the last': [
    (tokens) => framed([json, 'Transfer-Encoding: chunked'], `${chunk(tokens)}zz\r\n`),
    /token endpoint broke off \(.*\); its JSON is complete/,
  ],
  'the type of a web page': [
    (tokens) => framed(['Content-Type: text/html', length(tokens)], tokens),
    /token endpoint has the content type text\/html; its/,
  ],
  'a type that may be a part of a secret': [
    (tokens) => framed([`Content-Type: text/${'x'.repeat(40)}`, length(tokens)], tokens),
    /has the content type of over 40 characters;/,
  ],
  'no type': [(tokens) => framed([length(tokens)], tokens), /has the content type none;/],
  gzip: [
    (tokens) => framed([json, gzip, length(gzipSync(tokens))], gzipSync(tokens)),
    /token endpoint is marked as compressed \(gzip\);/,
  ],
  'gzip that no header names': [
    (tokens) => framed([json, length(gzipSync(tokens))], gzipSync(tokens)),
    /token endpoint is compressed, which no header says; its/,
  ],
  'what only calls itself gzip': [
    (tokens) => framed([json, gzip, length(tokens)], tokens),
    /token endpoint is marked as compressed \(gzip\);/,
  ],
  'gzip that breaks off within its checksum, as a web page': [
    (tokens) =>
      framed(['Content-Type: text/html', gzip, length(gzipSync(tokens))], gzipSync(tokens).subarray(0, -4)),
    /broke off \(.*\), has the content type text\/html, is marked as compressed \(gzip\);/,
  ],
};

for (const [name, [frame, says]] of Object.entries(whole)) {
  test(`${name}: the tokens are used, and --verbose says so`, async () => {
    const { requests } = service.counts;
    service.faults.push({ when: 'after', what: 'bytes', frame });
    const ended = await wm('whoami', '--verbose');
    assert.equal(ended.status, 0, ended.errors);
    assert.match(ended.errors, says);
    assert.doesNotMatch(ended.errors, /canary/);
    assert.equal(service.counts.requests, requests + 1);
    assert.equal((await stage.item()).refreshToken, service.refreshToken());
  });
}

test('gzip, in a separate helper', async () => {
  const frame = (tokens: string) => framed([json, gzip, length(gzipSync(tokens))], gzipSync(tokens));
  service.faults.push({ when: 'after', what: 'bytes', frame });
  const ended = await stage.run('whoami');
  assert.equal(ended.status, 0, ended.errors);
});

const tooMuch = 1024 * 1024;
const unusable: Readonly<Record<string, (tokens: string) => Uint8Array>> = {
  'more than 1 MB in gzip': (tokens) => {
    const bomb = gzipSync(`${tokens.slice(0, -1)}${' '.repeat(tooMuch)}}`);
    return framed([json, gzip, length(bomb)], bomb);
  },
  'another compression': (tokens) => {
    const compressed = brotliCompressSync(tokens);
    return framed([json, 'Content-Encoding: br', length(compressed)], compressed);
  },
  'all but the last brace': (tokens) => framed([json, length(tokens)], tokens.slice(0, -1)),
};

for (const [name, frame] of Object.entries(unusable)) {
  test(`${name}: no tokens, and the message does not say that no response arrived`, async () => {
    service.faults.push({ when: 'after', what: 'bytes', frame });
    const ended = await wm('whoami', '--verbose');
    assert.equal(ended.status, 4, ended.errors);
    assert.match(ended.errors, /but no usable response arrived/);
    assert.doesNotMatch(ended.errors, /canary/);
  });
}
