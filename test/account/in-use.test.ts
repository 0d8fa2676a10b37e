// Which account is in use and why, whether it is signed in, and what whoami knows of the token: in a pipe, as JSON, and
// with the times that a terminal shows.

import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import { createMemoryKeychain, missingKeychain } from '#test/support/memory-keychain.ts';
import { clockAt } from '#test/support/program/emulated.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { secrets } from '#test/support/service/auth-service.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import type { Keychain } from '#world/world.ts';

const service = await serviceForAll();
const person = personForEach();

test('whoami shows the requested scopes and when the token expires', async () => {
  const whoami = async (...typed: string[]) => {
    const json = await person.wm(['whoami', '--json', ...typed]);
    const { scopes, expires, token } = JSON.parse(json.output);
    const line = (await person.wm(['whoami', ...typed])).output.trimEnd().split('\t');
    return { scopes, expires, token, cells: line.slice(-2) };
  };
  await person.login(service);
  const { expiresAt = 0 } = await person.item();
  const expires = new Date(expiresAt).toISOString();
  assert.deepEqual(await whoami(), {
    scopes: ['Default'],
    expires,
    token: 'refreshable',
    cells: ['Default', expires],
  });
  await person.login(service, '--profile', 'work', '--scope', 'wsReadOnly,amReadOnlyUser');
  const work = await whoami('--profile', 'work');
  assert.deepEqual(
    [work.scopes, work.cells[0]],
    [['wsReadOnly', 'amReadOnlyUser'], 'wsReadOnly, amReadOnlyUser'],
  );
  // Of a permanent token, and of a converted one, nobody said which scopes it has.
  const environment = { WM_HOST: service.host, WM_CLIENT_ID: 'app', WM_CLIENT_SECRET: secrets.clientSecret };
  const permanent = ['login', '--with-token', '--profile', 'permanent'];
  await person.wm(permanent, { environment, input: secrets.access });
  assert.deepEqual(await whoami('--profile', 'permanent'), {
    scopes: null,
    expires: null,
    token: 'permanent',
    cells: ['unknown', 'never'],
  });
  const old = ['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', '--auth-url', service.url];
  await person.wm([...old, '--profile', 'old'], { environment, input: 'canary-v3' });
  assert.equal((await whoami('--profile', 'old')).scopes, null);
});

test('relative times in words', () => {
  const now = Date.parse('2026-05-01T12:00:00Z');
  for (const [away, text] of [
    [3_540_000, 'in 59 minutes'],
    [3_600_000, 'in 1 hour'],
    [7_200_000, 'in 2 hours'],
    [60_000, 'in 1 minute'],
    [-86_400_000, '1 day ago'],
    [-90_000, '90 seconds ago'],
    [-400 * 86_400_000, '400 days ago'],
    [0, 'now'],
    [999, 'now'],
  ] as const)
    assert.equal(formatRelativeTime(now + away, now), text);
  // It never says more than there is, and never less than half of it.
  const lengths = new Map([
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ]);
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 1e12 }), (away) => {
      const [, count, unit = 'day'] =
        /^in (\d+) (day|hour|minute|second)s?$/.exec(formatRelativeTime(now + away, now)) ?? [];
      const printedMs = Number(count) * (lengths.get(unit) ?? 0);
      assert.ok(printedMs <= away && printedMs > away / 2, `${away}: ${printedMs}`);
    }),
  );
});

test('auth list does not read the keychain', async () => {
  const keychain = createMemoryKeychain();
  await person.wm(['login', '--with-token', '--host', service.host, '--store', 'keychain'], {
    input: secrets.access,
    world: { keychain },
  });
  const read = () => assert.fail('a keychain may prompt');
  const ran = await person.wm(['auth', 'list', '--json'], { world: { keychain: { ...keychain, read } } });
  assert.match(JSON.parse(ran.output)[0].signedIn, /^\d{4}-/);
});

test('on a terminal, shows the age of the sign-in, and whether there is one in colour', async () => {
  await person.login(service, '--profile', 'work');
  await person.login(service, '--profile', 'gone');
  await rm(join(person.folder, 'tokens', 'gone.json'));
  const now = Date.now() + 3 * 86_400_000 + 60_000;
  const show = async (status: number, ...typed: string[]) => {
    const { streams, texts } = collectStreams({ isTerminal: true });
    await person.wm(['auth', ...typed], { exit: status, world: { streams, clock: clockAt(now) } });
    return texts.output;
  };
  assert.match(await show(0, 'list'), /work .* 3 days ago[\s\S]*gone .* not signed in/);
  assert.ok((await show(0, 'status', '--profile', 'work')).includes('\u001b[32myes\u001b[39m'));
  assert.ok((await show(4, 'status', '--profile', 'gone')).includes('\u001b[31mno\u001b[39m'));
});

test('logout reads the keychain only if the file has no tokens', async () => {
  for (const [prepare, looked] of [
    [async () => {}, false],
    [() => rm(join(person.folder, 'tokens', 'default.json')), true],
  ] as const) {
    await person.login(service);
    await prepare();
    let asked = false;
    const remove: Keychain['remove'] = (...item) => {
      asked = true;
      return missingKeychain.remove(...item);
    };
    await person.wm(['logout', '--yes'], { world: { keychain: { ...missingKeychain, remove } } });
    assert.equal(asked, looked);
  }
});

test('signed out while whoami is running: shows the user and the token that it used', async (context) => {
  await person.login(service);
  const { expiresAt = 0 } = await person.item();
  const path = join(person.folder, 'tokens', 'default.json');
  let calls = 0;
  const host = await inFront(context, service.host, ({ url }) => {
    // Once both requests have their token.
    if (url?.startsWith('/api/v4/') && ++calls === 2) rmSync(path);
    return false;
  });
  for (const file of [path, join(person.folder, 'profiles.json')])
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(service.host, host));
  const ran = await person.wm(['whoami', '--json'], { environment: { WM_AUTH_URL: `http://${host}` } });
  const { userId, token, expires, scopes } = JSON.parse(ran.output);
  assert.deepEqual(
    [userId, token, expires, scopes],
    [service.who.userId, 'refreshable', new Date(expiresAt).toISOString(), ['Default']],
  );
});
