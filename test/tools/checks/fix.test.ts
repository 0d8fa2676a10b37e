// `wm doctor --fix` and what it looks for on this machine; and no secret in what goes into a ticket, wherever one is planted.

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { freePort } from '#test/support/service/free-port.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';

interface Row {
  readonly check: string;
  readonly result: string;
  readonly found: string;
  readonly remedy?: string;
  readonly fix?: string;
}

const rowsOf = (output: string): readonly Row[] => JSON.parse(output);

test('fixes permissions and leftover files, and checks again', async (t) => {
  const { wm, folder } = await emulated(t);
  const config = join(folder, 'config');
  const secret = join(config, 'webhook-secrets', 'a.json');
  await mkdir(join(config, 'webhook-secrets'), { recursive: true });
  await writeFile(secret, '{}');
  await chmod(secret, 0o640);
  await chmod(config, 0o722);
  await writeFile(join(config, 'config.json.reserved'), '{');
  const before = await wm(['doctor', '--json']);
  assert.equal(before.status, 10);
  const fixable = rowsOf(before.output).filter(({ fix }) => fix !== undefined);
  assert.deepEqual(
    fixable.map(({ check, result }) => [check, result]),
    [
      ['permissions', 'bad'],
      ['permissions', 'bad'],
      ['leftovers', 'notice'],
    ],
  );
  const after = await wm(['doctor', '--fix', '--yes', '--json']);
  assert.equal(after.status, 0, after.errors);
  assert.deepEqual(
    rowsOf(after.output).filter(({ fix }) => fix !== undefined),
    [],
  );
  assert.equal((await stat(config)).mode & 0o777, 0o700);
  assert.equal((await stat(secret)).mode & 0o777, 0o600);
  assert.ok(!(await readdir(config)).includes('config.json.reserved'));
  for (const { fix } of fixable) assert.ok(after.errors.includes(`Done: ${fix}\n`), after.errors);
});

test('keeps temporary files of a running wm', async (t) => {
  const { wm, folder } = await emulated(t);
  const config = join(folder, 'config');
  await mkdir(config, { recursive: true });
  await writeFile(join(config, 'profiles.json.reserved'), '{');
  const held = await createWorld().lock.acquire(join(config, 'profiles.lock'), { timeoutMs: 0 });
  const { errors } = await wm(['doctor', '--fix', '--yes']);
  assert.match(errors, /^Failed: remove 1 temporary file .*: Another wm is writing \S+profiles\.json$/m);
  assert.ok((await readdir(config)).includes('profiles.json.reserved'));
  await held?.release();
});

test('reports a callback port in use, with the command that ends the sign-in using it', async (t) => {
  const { wm } = await emulated(t);
  const server = createServer();
  const port = await listening(server, t);
  const callback = async (environment = {}) => {
    const { output } = await wm(['doctor', '--json'], { environment });
    return rowsOf(output).find(({ check }) => check === 'callback port');
  };
  await wm(['config', 'set', 'callback-port', String(port)]);
  const busy = await callback();
  assert.deepEqual([busy?.result, busy?.found], ['bad', `${port} is in use`]);
  assert.equal(busy?.remedy, 'To use any free port: wm config set callback-port 0');
  // wm login rejects the same texts.
  for (const text of ['many', '1e3']) {
    const { result, found, remedy } = (await callback({ WM_CALLBACK_PORT: text })) ?? {};
    assert.deepEqual([result, found], ['bad', `WM_CALLBACK_PORT: "${text}" is not a port`]);
    assert.equal(remedy, 'Set it to a number from 0 to 65535.');
  }
  assert.equal(
    (await callback({ WM_CALLBACK_PORT: String(port) }))?.remedy,
    'Set WM_CALLBACK_PORT to another port.',
  );
  const free = await freePort();
  await wm(['config', 'set', 'callback-port', String(free)]);
  assert.equal((await callback())?.found, `${free} is free`);
  await wm(['config', 'set', 'callback-port', '0']);
  assert.equal((await callback())?.found, 'any free port');
});

