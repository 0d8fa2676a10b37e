// What `wm webhook check-signature` says about a signature that does not match. The signatures are made here with node:crypto.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';

const secret = 'fictional secret é';
const hmac = (content: string | Uint8Array, withSecret = secret) =>
  createHmac('sha256', withSecret).update(content).digest('hex');
const event = '{"eventType":"TaskTitleChanged","title":"Grüße 😀 a/b"}';
const signed = `[${event}]`;
const indented = (spaces: number) => JSON.stringify(JSON.parse(signed), null, spaces);
const again = /parsed and encoded again/;

const cases: readonly (readonly [string, string | Uint8Array, string, RegExp])[] = [
  ['a line break was added', `${signed}\n`, hmac(signed), /without the line break at its end/],
  ['a line break of Windows was added', `${signed}\r\n`, hmac(signed), /without the line break/],
  ['several line breaks were added', `${signed}\n\n`, hmac(signed), /without the line break/],
  ['a line break was removed', signed, hmac(`${signed}\n`), /with a line break at its end/],
  ['CRLF became LF', '[\n]\n[]', hmac('[\r\n]\r\n[]'), /CRLF and LF/],
  ['LF became CRLF', '[\r\n]\r\n[]', hmac('[\n]\n[]'), /CRLF and LF/],
  ['a byte order mark was added', `\ufeff${signed}`, hmac(signed), /byte order mark/],
  ['the body was lost before it was signed', signed, hmac(''), /empty body/],
  ['compact became indented', indented(2), hmac(signed), again],
  ['indented became compact', signed, hmac(indented(2)), again],
  ['indented by 4, with a line break', signed, hmac(`${indented(4)}\n`), again],
  [
    'as Python writes it',
    signed,
    hmac('[{"eventType": "TaskTitleChanged", "title": "Gr\\u00fc\\u00dfe \\ud83d\\ude00 a/b"}]'),
    again,
  ],
  ['numbers and nothing, as Python writes them', '[{"a":1,"b":null}]', hmac('[{"a": 1, "b": null}]'), again],
  ['as PHP writes it', signed, hmac(signed.replace('/', '\\/')), again],
  ['one event was taken out of its list', event, hmac(signed), again],
  ['one event was put into a list', signed, hmac(event), again],
  ['base64', signed, Buffer.from(hmac(signed), 'hex').toString('base64'), /in base64/],
  ['a prefix', signed, `sha256=${hmac(signed)}`, /before or after/],
  ['too short', signed, 'abc', /this has 3 characters/],
  ['not hexadecimal', signed, 'z'.repeat(64), /this has 64 characters/],
  [
    'the secret of the webhook ends with a line break',
    signed,
    hmac(signed, `${secret}\n`),
    /quotes or a line break/,
  ],
  ['another secret', signed, hmac(signed, 'another'), /the secret is another one/],
  ['bytes that are no text', new Uint8Array([0xff, 0xfe, 0x00]), hmac('x'), /the secret is another one/],
];

for (const [description, body, signature, message] of cases) {
  test(`the signature does not match: ${description}`, async (context) => {
    const { wm, folder } = await emulated(context);
    const path = join(folder, 'body');
    await writeFile(path, body);
    const ran = await wm(['webhook', 'check-signature', signature, path], {
      environment: { WM_WEBHOOK_SECRET: secret },
    });
    assert.equal(ran.status, 10, ran.errors);
    assert.match(ran.errors, message);
    assert.ok(!ran.errors.includes(secret), ran.errors);
  });
}

test('the secret has surplus quotes around it', async (context) => {
  const { wm, folder } = await emulated(context);
  await writeFile(join(folder, 'body'), signed);
  const ran = await wm(['webhook', 'check-signature', hmac(signed), join(folder, 'body')], {
    environment: { WM_WEBHOOK_SECRET: `"${secret}"` },
  });
  assert.match(ran.errors, /spaces, quotes or a line break around it/);
});

test('--webhook uses the secret stored for that webhook', async (context) => {
  const { wm, folder } = await emulated(context);
  const id = 'IEAAAAAQWAAAAAAAAAA1';
  await writeFile(join(folder, 'body'), signed);
  const argv = ['webhook', 'sign', join(folder, 'body'), '--webhook', id];
  const without = await wm(argv);
  assert.equal(without.status, 2, without.errors);
  assert.match(without.errors, new RegExp(`^wm: No secret is stored for webhook ${id}\n`));
  await wm(['webhook', 'secret', id, '--store', '--secret-stdin'], { input: secret });
  const signature = hmac(signed);
  assert.equal((await wm(argv)).output, `${signature}\n`);
  const check = ['webhook', 'check-signature', signature, join(folder, 'body'), '--webhook', id];
  assert.equal((await wm(check)).status, 0);
  // What is given counts before what is stored.
  const otherRun = await wm(argv, { environment: { WM_WEBHOOK_SECRET: 'another' } });
  assert.equal(otherRun.output, `${hmac(signed, 'another')}\n`);
});

test('warns about an unreadable stored secret, and accepts one from elsewhere', async (context) => {
  const { wm } = await emulated(context);
  const id = 'IEAAAAAQWAAAAAAAAAA1';
  for (const [fault, warning] of [
    ['locked', /^Cannot read the stored secret: The keychain is locked: by the test\n/],
    ['missing', /^wm: No secret is stored/],
  ] as const) {
    const answer = async () => ({ fault, detail: 'by the test' });
    const ran = await wm(['webhook', 'sign', '--webhook', id], {
      environment: { WM_TOKEN_STORE: 'keychain' },
      world: { keychain: { read: answer, write: answer, remove: answer } },
    });
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, warning);
  }
});

test('a missing body, and one that is too large', async (context) => {
  const { wm, folder } = await emulated(context);
  const environment = { WM_WEBHOOK_SECRET: secret };
  const missing = await wm(['webhook', 'sign', join(folder, 'none')], { environment });
  assert.match(missing.errors, /^wm: The body: .*none does not exist/);
  await writeFile(join(folder, 'large'), '');
  await truncate(join(folder, 'large'), 32 * 1024 * 1024 + 1);
  const large = await wm(['webhook', 'sign', join(folder, 'large')], { environment });
  assert.equal(large.status, 2);
  assert.match(large.errors, /is larger than 33554432 bytes/);
});

test('on a terminal: prompts for the secret, and needs a file for the body, TERM=xterm-256color', async (context) => {
  const stage = await setStage(context);
  await writeFile(join(stage.folder, 'body'), signed);
  const setting = { environment: { TERM: 'xterm-256color' } };
  const terminal = openInProcess(context, stage, `wm webhook sign ${join(stage.folder, 'body')}`, setting);
  await terminal.shows('Secret', `${secret}${key.enter}`);
  await terminal.shows(hmac(signed));
  assert.equal(await terminal.ended, 0);
  assert.ok(!terminal.text.includes('fictional'), terminal.text);
  const without = openInProcess(context, stage, 'wm webhook sign', setting);
  await without.shows('Missing: FILE');
  assert.equal(await without.ended, 2);
});
