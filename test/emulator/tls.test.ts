// The emulator over https, with clients that trust its authority and with others. test/transcript/emulator-tls.txt has wm.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get, type RequestOptions } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { createServerCertificate } from '#emulator/certificate.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { started } from '#test/support/service/start-emulator.ts';
import type { Environment } from '#world/world.ts';
import { execWith } from './commands/in-process.ts';

async function fetchOver(url: string, options: RequestOptions): Promise<{ status: number; body: string }> {
  const [response]: IncomingMessage[] = await once(get(url, { agent: false, ...options }), 'response');
  assert.ok(response);
  return { status: response.statusCode ?? 0, body: await text(response) };
}

async function secured(test: TestContext) {
  const credential = await createServerCertificate(Date.now());
  const emulator = await started(test, { secure: credential });
  return { emulator, credential, trust: { ca: credential.authority } };
}

test('every emulator address is https, and works for clients that trust its authority', async (t) => {
  const { emulator, trust } = await secured(t);
  const { dataCentres, authUrl, baseUrl, controlUrl } = emulator;
  assert.equal(dataCentres.length, 3);
  for (const { baseUrl: url } of dataCentres) {
    // 401: it is the API that answers.
    assert.equal((await fetchOver(`${url}/account`, trust)).status, 401);
  }
  for (const url of [authUrl, baseUrl, controlUrl]) assert.match(url, /^https:\/\/127\.0\.0\.1:\d+/);
  const page = await fetchOver(authUrl, trust);
  for (const { baseUrl: url } of dataCentres) assert.ok(page.body.includes(`<code>${url}</code>`), url);
  assert.match((await fetchOver(`${controlUrl}/clock`, trust)).body, /"frozen":false/);
  const headers = { Authorization: `Bearer ${emulator.token}` };
  const task = await fetchOver(`${baseUrl}/tasks/${emulator.sampleTask}`, { ...trust, headers });
  assert.match(task.body, new RegExp(`"permalink":"${authUrl}/`));
});

test('the certificate covers this machine under each of its names, and no other', async (t) => {
  const { emulator, trust } = await secured(t);
  const under = (servername: string) => fetchOver(`${emulator.authUrl}/open.htm`, { ...trust, servername });
  assert.equal((await under('localhost')).status, 200);
  await assert.rejects(under('example.com'), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});

const noCurl = spawnSync('curl', ['--version']).status !== 0 && 'needs curl';

test('a program with a fixed host reaches the emulator under that name', { skip: noCurl }, async () => {
  let body = '';
  const use = async ({ WM_EMULATOR_URL = '', WM_TOKEN = '', CURL_CA_BUNDLE = '' }: Environment) => {
    const { port } = new URL(WM_EMULATOR_URL);
    const curl = (host: string) =>
      promisify(execFile)('curl', [
        ...['--silent', '--show-error', '--resolve', `${host}:${port}:127.0.0.1`, '--cacert', CURL_CA_BUNDLE],
        ...['--header', `Authorization: Bearer ${WM_TOKEN}`, `https://${host}:${port}/api/v4/account`],
      ]);
    ({ stdout: body } = await curl('api.example.com'));
    await assert.rejects(curl('www.example.com'), /no alternative certificate subject name matches/);
    return 0;
  };
  const ran = await execWith(['--tls', '--allow-host', 'api.example.com', '--', 'curl'], use);
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.match(body, /"kind":"accounts"/);
});

test('a client that does not trust the certificate gets nothing, nor does plain http', async (t) => {
  const { emulator } = await secured(t);
  await assert.rejects(fetchOver(emulator.authUrl, {}), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  const other = await createServerCertificate(Date.now());
  await assert.rejects(fetchOver(emulator.authUrl, { ca: other.authority }));
  await assert.rejects(once(getPlain(emulator.authUrl.replace('https', 'http')), 'response'), {
    code: 'ECONNRESET',
  });
  const plain = emulator.authUrl.replace('https', 'http');
  const { status, errors } = await run(['emulator', 'requests', '--url', plain]);
  assert.equal(status, 7, errors);
  assert.match(errors, /No emulator responds at .*After `start --tls`, its URL begins with https:/s);
});

test('the authority signs only one certificate, and neither is valid for anything else', async () => {
  const now = Date.UTC(2026, 2, 2, 12);
  const { authority: authorityPem, certificate: pem } = await createServerCertificate(now);
  const [authority, certificate] = [new X509Certificate(authorityPem), new X509Certificate(pem)];
  assert.ok(authority.ca && !certificate.ca);
  assert.ok(certificate.checkIssued(authority) && certificate.verify(authority.publicKey));
  assert.equal(certificate.subjectAltName, 'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  assert.equal(Date.parse(certificate.validFrom), now - 3_600_000);
  assert.equal(Date.parse(certificate.validTo), now + 365 * 86_400_000);
  const again = await createServerCertificate(now);
  assert.notEqual(again.key, (await createServerCertificate(now)).key);
  assert.notEqual(new X509Certificate(again.certificate).serialNumber, certificate.serialNumber);
});

const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'authority.pem'];
const skip = spawnSync('openssl', ['version']).status !== 0 && 'needs openssl';

test('openssl accepts the certificate in strict mode', { skip }, async (t) => {
  const folder = await ownFolder(t);
  const { authority, certificate } = await createServerCertificate(Date.now());
  await writeFile(join(folder, 'authority.pem'), authority);
  await writeFile(join(folder, 'certificate.pem'), certificate);
  for (const name of ['-verify_hostname=localhost', '-verify_ip=127.0.0.1', '-verify_ip=::1']) {
    const ran = spawnSync('openssl', [...strict, ...name.split('='), 'certificate.pem'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(ran.status, 0, `${name}\n${ran.stdout}${ran.stderr}`);
  }
});

test('certificates that were already configured stay trusted, and no files are left behind', async (t) => {
  const folder = await ownFolder(t);
  const { authority } = await createServerCertificate(Date.now());
  await writeFile(join(folder, 'mine.pem'), authority);
  const before = {
    SSL_CERT_FILE: join(folder, 'mine.pem'),
    CURL_CA_BUNDLE: join(folder, 'missing.pem'),
  };
  let files: string[] = [];
  const use = async ({ SSL_CERT_FILE = '', CURL_CA_BUNDLE = '' }: Environment) => {
    files = [SSL_CERT_FILE, CURL_CA_BUNDLE];
    const [openssl = '', curl = ''] = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    assert.ok(openssl.endsWith(authority), openssl);
    assert.equal(curl, openssl.slice(0, -authority.length));
    assert.equal(new X509Certificate(curl).ca, true);
    for (const file of files) assert.match(file, /wm-emulator-/);
    return 0;
  };
  const ran = await execWith(['--tls', '--', 'a-command'], use, { environment: before });
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  for (const file of files) assert.equal(existsSync(dirname(file)), false, file);
  assert.deepEqual(await readdir(folder), ['mine.pem']);
});
