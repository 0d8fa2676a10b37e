// A receiver with a way in, against an emulator and an edge of its own: the tunnel runs in this process, deliveries come over HTTP,
// and the test moves the clock from look to look.

import assert from 'node:assert/strict';
import { test as onEverySystem, type TestContext } from 'node:test';
import type { ReceivedDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { createReceiverHandler } from '#receiver/core/intake/handler.ts';
import { prepareWayIn } from '#receiver/way-in/prepare-way-in.ts';
import { createWayIn, type OpenReceiver } from '#receiver/way-in/way-in.ts';
import { type WayInFlags, wayInFlags } from '#receiver/way-in/way-in-flags.ts';
import { createTestClock } from '#test/support/clock.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Http } from '#world/world.ts';
import { type Edge, startEdge } from './edge.ts';
import { listeningContext } from './listening-context.ts';

export const secret = 'the secret of this receiver';

/** Windows has no shell that starts the tunnel. */
export const test = (name: string, run: (context: TestContext) => Promise<void>): void =>
  void onEverySystem(name, { skip: process.platform === 'win32' }, run);

export interface Setting {
  readonly signedOut?: boolean;
  readonly secret?: string | undefined;
  /** In front of the service, for requests of the receiver only. */
  readonly service?: (send: Http['send']) => Http['send'];
  readonly common?: { readonly yes?: true };
}

export interface Place {
  readonly edge: Edge;
  readonly service: Emulated;
}

export async function startPlace(test: TestContext): Promise<Place> {
  const edge = await startEdge(test);
  return { edge, service: await emulated(test, {}, { http: edge.http }) };
}

export async function opened(
  test: TestContext,
  { edge, service }: Place,
  flags: WayInFlags,
  setting: Setting = {},
) {
  let asleep: number | undefined;
  let onSleep = () => {};
  const clock = createTestClock((milliseconds) => {
    // Backoffs are over at once; only looks at the way in are waited for.
    if (milliseconds < 15_000) return clock.advance(milliseconds);
    asleep = milliseconds;
    onSleep();
  });
  const { WM_TOKEN, ...signedOut } = service.environment;
  const environment = setting.signedOut ? signedOut : { ...signedOut, WM_TOKEN };
  const send = setting.service?.(edge.http.send) ?? edge.http.send;
  const listening = listeningContext(
    {
      environment,
      files: createFiles(environment, process.platform),
      http: { ...edge.http, send },
      process: { ...createWorld().process, start: edge.start },
    },
    clock,
    { verbose: true, ...setting.common },
  );
  const wayIn = await createWayIn(listening.context, await prepareWayIn(listening.context, flags));
  const stored: ReceivedDelivery[] = [];
  let onStored = () => {};
  const own = 'secret' in setting ? setting.secret : secret;
  const handler = createReceiverHandler({
    get secrets() {
      return [...(own === undefined ? [] : [own]), ...wayIn.secrets()];
    },
    handshakeSecrets: [wayIn.probeSecret],
    journal: {
      append(delivery) {
        stored.push(delivery);
        onStored();
        return Promise.resolve({ sequence: stored.length, isDuplicate: false });
      },
      record() {},
    },
    clock: createWorld().clock,
    onActivity() {},
    onChallenge: wayIn.recognize,
  });
  const server = await createWorld().server.listen(
    { host: '127.0.0.1', port: 0, ...handler.listenOptions },
    handler.handle,
  );
  assert.ok(!('fault' in server));
  test.after(async () => {
    await wayIn.close();
    await server.close();
  });
  const at: OpenReceiver = { host: server.host, port: server.port, path: undefined, secret: own };
  const untilAsleep = () =>
    new Promise<number>((resolve) => {
      onSleep = () => {
        if (asleep !== undefined) resolve(asleep);
      };
      onSleep();
    });
  return {
    ...listening,
    /** How often standard error has matched so far. */
    count: (pattern: RegExp) => listening.texts.errors.match(new RegExp(pattern, 'gm'))?.length ?? 0,
    wayIn,
    stored,
    at,
    server,
    open: () => wayIn.open(at),
    arrived: (count: number) =>
      new Promise<void>((resolve) => {
        onStored = () => {
          if (stored.length >= count) resolve();
        };
        onStored();
      }),
    /** So many tunnels have printed their URL. */
    tunnels: (count: number) => listening.said(/^tunnel: INF \|/, count),
    /** The next look at the way in, and what follows from it. How long the wait before it was. */
    async look(): Promise<number> {
      const milliseconds = await untilAsleep();
      asleep = undefined;
      clock.advance(milliseconds);
      await untilAsleep();
      return milliseconds;
    },
  };
}

/** A receiver behind a tunnel, which is open; by default at a place of its own. `keepsName`: of the tunnel. */
export async function behindTunnel(
  test: TestContext,
  flags: WayInFlags = {},
  { place: given, keepsName = false, ...setting }: Setting & { place?: Place; keepsName?: boolean } = {},
) {
  const place = given ?? (await startPlace(test));
  if (keepsName) place.edge.keepsName = true;
  const run = await opened(test, place, { tunnel: place.edge.command, ...flags }, setting);
  await run.open();
  return {
    ...run,
    ...place,
    place,
    hooks: () => webhooks(place),
    /** Of the first webhook. */
    status: async () => (await webhooks(place))[0]?.status,
    /** What this receiver does at its end. */
    async leave() {
      await run.wayIn.leave();
      await run.wayIn.close();
    },
  };
}

/** As flags of the command line give them. */
export const events: Pick<WayInFlags, 'create' | 'events'> = {
  create: true,
  events: wayInFlags.events.parse(['TaskStatusChanged']),
};

export async function webhooks({
  service,
}: Place): Promise<readonly { id: string; status: string; hookUrl: string }[]> {
  const { body } = await call(service.emulator, 'GET', '/webhooks');
  return body.data;
}

/** As somebody elsewhere does it. */
export async function setStatus(
  { service }: { readonly service: Pick<Emulated, 'emulator'> },
  id: string,
  status: string,
): Promise<void> {
  await call(service.emulator, 'PUT', `/webhooks/${id}?status=${status}`);
}
