// A keychain whose service is stopped in the middle of a command, by a bus in front of the real one that sees the call
// go by. While the service is still stopped, the command ends with its own message, and leaves no process behind. If the
// service goes on, so does the command.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { checkpoint } from '#test/support/gate.ts';
import { clientId, clientSecret, startService } from '#test/support/service/rotating-service.ts';
import { makeHome, openSession, type Session, skip } from './keychain-session.ts';

const limits = { skip, timeout: 120_000 };

/**
 * The address of a bus that calls `onCall` before it passes on the first call of this method, and `onNextClient` for the first
 * client that connects after that.
 */
async function busThatSees(
  t: TestContext,
  session: Session,
  method: string,
  onCall: () => void,
  onNextClient = () => {},
) {
  const [, real = ''] = /unix:path=([^,]+)/.exec(session.environment['DBUS_SESSION_BUS_ADDRESS'] ?? '') ?? [];
  const sockets = new Set<Socket>();
  let isSeen = false;
  let clientsAfter = 0;
  const server = createServer((command) => {
    if (isSeen && ++clientsAfter === 1) onNextClient();
    const bus = connect(real);
    for (const [one, other] of [
      [command, bus],
      [bus, command],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {}).on('close', () => other.destroy());
    }
    bus.pipe(command);
    command.on('data', (bytes: Uint8Array) => {
      if (!isSeen && Buffer.from(bytes).includes(method)) {
        isSeen = true;
        onCall();
      }
      bus.write(bytes);
    });
  });
  const path = join(session.home, `bus-${method}`);
  await new Promise<void>((listening) => server.listen(path, listening));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `unix:path=${path}`, isSeen: () => isSeen };
}

/** The processes of `wm` in this home. */
async function processesOf({ home }: Session): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
    const typed = (await read('cmdline')).replaceAll('\0', ' ');
    if (typed.includes('wm') && (await read('environ')).includes(`HOME=${home}\0`)) found.push(typed);
  }
  return found;
}

const signIn = (host: string) => ['login', '--with-token', '--host', host];
const input = 'canary-access-1';

/** A session with an unlocked keyring that holds a sign-in, and a way to run a command in it. */
async function signedIn(t: TestContext) {
  const service = await startService();
  t.after(() => service.close());
  const session = await openSession(t, await makeHome(t), { unlocked: true });
  const runIn = (typed: (host: string) => readonly string[], environment = {}) =>
    session.start(typed(service.host), { input, environment }).ended;
  const { status, errors } = await runIn(signIn);
  assert.equal(status, 0, errors);
  return { session, runIn, service };
}

for (const [method, typed] of [
  ['SearchItems', () => ['auth', 'token']],
  ['CreateItem', signIn],
] as const) {
  test(`a service that stops at ${method}: the command ends, and no process is left`, limits, async (t) => {
    const { session, runIn } = await signedIn(t);

    const keyring = await session.keyring();
    const bus = await busThatSees(t, session, method, () => process.kill(keyring, 'SIGSTOP'));
    const temporary = join(session.home, 'temporary');
    await mkdir(temporary);
    const environment = { DBUS_SESSION_BUS_ADDRESS: bus.address, TMPDIR: temporary };
    try {
      const { status, output, errors } = await runIn(typed, environment);
      assert.ok(bus.isSeen(), `${method} was called`);
      assert.match(errors, /^wm: The keychain did not respond in time\n {2}.*did not respond/m);
      assert.equal(status, 1, errors);
      assert.equal(output, '');
      assert.deepEqual(await processesOf(session), []);
      assert.deepEqual(await readdir(temporary), [], 'nothing is left in the temporary folder');
    } finally {
      process.kill(keyring, 'SIGCONT');
    }
    const after = await session.start(['auth', 'token']).ended;
    assert.equal(after.output, `${input}\n`, after.errors);
  });
}

for (const [method, typed] of [
  ['CreateItem', signIn],
  ['Delete', () => ['logout', '--yes']],
] as const) {
  test(
    `a service that is slow at ${method}: the call is retried, and the command succeeds`,
    limits,
    async (t) => {
      const { session, runIn } = await signedIn(t);
      const usual = await runIn(typed);
      assert.equal((await runIn(signIn)).status, 0);

      const keyring = await session.keyring();
      // The library gives up on the first call by itself, and connects again for the second.
      const bus = await busThatSees(
        t,
        session,
        method,
        () => process.kill(keyring, 'SIGSTOP'),
        () => process.kill(keyring, 'SIGCONT'),
      );
      const environment = { DBUS_SESSION_BUS_ADDRESS: bus.address };
      const { status, output, errors } = await runIn(typed, environment);
      process.kill(keyring, 'SIGCONT');
      assert.ok(bus.isSeen(), `${method} was called`);
      // wm says this on a slow machine only.
      const says = errors.replace('The keychain has not responded yet. Still waiting.\n', '');
      assert.deepEqual([status, output, says], [0, usual.output, usual.errors]);
    },
  );
}

for (const [what, stop, goOn] of [
  ['stops', (pid: number) => process.kill(pid, 'SIGSTOP'), (pid: number) => process.kill(pid, 'SIGCONT')],
  // Its collections are locked, and nothing unlocks them without a display.
  ['locks', (_pid: number, session: Session) => callService(session, 'Lock'), undefined],
] as const) {
  test(
    `a service that ${what} between the response of a refresh and the write: whoami shows the identity`,
    limits,
    async (t) => {
      const { session, runIn, service } = await signedIn(t);
      const account = session.accountOf('default');
      const item = JSON.parse((await session.items())[account] ?? '');
      const refreshToken = service.refreshToken();
      await session.put(
        account,
        JSON.stringify({ ...item, refreshToken, expiresAt: 1, clientId, clientSecret }),
      );
      const keyring = await session.keyring();
      const gate = checkpoint();
      service.faults.push({ when: 'after', what: 'gate', gate });
      const running = runIn(() => ['whoami']);
      await gate.reached;
      await stop(keyring, session);
      gate.open();
      const { status, output, errors, milliseconds } = await running;
      t.diagnostic(`whoami took ${Math.round(milliseconds)} ms`);
      assert.equal(status, 0, errors);
      assert.match(output, /^Ada\t/);
      assert.match(errors, /^Cannot store the new tokens of default in the keychain: /m);
      if (!goOn) return;
      // The helper still has them.
      goOn(keyring);
      const next = await runIn(() => ['whoami']);
      assert.equal(next.status, 0, next.errors);
      assert.deepEqual([service.counts.rotated, service.counts.rejected], [1, 0]);
    },
  );
}

/** A call of the secret service for its default collection. */
async function callService({ environment }: Session, method: string): Promise<void> {
  const path = '/org/freedesktop/secrets';
  const call = ['--session', '--print-reply', '--dest=org.freedesktop.secrets', path];
  const collection = `array:objpath:${path}/collection/login`;
  await promisify(execFile)('dbus-send', [...call, `org.freedesktop.Secret.Service.${method}`, collection], {
    env: environment,
  });
}
