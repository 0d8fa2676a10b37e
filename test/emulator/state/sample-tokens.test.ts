// The tokens of the sample are random, unless the emulator is to use the constants.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '#emulator/emulator.ts';
import { sampleTokens } from '#emulator/state/sample-ids.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { control } from '#test/support/service/control.ts';
import { rowsOf } from '#test/support/service/records.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';

async function startWith(t: TestContext, options: EmulatorOptions = {}): Promise<RunningEmulator> {
  const emulator = await startEmulator(createWorld(), options);
  assert.ok(!('fault' in emulator));
  t.after(() => emulator.close());
  return emulator;
}

const dataFile = async (t: TestContext) => join(await ownFolder(t), 'data.json');

/** The user that the token stands for, or the status where it stands for nobody. */
async function whose(emulator: RunningEmulator, token: string): Promise<string | number> {
  const headers = { Authorization: `Bearer ${token}` };
  const { status, body } = await call(emulator, 'GET', '/contacts?me=true', { headers });
  return status === 200 ? body.data[0].id : status;
}

const convert = async ({ authUrl, clientId, clientSecret }: RunningEmulator, refresh: string) =>
  (
    await fetch(`${authUrl}/oauth2/convert_v3_token`, {
      method: 'POST',
      body: new URLSearchParams({
        client_id: clientId,
        client_secret: clientSecret,
        refresh_token: refresh,
        accountId: 'IEAAAAAQ',
      }),
    })
  ).status;

const revoke = (emulator: RunningEmulator, token: string) =>
  control(emulator, 'POST', '/revocations', { cause: 'user-revokes', token });

test('each start has its own tokens, and the constants do not work', async (t) => {
  const first = await startWith(t);
  const second = await startWith(t);
  const constants = new Set<string>(Object.values(sampleTokens));
  const all = [...Object.values(first.tokens), ...Object.values(second.tokens)];
  assert.equal(new Set(all).size, 10);
  for (const token of all) {
    assert.ok(!constants.has(token));
    // As long as 62 ^ 60 are many.
    assert.match(token, /^(?:pmt[A-Z]|rtkV)[A-Za-z0-9]{60}$/);
  }
  for (const emulator of [first, second]) {
    for (const constant of constants) assert.equal(await whose(emulator, constant), 401);
    assert.equal(await convert(emulator, sampleTokens.version3Refresh), 400);
    assert.equal(emulator.token, emulator.tokens.ada);
    assert.equal(await whose(emulator, emulator.token), 'KUAAADAQ');
    assert.equal(await whose(emulator, emulator.tokens.ben), 'KUAABENQ');
    assert.equal(await convert(emulator, emulator.tokens.version3Refresh), 200);
  }
  assert.equal(await whose(first, second.token), 401);
});

test('fixed tokens are the constants', async (t) => {
  const emulator = await startWith(t, { fixedTokens: true });
  assert.deepEqual(emulator.tokens, sampleTokens);
  assert.equal(await whose(emulator, sampleTokens.ben), 'KUAABENQ');
  assert.equal(await convert(emulator, sampleTokens.version3Refresh), 200);
});

test('a control request lists the valid tokens; a reset restores them', async (t) => {
  const emulator = await startWith(t);
  const listed = async () => rowsOf((await control(emulator, 'GET', '/tokens')).tokens, 'name', 'token');
  assert.deepEqual(Object.fromEntries(await listed()), emulator.tokens);
  const { token: issued } = await control(emulator, 'POST', '/tokens', { userId: 'KUAABENQ' });
  await revoke(emulator, emulator.tokens.ben);
  assert.deepEqual(
    (await listed()).map(([name]: string[]) => name),
    ['ada', 'adaOfTwo', 'adaInEurope', 'version3Refresh'],
  );
  await control(emulator, 'POST', '/reset');
  assert.deepEqual(Object.fromEntries(await listed()), emulator.tokens);
  assert.equal(await whose(emulator, emulator.tokens.ben), 'KUAABENQ');
  assert.equal(await whose(emulator, issued), 401);
});

test('with a data file, the tokens stay the same after a restart', async (t) => {
  const options = { dataFile: await dataFile(t) };
  const first = await startWith(t, options);
  await revoke(first, first.tokens.ben);
  await first.close();
  const second = await startWith(t, options);
  assert.equal(second.token, first.token);
  assert.equal(await whose(second, first.token), 'KUAAADAQ');
  assert.equal(await whose(second, first.tokens.ben), 401);
  // The token that a start prints always works: where it was revoked, by a new one.
  await revoke(second, second.token);
  await second.close();
  const third = await startWith(t, options);
  assert.notEqual(third.token, first.token);
  assert.equal(await whose(third, third.token), 'KUAAADAQ');
  assert.equal(await whose(third, first.token), 401);
  await third.close();
});

test('a data file with the constants, from an older version or --fixed-tokens, gets random ones', async (t) => {
  const file = await dataFile(t);
  const fixed = await startWith(t, { dataFile: file, fixedTokens: true });
  await control(fixed, 'POST', '/tasks', { count: 1 });
  await fixed.close();
  for (const isOlder of [false, true]) {
    if (isOlder) await writeFile(file, (await readFile(file, 'utf8')).replaceAll(/"sample":"\w+",?/g, ''));
    const random = await startWith(t, { dataFile: file });
    for (const constant of Object.values(sampleTokens)) assert.equal(await whose(random, constant), 401);
    assert.equal(await convert(random, sampleTokens.version3Refresh), 400);
    assert.equal(await whose(random, random.token), 'KUAAADAQ');
    await random.close();
    const again = await startWith(t, { dataFile: file, fixedTokens: true });
    assert.equal(await whose(again, sampleTokens.ada), 'KUAAADAQ');
    assert.equal(await whose(again, random.token), 401);
    await control(again, 'POST', '/tasks', { count: 1 });
    await again.close();
    assert.ok((await readFile(file, 'utf8')).includes(sampleTokens.ada));
  }
});
