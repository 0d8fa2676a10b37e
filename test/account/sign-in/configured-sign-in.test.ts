// Settings of a sign-in: the address, the hosts and the application are set once, apply where they were meant for, and give
// way to flags, to variables and to what the profile's last sign-in used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { createHttp } from '#world/http.ts';
import type { Http } from '#world/world.ts';

const service = await serviceForAll();
const other = await serviceForAll();
const person = personForEach();

const environment = { WM_CLIENT_SECRET: secrets.clientSecret };

const set = (...typed: string[]) => person.wm(['config', 'set', ...typed]);

test('wm login alone signs in once the address and client id are set', async () => {
  await set('auth-url', service.url);
  await set('client-id', 'app');
  await set('callback-port', '0');
  await person.wm(['login'], { environment });
  assert.equal(person.consent?.origin, service.url);
  assert.equal(person.consent?.searchParams.get('client_id'), 'app');
});

test('precedence: flag, variable, profile, its last sign-in, setting for all profiles', async () => {
  const consentOf = async (typed: readonly string[], more = {}) => {
    await person.wm(['login', ...typed], { environment: { ...environment, ...more } });
    return [person.consent?.origin, person.consent?.searchParams.get('client_id')];
  };
  await set('auth-url', service.url);
  await set('client-id', 'for-all');
  assert.deepEqual(await consentOf([]), [service.url, 'for-all']);
  assert.deepEqual(await consentOf(['--client-id', 'flag'], { WM_CLIENT_ID: 'variable' }), [
    service.url,
    'flag',
  ]);
  assert.deepEqual(await consentOf([], { WM_CLIENT_ID: 'variable' }), [service.url, 'variable']);
  // Signed in last as `variable`; that is the profile's, and takes precedence over the setting for all.
  assert.deepEqual(await consentOf([]), [service.url, 'variable']);
  await set('client-id', 'own', '--profile', 'default');
  assert.deepEqual(await consentOf([]), [service.url, 'own']);
  const away = { WM_AUTH_URL: other.url, WM_CLIENT_ID: 'there' };
  assert.deepEqual(await consentOf(['--profile', 'b'], away), [other.url, 'there']);
  assert.deepEqual(await consentOf(['--profile', 'b']), [other.url, 'there']);
});

test('does not use the client id of one address at another', async () => {
  await set('auth-url', service.url);
  await set('client-id', 'app');
  const ran = await person.wm(['login', '--auth-url', other.url], { exit: 2, environment });
  assert.match(ran.errors, /^wm: Missing: --client-id\n/);
  assert.equal(person.consent, undefined);
});

test('stores the tokens of a new sign-in in the configured store', async () => {
  await set('token-store', 'file');
  await set('auth-url', service.url);
  await person.wm(['login', '--client-id', 'app'], {
    environment: { ...environment, WM_TOKEN_STORE: undefined },
  });
  assert.equal((await person.item()).accessToken, secrets.access);
});

test('accepts a token for the configured hosts, but not at another address', async () => {
  const real = createHttp({});
  const http: Http = {
    send: async (request, options) =>
      request.url.includes('//api.eu.example.org/')
        ? { fault: 'unreachable', sent: false, detail: 'no network in a test' }
        : real.send(request, options),
  };
  const signIn = async (status: number, ...typed: string[]) =>
    (
      await person.wm(['login', '--client-id', 'app', ...typed], {
        exit: status,
        environment,
        world: { http },
      })
    ).errors;
  const answered: string[] = [];
  for (const emulated of [service, other])
    emulated.answer = (response) => {
      answered.push(emulated.url);
      json(response, 200, tokens('api.eu.example.org'));
    };
  await set('auth-url', service.url);
  assert.match(await signIn(1), /api\.eu\.example\.org/);
  await set('host-suffixes', 'example.org,example.com');
  assert.match(await signIn(1, '--auth-url', other.url), /--allow-host api\.eu\.example\.org/);
  assert.match(await signIn(1), /no network in a test/);
  assert.deepEqual(answered, [service.url, other.url, service.url]);
});
