// The address that a person pastes, where the browser cannot come back to this machine: it races with the callback, and
// is held to the same state.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '#failure.ts';
import type { AuthorizationResponse } from '#login/authorization-response.ts';
import { type SignInOptions, type SignInUi, signIn } from '#login/sign-in.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { serviceForAll } from '#test/support/sign-in/stage.ts';
import { createWorld } from '#world/create-world.ts';

const service = await serviceForAll();

/** As {@link SignInUi.promptForUrl}, with the address that was shown. */
type Pasted = (consent: URL, ...rest: Parameters<SignInUi['promptForUrl']>) => Promise<string>;

async function start(pasted: Pasted, redirectUri?: string, atAddress: (url: URL) => void = () => {}) {
  const plan: SignInOptions = {
    authUrl: service.url,
    application: { clientId: 'app', clientSecret: secrets.clientSecret },
    scopes: undefined,
    redirectUri,
    callbackAddress:
      redirectUri === undefined ? { hostname: '127.0.0.1', port: 0, path: '/callback' } : undefined,
    hints: {
      restartCommand: 'wm login',
      commandAllowingHost: (host) => `wm login --allow-host ${host}`,
      checkApplicationHint: '',
    },
    hostSuffixes: [],
    openBrowser: false,
    timeoutMs: 5000,
  };
  let consent = new URL(service.url);
  const signingIn = signIn(createWorld(), plan, {
    async showUrl(url) {
      consent = new URL(url);
      atAddress(consent);
    },
    async promptForUrl(parse, signal) {
      const response = parse(await pasted(consent, parse, signal));
      assert.ok(typeof response !== 'string', String(response));
      return response;
    },
  });
  return { signingIn, consent: () => consent };
}

test('validates pasted text: another address, another sign-in, a denial, the right URL', async () => {
  const results: (AuthorizationResponse | string)[] = [];
  const { signingIn } = await start(async (consent, parse) => {
    const good = backTo(consent, { code: secrets.code });
    const other = new URL(good);
    other.searchParams.set('state', 'another');
    for (const text of ['', 'nonsense', 'canary-code', 'https://example.com/', other.href, `  ${good}\n`])
      results.push(parse(text));
    return good;
  }, 'https://example.com/callback');
  const { tokens } = await signingIn;
  assert.equal(tokens.accessToken, secrets.access);
  assert.deepEqual(results.at(-1), { code: secrets.code });
  assert.ok(results.slice(0, -1).every((result) => typeof result === 'string' && !result.includes('canary')));
  assert.match(String(results[4]), /another sign-in/);
  assert.equal(
    service.exchanges[0]?.body.split('&').at(-1),
    'redirect_uri=https%3A%2F%2Fexample.com%2Fcallback',
  );
});

test('a pasted denial ends the sign-in', async () => {
  const { signingIn } = await start(
    async (consent) => backTo(consent, { error: 'access_denied', error_description: 'No' }),
    'https://example.com/callback',
  );
  await assert.rejects(
    signingIn,
    (error) => error instanceof Failure && error.exitStatus === 4 && error.why === 'No',
  );
  assert.deepEqual(service.exchanges, []);
});

test('the callback wins: the prompt ends, and only the code of the callback is exchanged', async () => {
  let asked: AbortSignal | undefined;
  let page: Promise<{ text: string }> | undefined;
  const { signingIn } = await start(
    (_consent, _parse, signal) => {
      asked = signal;
      return new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(new Error('ended'))),
      );
    },
    undefined,
    (url) => {
      page = visit(backTo(url, { code: secrets.code }));
    },
  );
  const { finish } = await signingIn;
  await finish({ title: 'Signed in', text: '' });
  assert.match((await page)?.text ?? '', /Signed in/);
  assert.equal(asked?.aborted, true);
  assert.equal(service.exchanges.length, 1);
});

test('the pasted address wins: the listener closes', async () => {
  const { signingIn, consent } = await start(async (url) => backTo(url, { code: secrets.code }));
  const { finish } = await signingIn;
  await finish({ title: '', text: '' });
  await assert.rejects(visit(backTo(consent(), { code: 'x' })), /ECONNREFUSED/);
});

test('a prompt that is cancelled with Ctrl-C ends the sign-in and closes the port', async () => {
  const stopped = new Failure('interrupted', { message: 'Interrupted' });
  const { signingIn, consent } = await start(async () => {
    throw stopped;
  });
  await assert.rejects(signingIn, stopped);
  await assert.rejects(visit(backTo(consent(), { code: 'x' })), /ECONNREFUSED/);
});
