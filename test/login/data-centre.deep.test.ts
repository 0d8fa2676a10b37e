// Each data centre's tokens go to that data centre alone: with the emulator's three, every request recorded, a person of
// each signs in at the one address there is for that, and later renews.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { RunningEmulator } from '#emulator/emulator.ts';
import { sample, sampleTokens } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import type { Ran } from '#test/support/program/program.ts';
import { answerConsent } from '#test/support/terminal/consent-page.ts';
import { createWorld } from '#world/create-world.ts';
import type { Server } from '#world/world.ts';

interface ServedRequest {
  readonly host: string;
  /** Method, path and query. */
  readonly line: string;
  readonly authorization: string;
  readonly body: string;
}

/** A server that writes down whatever reaches it before it is answered. */
function recording(server: Server, requests: ServedRequest[]): Server {
  return {
    listen: (at, handler) =>
      server.listen(at, async (request, response) => {
        const pieces: Buffer[] = [];
        request.on('data', (piece) => void pieces.push(piece));
        await new Promise<void>((resolve) => request.on('end', resolve));
        const body = Buffer.concat(pieces);
        const { method, url, httpVersion, headers, headersDistinct, rawHeaders, socket } = request;
        const { host = '', authorization = '' } = headers;
        requests.push({ host, line: `${method} ${url}`, authorization, body: body.toString() });
        // The body once more, for the one who answers.
        const again = Object.assign(Readable.from(body.length === 0 ? [] : [body]), {
          ...{ method, url, httpVersion },
          ...{ headers, headersDistinct, rawHeaders, socket },
        });
        handler(again, response);
      }),
  };
}

interface World {
  readonly emulator: RunningEmulator;
  readonly requests: ServedRequest[];
  host(name: 'US' | 'US2' | 'EU'): string;
  wm(status: number, line: string, setting?: Parameters<Emulated['wm']>[1]): Promise<Ran>;
  signIn(profile: string, user: string): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into it
  item(profile: string): Promise<any>;
  put(profile: string, more: object): Promise<void>;
}

async function makeWorld(t: TestContext): Promise<World> {
  const requests: ServedRequest[] = [];
  const server = recording(createWorld().server, requests);
  const { emulator, wm, folder } = await emulated(t, {}, { signedOut: true, server });
  const path = (profile: string) => join(folder, 'config', 'tokens', `${profile}.json`);
  const world: World = {
    emulator,
    requests,
    host: (name) => emulator.dataCentres.find((centre) => centre.name === name)?.host ?? '',
    wm: (status, line, setting = {}) => wm(line.split(' '), { exit: status, ...setting }),
    async signIn(profile, user) {
      const browser = {
        async open(address: string) {
          void fetch(await answerConsent(address, { press: 'Allow', user }));
          return true;
        },
      };
      await world.wm(0, `login --profile ${profile}`, { world: { browser } });
    },
    item: async (profile) => JSON.parse(await readFile(path(profile), 'utf8')),
    async put(profile, more) {
      await writeFile(path(profile), JSON.stringify({ ...(await world.item(profile)), ...more }));
    },
  };
  return world;
}

const holds = ({ line, authorization, body }: ServedRequest, secret: string) =>
  [line, authorization, decodeURIComponent(body)].some((text) => text.includes(secret));

const people = [
  { profile: 'us', centre: 'US', user: sample.ada, account: sample.account },
  { profile: 'us2', centre: 'US2', user: sample.adaInSecondAmerica, account: sample.secondAmericanAccount },
  { profile: 'eu', centre: 'EU', user: sample.adaInEurope, account: sample.europeanAccount },
] as const;

test('tokens are refreshed at their own data centre, and never reach another', async (t) => {
  const world = await makeWorld(t);
  const secrets = new Map<string, Set<string>>(people.map(({ centre }) => [centre, new Set()]));
  const note = async (profile: string, centre: string) => {
    const { accessToken, refreshToken } = await world.item(profile);
    secrets.get(centre)?.add(accessToken).add(refreshToken);
  };
  for (const { profile, centre, user } of people) {
    await world.signIn(profile, user);
    assert.equal((await world.item(profile)).host, world.host(centre));
    await note(profile, centre);
  }
  world.requests.length = 0;
  for (const round of [1, 2]) {
    for (const { profile, centre, account } of people) {
      const { refreshToken } = await world.item(profile);
      await world.put(profile, { expiresAt: 1 });
      const before = world.requests.length;
      const ran = await world.wm(0, `whoami --profile ${profile} --json`);
      const { accountId, host } = JSON.parse(ran.output);
      assert.deepEqual([accountId, host], [account, world.host(centre)]);
      await note(profile, centre);
      const newRequests = world.requests.slice(before);
      assert.ok(
        newRequests.every((request) => request.host === world.host(centre)),
        `round ${round}: ${JSON.stringify(newRequests)}`,
      );
      const renewals = newRequests.filter(({ line }) => line === 'POST /oauth2/token');
      assert.equal(renewals.length, 1);
      assert.equal(new URLSearchParams(renewals[0]?.body).get('refresh_token'), refreshToken);
    }
  }
  for (const [centre, all] of secrets) {
    const elsewhere = world.requests.filter(({ host }) => host !== world.host(centre as 'US'));
    assert.ok(elsewhere.length > 0);
    for (const secret of all) assert.ok(!elsewhere.some((request) => holds(request, secret)), `of ${centre}`);
  }
  t.diagnostic(`${world.requests.length} requests, ${[...secrets.values()].map(({ size }) => size)} secrets`);
});

test('`wm auth token` and `refresh` of a European sign-in go to Europe too', async (t) => {
  const world = await makeWorld(t);
  await world.signIn('eu', sample.adaInEurope);
  world.requests.length = 0;
  for (const line of ['auth refresh', 'auth token', 'doctor']) {
    await world.wm(0, line);
    await world.put('eu', { expiresAt: 1 });
  }
  assert.ok(world.requests.length >= 4);
  assert.deepEqual([...new Set(world.requests.map(({ host }) => host))], [world.host('EU')]);
});

test('a token at the wrong data centre: exit 4, and the hint names that possible cause', async (t) => {
  const world = await makeWorld(t);
  const hint = /WM_HOST may name the wrong data centre/;
  const environment = { WM_TOKEN: sampleTokens.adaInEurope, WM_HOST: world.host('US') };
  for (const line of ['whoami', `task get ${sample.europeanTask}`, 'webhook list']) {
    const ran = await world.wm(4, line, { environment });
    assert.match(ran.errors, hint);
    assert.ok(!ran.errors.includes(sampleTokens.adaInEurope));
  }
  const withToken = `login --with-token --host ${world.host('US')}`;
  const login = await world.wm(4, withToken, { input: sampleTokens.adaInEurope });
  assert.match(login.errors, /each data centre accepts only its own tokens\. Nothing was stored/);
  await world.wm(0, 'whoami', { environment: { ...environment, WM_HOST: world.host('EU') } });
});

test('a sign-in whose host was edited by hand: exit 4, the tokens stay and work again at the right host', async (t) => {
  const world = await makeWorld(t);
  await world.signIn('eu', sample.adaInEurope);
  const item = await world.item('eu');
  await world.put('eu', { host: world.host('US') });
  const ran = await world.wm(4, 'whoami');
  assert.match(ran.errors, /wm login --profile eu/);
  await world.put('eu', { host: item.host });
  assert.deepEqual(await world.item('eu'), item);
  await world.wm(0, 'whoami');
  await world.put('eu', { expiresAt: 1 });
  await world.wm(0, 'whoami');
});
