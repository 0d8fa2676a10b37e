// Commands whose every process writes down what the machine could see of it, at a service that fails in many ways. The secrets
// all begin with "canary".

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { type ProcessRecord, recordProcesses } from '#test/support/process/process-record.ts';
import { listening } from '#test/support/service/listening.ts';
import { visit } from '#test/support/sign-in/person.ts';
import { startWm } from '../system/keychain-session.ts';
import type { Ended } from '../system/watch.ts';
import { storeSignIn } from './stored-sign-in.ts';

/** What the person has set themselves. */
const environment = {
  PATH: process.env['PATH'] ?? '',
  WM_TOKEN_STORE: 'file',
  WM_DEBUG: '1',
  WM_CLIENT_ID: 'app',
  WM_CLIENT_SECRET: 'canary-client-secret',
  WM_WEBHOOK_SECRET: 'canary-webhook-secret',
};

const setByThePerson = new Set(Object.entries(environment).map(([name, value]) => `${name}=${value}`));

type Fault = (response: ServerResponse) => void;
const json =
  (status: number, body: object): Fault =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
const good: Fault = json(200, {
  access_token: 'canary-access-2',
  refresh_token: 'canary-refresh-2',
  expires_in: 3600,
});
const half: Fault = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 500 });
  response.write('{"access_token":"canary-access-2","refresh_token":"canary-ref', () => response.destroy());
};

