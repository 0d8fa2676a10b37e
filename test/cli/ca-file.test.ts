// `--ca FILE`: what becomes of the text of the file, and of a path that is no file. Over TLS itself:
// test/client/certificates.test.ts.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import type { Http } from '#world/world.ts';

test('the HTTP client that trusts the file sends the request; one without support for certificates sends it itself', async (t) => {
  const { wm, folder } = await emulated(t);
  const file = join(folder, 'ca.pem');
  await writeFile(file, 'the certificates');
  const sent: string[] = [];
  const client = (name: string): Http => ({
    send: async () => {
      sent.push(name);
      return { fault: 'connection-refused', sent: false, detail: 'refused' };
    },
  });
  const list = (http: Http) => wm(['webhook', 'list', '--ca', file, '--timeout', '1'], { world: { http } });
  const trusted: string[] = [];
  const withCertificates = async (text: string) => {
    trusted.push(text);
    return client('trusting');
  };
  assert.equal((await list({ ...client('usual'), withCertificates })).status, 7);
  assert.deepEqual([trusted, new Set(sent)], [['the certificates'], new Set(['trusting'])]);
  sent.length = 0;
  assert.equal((await list(client('usual'))).status, 7);
  assert.deepEqual(new Set(sent), new Set(['usual']));
});
