// Property: the log of requests holds no secret. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { control } from '#test/support/service/control.ts';
import { send } from '#test/support/service/send.ts';
import { started } from '#test/support/service/start-emulator.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const canary = 'zqCANARYzq';
const names = ['access_token', 'client_secret', 'code', 'code_verifier', 'refresh_token', 'secret', 'token'];

/** Declares the test, with so many runs. */
export function testSecretsInLog(runs: number): void {
  test('the log never has a secret, wherever a request carries it', async (t) => {
    const emulator = await started(t);
    const encoded = (name: string) =>
      [...name].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const escaped = (name: string) =>
      [...name].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const forms = fc.constantFrom(...names).chain((name) =>
      fc.constantFrom(name, name.toUpperCase()).chain((spelt) =>
        fc.record({
          padding: fc.integer({ min: 3_900, max: 4_010 }),
          place: fc.constantFrom('query', 'form', 'json', 'broken', 'basic', 'header'),
          name: fc.constantFrom(spelt, encoded(name)),
          jsonName: fc.constantFrom(spelt, escaped(name)),
          isLong: fc.boolean(),
        }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(forms, async ({ padding, place, name, jsonName, isLong }) => {
        await control(emulator, 'DELETE', '/requests');
        const filler = isLong ? 'x'.repeat(padding) : 'x';
        const url = `${emulator.authUrl}/oauth2/token`;
        const json = `{"a":"${filler}","${jsonName}" : "${canary}\\"${canary}"`;
        const init = { method: 'POST', headers: form };
        if (place === 'query') await send(`${url}?a=${filler}&${name}=${canary}`, init);
        if (place === 'form') await send(url, { ...init, body: `a=${filler}&${name}=${canary}` });
        if (place === 'json' || place === 'broken')
          await send(`${emulator.baseUrl}/webhooks`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${emulator.token}`, 'Content-Type': 'application/json' },
            body: place === 'json' ? `${json}}` : json,
          });
        if (place === 'basic')
          await send(url, { ...init, headers: { ...form, Authorization: `Basic ${canary}` } });
        if (place === 'header')
          await send(url, { ...init, headers: { ...form, 'X-Hook-Secret': canary, Authorization: canary } });
        const log = await control(emulator, 'GET', '/requests');
        assert.equal(log.requests.length, 1);
        const text = JSON.stringify(log);
        assert.ok(!text.includes('zqCAN'), `${place}: ${text.slice(-300)}`);
        assert.ok(!text.includes(emulator.token));
      }),
      { numRuns: runs },
    );
  });
}