/** The tests with the names that are `isChosen`. */
export function testCanaries(isChosen: (name: string) => boolean): void {
  const testChosen = (name: string, body: () => Promise<void>) => {
    if (isChosen(name)) test(name, body);
  };
  let api: Fault;
  let token: Fault;
  let folder = '';
  let record: ProcessRecord;
  const server = createServer((request, response) => {
    request.resume().on('end', () => (request.url === '/oauth2/token' ? token : api)(response));
  });
  let host = '';
  before(async () => {
    host = `127.0.0.1:${await listening(server)}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(async () => {
    api = json(401, { error: 'not_authorized', errorDescription: 'Access token is unknown or invalid' });
    token = good;
    folder = await mkdtemp(join(tmpdir(), 'wm-canaries-'));
    await storeSignIn(folder, {
      generation: 1,
      accessToken: 'canary-access-1',
      refreshToken: 'canary-refresh-1',
      host,
      clientSecret: 'canary-client-secret',
    });
    record = await recordProcesses();
  });
  afterEach(async () => {
    const events = await record.seen();
    await record.close();
    await rm(folder, { recursive: true, maxRetries: 5 });
    for (const { what, commandLine, environment: all } of events) {
      assert.doesNotMatch(commandLine.join(' '), /canary/, what);
      assert.deepEqual(
        all.filter((value) => /canary/.test(value) && !setByThePerson.has(value)),
        [],
        commandLine.join(' '),
      );
    }
    assert.ok(events.some(({ what }) => what === 'start'));
  });

  const start = (...typed: string[]) =>
    startWm(
      [...typed, '--verbose'],
      { ...environment, ...record.environment, WM_CONFIG_DIR: folder },
      { input: '' },
    );

  async function clean({ status, output, errors }: Ended, expected: number): Promise<void> {
    assert.equal(status, expected, errors);
    assert.doesNotMatch(output + errors, /canary/);
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (!file.isFile() || path === join(folder, 'tokens', 'default.json')) continue;
      assert.doesNotMatch(await readFile(path, 'utf8'), /canary/, path);
    }
  }

  const ofApi: readonly [string, Fault, number][] = [
    ['401, after a renewal too', json(401, { error: 'not_authorized', errorDescription: 'x' }), 4],
    ['403', json(403, { error: 'not_allowed', errorDescription: 'x' }), 3],
    ['500', json(500, { error: 'server_error', errorDescription: 'x' }), 7],
    ['an answer that is none', (response) => response.end('<h1>hello</h1>'), 1],
    ['a broken connection', (response) => response.destroy(), 7],
  ];
  for (const [name, fault, status] of ofApi) {
    testChosen(`the API: ${name}`, async () => {
      api = fault;
      await clean(await start('whoami', '--timeout', '3').ended, status);
      if (status !== 4) return;
      const change = await start('webhook', 'create', 'https://hooks.example.com/x', '--yes').ended;
      await clean(change, 4);
    });
  }

  const second = { access_token: 'canary-access-2', refresh_token: 'canary-refresh-2' };
  const code = { code: 'canary-code' };
  const kept: Fault = (response) =>
    json(200, { access_token: 'canary-access-3', expires_in: 3600, host })(response);
  const ofToken: readonly [string, Fault, number][] = [
    ['the secret is wrong', json(401, { error: 'invalid_client', error_description: 'x' }), 4],
    ['revoked', json(400, { error: 'invalid_grant', error_description: 'x' }), 4],
    ['500', json(500, {}), 7],
    ['429', json(429, {}), 6],
    ['half an answer', half, 7],
    ['an answer without a token', json(200, { ...second, access_token: undefined }), 7],
    ['a hostile host', json(200, { ...second, host: 'evil.test' }), 4],
  ];
  for (const [name, fault, status] of ofToken) {
    testChosen(`the renewal: ${name}`, async () => {
      token = fault;
      await clean(await start('whoami').ended, status);
      const commandLines = (await record.seen()).map(({ commandLine }) => commandLine);
      assert.ok(commandLines.some((words) => words.includes('__refresh-process')));
      await clean(
        await start('auth', 'refresh').ended,
        status === 4 && name === 'a hostile host' ? 0 : status,
      );
      await start('doctor').ended.then((ended) => clean(ended, 10));
    });
  }

  const ofSignIn: readonly [string, Readonly<Record<string, string>>, Fault, number][] = [
    ['denied', { error: 'access_denied', error_description: 'no' }, good, 4],
    ['the secret is wrong', code, json(401, { error: 'invalid_client' }), 4],
    ['the code has expired', code, json(400, { error: 'invalid_grant', error_description: 'x' }), 4],
    ['half an answer', code, half, 7],
    ['a hostile host', code, json(200, { ...second, host: 'evil.test' }), 1],
    ['kept, but the account cannot be read', code, (response) => kept(response), 4],
  ];
  for (const [name, answer, fault, status] of ofSignIn) {
    testChosen(`signing in: ${name}`, async () => {
      token = fault;
      const login = start('login', '--no-browser', '--auth-url', `http://${host}`);
      const { searchParams } = new URL(await login.address);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ state: searchParams.get('state') ?? '', ...answer }).toString();
      const page = await visit(back.href);
      assert.doesNotMatch(page.text, /canary/);
      await clean(await login.ended, status);
    });
  }

  const ofFiles: readonly [string, string, string, number][] = [
    [
      'a broken token file',
      'tokens/default.json',
      '{"accessToken":"canary-access-1","refreshToken":canary',
      1,
    ],
    ['a broken profile file', 'profiles.json', '{"profiles":[{"name":"default","clientSecret":"x', 2],
    ['a profile file of another kind', 'profiles.json', '{"profiles":[{"name":"default","host":5}]}', 2],
    ['locks that cannot be made', 'locks', '', 1],
    ['notes that cannot be made', 'renewals', '', 1],
  ];
  for (const [name, path, content, status] of ofFiles) {
    testChosen(name, async () => {
      await writeFile(join(folder, path), content);
      const ended = await start('whoami').ended;
      await clean(ended, status);
      assert.doesNotMatch(ended.errors, /bug in wm/);
      await clean(await start('auth', 'token').ended, status);
    });
  }

  testChosen('signed in, renewed, used and signed out, with nothing amiss', async () => {
    api = json(200, { kind: 'contacts', data: [{ id: 'KUAAAAAA', firstName: 'Ada', me: true }] });
    await clean(await start('webhook', 'list', '--curl').ended, 0);
    await clean(await start('auth', 'status').ended, 0);
    await clean(await start('auth', 'refresh', '--json').ended, 0);
    await clean(await start('logout', '--yes').ended, 0);
    assert.deepEqual(await readdir(join(folder, 'tokens')), []);
  });
}
