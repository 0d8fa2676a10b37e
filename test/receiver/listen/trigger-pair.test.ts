// `wm webhook listen`, then `wm webhook trigger --to` in another terminal: the first thing that people try.

import assert from 'node:assert/strict';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { run } from '#test/support/program/program.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { createFiles } from '#world/files.ts';
import { listen, secret, startTarget } from './running-listener.ts';

const inFile = { WM_TOKEN_STORE: 'file' };
const withoutSecret = { ...inFile, WM_WEBHOOK_SECRET: undefined };

/** In another terminal of the same user, with nothing but the folder. */
async function setUp(context: TestContext) {
  const folder = await ownFolder(context);
  const environment = { WM_CONFIG_DIR: folder };
  const files = createFiles(environment, process.platform, folder);
  const wm = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    run(['webhook', ...words], { environment: { ...environment, ...more }, world: { files } });
  const trigger = (url: string, more?: Readonly<Record<string, string>>) =>
    wm(['trigger', 'TaskCreated', '--to', url], more);
  return { folder, notes: join(files.stateFolder, 'receivers'), wm, trigger };
}

test('trigger signs with the secret that listen generated, also after a kill and a restart', async (context) => {
  const { folder, notes, wm, trigger } = await setUp(context);
  const listener = await listen(context, '--json', { folder, environment: withoutSecret });
  const url = `http://127.0.0.1:${listener.port}/`;
  for (const to of [url, `http://localhost:${listener.port}/hook`]) {
    const { status, errors } = await trigger(to);
    assert.equal(errors, 'The service would count it as delivered.\n');
    assert.equal(status, 0);
  }
  assert.equal((await listener.next('delivery'))['signature'], 'valid');
  const verified = await wm(['verify', url, '--allow-private', '--json']);
  const checks: { check: string; outcome: string }[] = JSON.parse(verified.output);
  assert.equal(checks.find(({ check }) => check === 'handshake')?.outcome, 'ok');

  const name = (port: number) => `${port}-127.0.0.1.json`;
  assert.deepEqual(await readdir(notes), [name(listener.port)]);
  const note = join(notes, name(listener.port));
  assert.equal((await stat(note)).mode & 0o777, 0o600);
  const text = await readFile(note, 'utf8');
  const own = await wm(['secret', '--receiver', '--show', '--yes'], inFile);
  assert.ok(own.output.trim().length >= 32 && !text.includes(own.output.trim()), text);
  await listener.stop();
  assert.deepEqual(await readdir(notes), []);

  // As one that was killed leaves it: then another program may have the port.
  const other = await startTarget(context);
  await writeFile(join(notes, name(Number(new URL(other.url).port))), text);
  const { errors } = await trigger(other.url);
  assert.match(errors, /^No secret is known: the sample is not signed/);
  assert.deepEqual(
    other.received.map(({ headers }) => headers['x-hook-signature']),
    [undefined],
  );
});

test('two receivers on one port at two addresses: trigger signs for each with its own secret', async (context) => {
  const { folder, trigger } = await setUp(context);
  const on = (typed: string) => listen(context, typed, { folder, environment: withoutSecret });
  const four = await on(`--port ${await freePort()}`);
  const six = await on(`--port ${four.port} --host ::1 --journal ${join(folder, 'six')}`);
  const isSigned = async (host: string) => {
    const { status, errors } = await trigger(`http://${host}:${four.port}/`);
    assert.equal(status, 0, errors);
  };
  await isSigned('127.0.0.1');
  await isSigned('[::1]');
  await six.stop();
  await isSigned('127.0.0.1');
  await isSigned('localhost');
});

test('for a receiver that was given its secret, the error says how', async (context) => {
  const { folder, trigger } = await setUp(context);
  const file = join(folder, 'hook-secret');
  await writeFile(file, 'another secret of the same receiver');
  const listener = await listen(context, `--secret-file ${file}`, { folder });
  const url = `http://127.0.0.1:${listener.port}/`;
  for (const more of [{}, { WM_WEBHOOK_SECRET: 'a secret of somebody else' }]) {
    const { status, errors } = await trigger(url, more);
    assert.equal(status, 10, errors);
    assert.ok(
      errors.includes(
        `The receiver has its secret from ${file} and WM_WEBHOOK_SECRET. Give the same one: --secret-file FILE, or WM_WEBHOOK_SECRET\n`,
      ),
      errors,
    );
  }
  assert.equal((await trigger(url, { WM_WEBHOOK_SECRET: secret })).status, 0);
});

test('an error with another cause than the signature does not blame the secret', async (context) => {
  const { folder, trigger } = await setUp(context);
  const listener = await listen(context, '--path /hook', { folder });
  const elsewhere = await trigger(`http://127.0.0.1:${listener.port}/other`, { WM_WEBHOOK_SECRET: secret });
  assert.equal(elsewhere.status, 10, elsewhere.errors);
  assert.match(elsewhere.errors, /^ *503: wm webhook listen accepts deliveries at another path; /m);
  assert.doesNotMatch(elsewhere.errors, /secret/i);
  await listener.stop();
  const apart = `--path /hook --unsigned --journal ${join(folder, 'unsigned')}`;
  const unsigned = await listen(context, apart, { folder, environment: withoutSecret });
  const other = await trigger(`http://127.0.0.1:${unsigned.port}/other`, { WM_WEBHOOK_SECRET: secret });
  assert.equal(other.status, 10, other.errors);
  assert.doesNotMatch(other.errors, /secret/i);
});