/** No request gets a response. */
const unreachable = { send: async () => ({ fault: 'unreachable', sent: false, detail: 'tried' }) as const };

for (const [fault, check] of [
  ['name', 'DNS'],
  ['connection', 'connection'],
  ['tls', 'TLS'],
] as const) {
  test(`reports that the connection to the host fails at ${fault}`, async (t) => {
    const { wm } = await emulated(t);
    const world = {
      inspectConnection: async () => ({
        isProxied: false,
        addresses: ['192.0.2.1'],
        fault: { stage: fault, fault: 'unreachable' as const, detail: 'as the system says' },
      }),
      http: unreachable,
    };
    const environment = { WM_HOST: 'api.example.com' };
    const { status, output } = await wm(['doctor', '--json'], { environment, world });
    const row = rowsOf(output).find((candidate) => candidate.check === check);
    assert.deepEqual([status, row?.result], [10, 'bad']);
    assert.match(row?.found ?? '', /as the system says/);
    assert.ok(row?.remedy);
  });
}

test('reports the addresses and the certificate of a reachable host', async (t) => {
  const { wm } = await emulated(t);
  const day = 86_400_000;
  const checks = async (days: number) => {
    const validTo = Date.now() + days * day + 60_000;
    const certificate = { names: [], issuer: 'a', subject: 'b', validFrom: 0, validTo };
    const addresses = ['192.0.2.1', '192.0.2.2'];
    const world = {
      inspectConnection: async () => ({ isProxied: false, addresses, certificate }),
      http: unreachable,
    };
    const { output } = await wm(['doctor', '--json'], { environment: { WM_HOST: 'api.example.com' }, world });
    return rowsOf(output)
      .filter(({ check }) => check === 'DNS' || check === 'TLS')
      .map(({ result, found }) => `${result} ${found}`);
  };
  assert.deepEqual(await checks(90), [
    'good api.example.com is at 192.0.2.1 and 192.0.2.2',
    'good api.example.com has a certificate that is valid for 90 days',
  ]);
  assert.match((await checks(3))[1] ?? '', /^notice .* 3 days$/);
});

test('the ticket contains no secret, wherever one is planted', async (t) => {
  const { wm, folder } = await emulated(t);
  const config = join(folder, 'config');
  await mkdir(join(config, 'tokens'), { recursive: true });
  const planted = {
    'auth-url': 'https://user:canary-1@login.example.com',
    token: 'canary-2',
    'client-secret': 'canary-3',
    password: { deep: 'canary-4' },
    profiles: { a: { 'client-secret': 'canary-5' } },
  };
  await writeFile(join(config, 'config.json'), JSON.stringify(planted));
  await writeFile(
    join(folder, '.wm.json'),
    JSON.stringify({ 'auth-url': 'https://canary-6:x@evil.example', token: 'canary-7' }),
  );
  await writeFile(join(config, 'tokens', 'default.json'), '{ "accessToken": "canary-8" ');
  for (const environment of [
    { HTTPS_PROXY: 'http://user:canary-9@proxy.example:3128', NO_PROXY: '127.0.0.1' },
    { HTTPS_PROXY: 'http://user:canary-9@two words' },
    { WM_TOKEN: 'canary-token-10' },
    { WM_CLIENT_SECRET: 'canary-secret-11', WM_WEBHOOK_SECRET: 'canary-secret-12' },
  ]) {
    for (const typed of [
      ['doctor', '--json'],
      ['doctor'],
      ['doctor', '--verbose', '--fix', '--yes'],
      ['config', 'list'],
      ['whoami'],
    ]) {
      const { output, errors } = await wm(typed, { environment });
      assert.doesNotMatch(output + errors, /canary/, typed.join(' '));
    }
  }
});
