// Signing in and refreshing at a service that echoes what it was sent, at its token endpoint or to the first request with a fresh
// token: nothing secret is shown or filed.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { canaries, echoes, echoOf, noCanary, noCanaryInFiles } from '#test/support/service/echo.ts';
import { jsonReply, type RawServer, startRawServer } from '#test/support/service/raw-server.ts';
import { backTo, visit } from '#test/support/sign-in/person.ts';
import { createFiles } from '#world/files.ts';
import type { World } from '#world/world.ts';
import { storeSignIn } from './stored-sign-in.ts';

type Whoami = (
  folder: string,
) => Promise<Pick<Ran, 'output' | 'errors'> & { readonly status: number | null }>;

/**
 * `isChosen`: which kinds of response come to which sign-in, with which of the two lists of flags; all are numbered. `whoami`: runs
 * that command with the tokens of the folder, which have expired.
 */
export function testEchoes(
  isChosen: (signIn: number, kind: number, flags: number) => boolean,
  whoami: Whoami,
): void {
  let server: RawServer;
  let reply: (request: string) => string;
  let sent = '';
  let folder = '';

  before(async () => {
    server = await startRawServer((request) => {
      sent += request;
      return Buffer.from(reply(request)).toString();
    });
  });
  after(() => server.close());
  beforeEach(async () => {
    sent = '';
    folder = await mkdtemp(join(tmpdir(), 'wm-login-echo-'));
  });
  afterEach(() => rm(folder, { recursive: true, maxRetries: 5 }));
  const probed = (request: string) => (request.startsWith('HEAD') ? 'HTTP/1.1 204 X\r\n\r\n' : undefined);
  const isToken = (request: string) => request.includes(' /oauth2/');

  /** The token endpoint echoes, or it gives tokens and the API echoes. */
  const places: Readonly<Record<string, (echo: (request: string) => string) => (request: string) => string>> =
    {
      'the token endpoint': (echo) => (request) => probed(request) ?? echo(request),
      'the API': (echo) => (request) =>
        probed(request) ??
        (isToken(request)
          ? jsonReply(200, {
              access_token: canaries.token,
              refresh_token: canaries.refresh,
              expires_in: 3600,
              host: server.host,
            })
          : echo(request)),
    };

  function environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      WM_CONFIG_DIR: folder,
      WM_TOKEN_STORE: 'file',
      WM_AUTH_URL: `http://${server.host}`,
      WM_CLIENT_ID: 'app',
      WM_CLIENT_SECRET: canaries.client,
      WM_DEBUG: '1',
    };
  }

  async function here(typed: readonly string[], input = '', more: Partial<World> = {}): Promise<Ran> {
    const own = environment();
    // Nobody is to come too late.
    const clock = { ...createHurriedClock(), after: () => () => {} };
    const world = { files: createFiles(own, process.platform), clock, ...more };
    return run(typed, { environment: own, input, world });
  }

  /** The page that the browser sees is looked at as well. */
  async function throughBrowser(flags: readonly string[]): Promise<Ran> {
    let page = '';
    let visited: Promise<unknown> = Promise.resolve();
    const browser = {
      async open(url: string) {
        visited = visit(backTo(new URL(url), { code: canaries.code })).then(({ text }) => {
          page = text;
        });
        return true;
      },
    };
    const ran = await here(['login', ...flags], '', { browser });
    await visited;
    noCanary(page, 'the page');
    assert.match(page, /Not signed in|Signed in/);
    return ran;
  }

  async function inTwoSteps(flags: readonly string[]): Promise<Ran> {
    const started = await here(['login', '--start']);
    const back = backTo(new URL(started.output.trim()), { code: canaries.code });
    return here(['login', '--complete', ...flags], `${back}\n`);
  }

  const signIns: Readonly<Record<string, (flags: readonly string[]) => Promise<Ran>>> = {
    'wm login': throughBrowser,
    'wm login --complete': inTwoSteps,
    'wm login --with-token': (flags) =>
      here(['login', '--with-token', '--host', server.host, ...flags], canaries.token),
    'wm auth convert-v3': (flags) =>
      here(['auth', 'convert-v3', '--account-id', 'IEAAAAAQ', ...flags], canaries.refresh),
  };

  /** A sign-in whose access token has expired. */
  async function expired(): Promise<void> {
    await storeSignIn(folder, {
      generation: 1,
      accessToken: `${canaries.token}1`,
      refreshToken: canaries.refresh,
      host: server.host,
      clientSecret: canaries.client,
    });
  }

  const chosen = (signIns: readonly number[], ...lists: readonly number[]) =>
    Object.entries(echoes).filter((_, kind) =>
      signIns.some((signIn) => lists.some((flags) => isChosen(signIn, kind, flags))),
    );
  const cases = Object.entries(signIns).flatMap(([name, signIn]) =>
    Object.entries(places).map(([place, at]) => ({ name, signIn, place, at })),
  );
  for (const [number, { name, signIn, place, at }] of cases.entries())
    test(`${name}: an echo of ${place} shows no secret`, async () => {
      for (const [list, flags] of [['--verbose'], ['--verbose', '--json']].entries()) {
        for (const [how, echo] of chosen([number], list)) {
          const where = `${name} ${flags.join(' ')}, ${place}: ${how}`;
          reply = at((request) => echo(echoOf(request), 'contacts'));
          const ran = await signIn(flags);
          assert.notEqual(ran.status, 0, where);
          noCanary(ran.output, where);
          noCanary(ran.errors, where);
          assert.doesNotMatch(ran.errors, /bug in wm/, where);
          await noCanaryInFiles(folder);
        }
      }
      assert.match(sent, /canary/);
    });
  for (const [number, [place, at]] of Object.entries(places).entries())
    test(`refreshing, in the helper process: an echo of ${place} shows no secret`, async () => {
      for (const [how, echo] of chosen([number, number + 4], 0, 1)) {
        // Those that are sent once more only say the same again, half a second later.
        const isRepeated = /^(5|408|a web page|half|no HTTP|a broken)/.test(how) && how !== '500';
        if (isRepeated) continue;
        await expired();
        reply = at((request) => echo(echoOf(request), 'contacts'));
        const ran = await whoami(folder);
        noCanary(ran.output, how);
        noCanary(ran.errors, how);
        assert.notEqual(ran.status, 0, how);
        await noCanaryInFiles(folder);
      }
      assert.match(sent, /refresh_token=canary/);
    });
  test('redacts only a whole secret, never just its beginning', async () => {
    await expired();
    reply = () =>
      jsonReply(400, {
        error: 'invalid_grant',
        error_description: `bad: ${canaries.refresh.slice(0, 14)}...`,
      });
    const ran = await whoami(folder);
    assert.match(ran.errors, /bad: canary-refresh\.\.\./);
  });
}
