// `wm webhook sign` and `check-signature` over bytes of every kind, compared with what openssl computes of the same bytes: from a
// file and from standard input, with a secret whose file ends as editors of each system end it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';

const secret = 'fictional secret & é';

const bodies: Readonly<Record<string, Uint8Array>> = {
  'a delivery': Buffer.from('[{"eventType":"TaskCreated"}]'),
  'CRLF in it and at its end': Buffer.from('[\r\n  {"eventType": "TaskCreated"}\r\n]\r\n'),
  'LF at its end': Buffer.from('[]\n'),
  nothing: new Uint8Array(),
  'text beyond ASCII': Buffer.from('[{"title":"é 😀"}]'),
  'a byte order mark': Buffer.from([0xef, 0xbb, 0xbf, 0x5b, 0x5d]),
  'UTF-16': Buffer.from('[]', 'utf16le'),
  'bytes that are no text': Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256),
};

const skip = spawnSync('openssl', ['version']).status !== 0 && 'needs openssl';

function fromOpenssl(body: Uint8Array): string {
  const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-r', '-hmac', secret], { input: body });
  return stdout.toString().slice(0, 64);
}

async function setUp(test: TestContext, ending: string) {
  const folder = await ownFolder(test);
  const key = join(folder, 'secret.txt');
  await writeFile(key, `${secret}${ending}`);
  return { key, path: join(folder, 'body') };
}

for (const [at, [name, body]] of Object.entries(bodies).entries()) {
  for (const ending of at === 0 ? ['', '\n', '\r\n'] : ['\n']) {
    test(`${name}; the secret file ends with ${JSON.stringify(ending)}`, { skip }, async (context) => {
      const { key, path } = await setUp(context, ending);
      await writeFile(path, body);
      const expected = fromOpenssl(body);
      const flags = ['--secret-file', key];
      const ofFile = await run(['webhook', 'sign', path, ...flags]);
      assert.deepEqual(ofFile, { status: 0, output: `${expected}\n`, errors: '' });
      const ofInput = await run(['webhook', 'sign', '-', ...flags, '--json'], { input: body });
      assert.equal(JSON.parse(ofInput.output).signature, expected);
      for (const signature of [expected, expected.toUpperCase()]) {
        const checked = await run(['webhook', 'check-signature', signature, path, ...flags, '--quiet']);
        assert.deepEqual(checked, { status: 0, output: '', errors: '' });
      }
      // Another last byte is another body.
      const longer = Buffer.concat([body, Buffer.from(' ')]);
      const refused = await run(['webhook', 'check-signature', expected, ...flags], { input: longer });
      assert.equal(refused.status, 10);
    });
  }
}
