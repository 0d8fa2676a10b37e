// The type of a token that the service returns: bearer in any letters, or not named, is used; another type never reaches
// the API, and a refresh token that came beside it is not lost.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { json, secrets, tokens } from '#test/support/service/auth-service.ts';
import { nothingIsKept, personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';

const service = await serviceForAll();
const person = personForEach();

function returns(type: unknown, more: object = {}): void {
  service.answer = (response) => json(response, 200, tokens(service.host, { token_type: type, ...more }));
}

for (const type of ['bearer', 'Bearer', 'BEARER', undefined]) {
  test(`${type}: accepted`, async () => {
    returns(type);
    await person.login(service);
  });
}

for (const type of ['mac', 'MAC', 'bearer ', 'pop', 'DPoP']) {
  test(`${type}: exit 1 at a sign-in, and the token is sent nowhere`, async () => {
    returns(type);
    const ran = await person.loginEnds(1, service);
    assert.ok(
      ran.errors.includes(
        `wm: The service returned a token of type ${JSON.stringify(type)}, which wm cannot use\n`,
      ),
    );
    await nothingIsKept(person, service, ran);
    const old = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', service.url];
    const environment = { WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
    const converted = await person.wm(old, { exit: 1, environment, input: 'canary-v3' });
    await nothingIsKept(person, service, converted);
  });
}

test('at a refresh: exit 1, the API never sees it, and the next command uses the new refresh token', async () => {
  returns('bearer');
  await person.login(service);
  const path = join(person.folder, 'tokens', 'default.json');
  await writeFile(path, JSON.stringify({ ...(await person.item()), expiresAt: 1 }));
  service.calls.length = 0;
  returns('mac', { access_token: 'canary-mac', refresh_token: 'canary-refresh-2' });
  const ran = await person.wm(['whoami'], { exit: 1 });
  assert.match(ran.errors, /^wm: The service returned a token of type "mac", which wm cannot use$/m);
  assert.deepEqual(service.calls, []);
  assert.equal((await person.item()).refreshToken, 'canary-refresh-2');
  service.exchanges.length = 0;
  returns('bearer');
  await person.wm(['whoami']);
  assert.match(service.exchanges[0]?.body ?? '', /refresh_token=canary-refresh-2/);
});
