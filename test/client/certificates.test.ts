// Certificates are verified on every way by which wm sends something over TLS, whatever NODE_TLS_REJECT_UNAUTHORIZED says;
// and --ca adds to what is trusted on each of them. The program is a process of its own where a variable counts, since Node reads
// both when a process starts.

import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { asked, ca, direct, folder, get, testCertificates, wm } from './certificate-ways.ts';

testCertificates('quick');

test('--ca and NODE_EXTRA_CA_CERTS are added to each other, and to what Node trusts', async () => {
  const { rootCertificates } = await import('node:tls');
  const otherPath = join(folder, 'other.pem');
  await writeFile(otherPath, `# A public authority.\n${rootCertificates[0]}\n`);
  for (const [flag, variable] of [
    [ca, otherPath],
    [otherPath, ca],
  ] as const) {
    const ran = await wm([...get, '--ca', flag], { ...(await direct()), NODE_EXTRA_CA_CERTS: variable });
    assert.equal(ran.status, 0, ran.errors);
  }
});

const files = {
  'is missing': [undefined, /does not exist/],
  'holds none': ['hello\n', /--ca: .* contains no certificate in PEM format/],
  'holds a broken one': [
    certificate.replace('MIIB', 'MIIC'),
    /--ca: .* contains no certificate in PEM format/,
  ],
  'holds a key alone': [key, /--ca: .* contains no certificate in PEM format/],
} as const;
for (const [name, [content, message]] of Object.entries(files)) {
  test(`--ca: a file that ${name} is a usage error, nothing sent`, async () => {
    const file = join(folder, 'given.pem');
    await rm(file, { force: true });
    if (content !== undefined) await writeFile(file, content);
    const ran = await run([...get, '--ca', file], { environment: await direct() });
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
    assert.deepEqual(asked, []);
  });
}
