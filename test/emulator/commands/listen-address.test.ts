// `wm emulator start --host`: where an emulator listens, for a container, and which names it then answers to.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { run } from '#test/support/program/program.ts';
import { startWith } from './in-process.ts';

// Every address of 127.0.0.0/8 is this machine's, on Linux alone.
const linux = { skip: process.platform !== 'linux' && 'needs a second loopback address' };

/** Starts an emulator; `stop` returns its warnings. */
async function start(t: TestContext, flags: readonly string[]) {
  const { printed, stop } = await startWith(['--json', ...flags]);
  t.after(stop);
  const ready: { host: string; authUrl: string; baseUrl: string; token: string; certificate?: string } =
    JSON.parse(printed);
  return { ...ready, port: Number(new URL(ready.baseUrl).port), stop: async () => (await stop()).errors };
}

type Started = Awaited<ReturnType<typeof start>>;

/** The status of a request to an address of this machine; undefined if the connection is refused. */
async function statusAt(
  { port, token }: Started,
  address: string,
  name = address,
): Promise<number | undefined> {
  const sent = request({
    ...{ host: address, port, path: '/api/v4/account', agent: false },
    headers: { Host: `${name}:${port}`, Authorization: `Bearer ${token}` },
  }).end();
  try {
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode;
  } catch (error) {
    assert.match(String(error), /ECONNREFUSED/);
    return undefined;
  }
}

test('listens only on 127.0.0.1 by default', linux, async (t) => {
  const emulator = await start(t, []);
  assert.deepEqual(
    [await statusAt(emulator, '127.0.0.1'), await statusAt(emulator, '127.0.0.2')],
    [200, undefined],
  );
  assert.equal(await emulator.stop(), '');
});

test('listens only on the given address of this machine, and uses it in responses', linux, async (t) => {
  const emulator = await start(t, ['--host', '127.0.0.2']);
  assert.equal(emulator.host, `127.0.0.2:${emulator.port}`);
  assert.deepEqual(
    [await statusAt(emulator, '127.0.0.1'), await statusAt(emulator, '127.0.0.2')],
    [undefined, 200],
  );
  assert.equal(await emulator.stop(), '');
});

test(
  'all addresses: says who can reach it, and responds to no host name that was not allowed',
  linux,
  async (t) => {
    const emulator = await start(t, [
      '--host',
      '0.0.0.0',
      '--allow-host',
      'emulator',
      '--allow-host',
      'other',
    ]);
    assert.equal(emulator.host, `emulator:${emulator.port}`);
    const statuses = ['emulator', 'other', 'localhost', 'rebound.example', '10.1.2.3'].map((name) =>
      statusAt(emulator, '127.0.0.2', name),
    );
    assert.deepEqual(await Promise.all(statuses), [200, 200, 200, 403, 403]);
    assert.equal(
      await emulator.stop(),
      'wm: Listening on 0.0.0.0: every machine that can reach it can use and control this emulator, without a token\n',
    );
  },
);

test('on all addresses without --allow-host, its host is 127.0.0.1', linux, async (t) => {
  const emulator = await start(t, ['--host', '0.0.0.0']);
  assert.equal(emulator.host, `127.0.0.1:${emulator.port}`);
});

test('other machines cannot use it to reach services of this one', async () => {
  const { status, errors } = await run(['emulator', 'start', '--host', '0.0.0.0', '--allow-local-hooks']);
  assert.equal(status, 2);
  assert.match(errors, /--allow-local-hooks cannot be combined with --host 0\.0\.0\.0/);
  assert.match(errors, /--connect-to HOST=ADDRESS:PORT/);
});

test('localhost, and an address in URL brackets', async (t) => {
  const emulator = await start(t, ['--host', 'localhost']);
  assert.equal(emulator.host, `127.0.0.1:${emulator.port}`);
  const { errors } = await run(['emulator', 'start', '--host', '[::]', '--allow-local-hooks']);
  assert.match(errors, /cannot be combined with --host ::: other/);
});

test('a host name is not an address', async () => {
  const { status, errors } = await run(['emulator', 'start', '--host', 'example.com']);
  assert.equal(status, 2);
  assert.match(errors, /--host: "example\.com" is not an address of this machine/);
});

test('docs/emulator-library.md: the command of the container starts', linux, async (t) => {
  const page = await readFile('docs/emulator-library.md', 'utf8');
  const words: string[] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(page)?.[1] ?? '');
  assert.deepEqual(words.slice(0, 3), ['wm', 'emulator', 'start']);
  const more = /`wm-emulator (--allow-host \w+)`/.exec(page)?.[1]?.split(' ') ?? [];
  const flags = words.slice(3).map((word) => (word === '4010' ? '0' : word));
  const emulator = await start(t, [...flags, ...more]);
  assert.equal(emulator.host, `emulator:${emulator.port}`);
  assert.equal(await statusAt(emulator, '127.0.0.2', 'emulator'), 200);
});

test('--tls --json prints a host that WM_HOST accepts', async (t) => {
  const { host, authUrl, token, certificate = '' } = await start(t, ['--tls']);
  assert.equal(host, authUrl);
  const environment = { WM_HOST: host, WM_TOKEN: token };
  const { status, output, errors } = await run(['whoami', '--ca', certificate], { environment });
  assert.deepEqual([status, errors], [0, '']);
  assert.match(output, /^Ada Fields/);
});

test('--tls and a host without https://: the hint shows the host with it, and blames no proxy', async (t) => {
  const { host, token } = await start(t, ['--tls']);
  const plain = host.replace('https://', '');
  const environment = { WM_HOST: plain, WM_TOKEN: token };
  for (const line of [['whoami'], ['doctor']]) {
    const { output, errors } = await run(line, { environment, world: { clock: createHurriedClock() } });
    const text = output + errors;
    assert.match(
      text,
      new RegExp(`If the emulator serves https, put https:// before its host: ${host}$`, 'm'),
    );
    assert.doesNotMatch(text, /HTTPS_PROXY/);
  }
});
