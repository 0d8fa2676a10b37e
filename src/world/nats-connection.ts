// Connects to NATS servers. The only file that imports the library for connections; nats-jetstream.ts has the requests.

import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import * as nats from '@nats-io/transport-node';
import { omitUndefined } from '#omit-undefined.ts';
import { toNatsFault } from './nats-fault.ts';
import { openJetStream } from './nats-jetstream.ts';
import { NatsPublisher } from './nats-publisher.ts';
import type { NatsConnection, NatsCredentials, NatsFault, NatsOptions, NatsTls } from './world.ts';

const reconnectMs = 500;
/** If every request fails for this long, wm leaves the server, but not within `minConnectedMs` of connecting to it. */
const failingMs = 2_400;
const minConnectedMs = 5_000;

function loginOptions({ creds, nkey, ...login }: NatsCredentials) {
  const encode = (text: string) => new TextEncoder().encode(text);
  const key = nkey === undefined ? undefined : nats.nkeyAuthenticator(encode(nkey.trim()));
  const authenticator = creds ? nats.credsAuthenticator(() => encode(creds.text())) : key;
  return { ...login, ...(authenticator && { authenticator }) };
}

/** Node checks a certificate against this name by default. */
const defaultName = 'localhost';

function tlsOptions({ ca, certificate, key }: NatsTls, servers: readonly string[]) {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
  return {
    ...omitUndefined({ ca, cert: certificate, key }),
    // The library passes on names but no addresses. Then the certificate must match a server that the user named.
    checkServerIdentity(host: string, peer: PeerCertificate): Error | undefined {
      const problems = (host === defaultName ? hosts : [host]).map((name) => checkServerIdentity(name, peer));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

export async function connectToNats(options: NatsOptions): Promise<NatsConnection | NatsFault> {
  const { servers, tls, credentials, timeoutMs } = options;
  const sockets = createOwnSockets();
  try {
    const settings = {
      servers: [...servers],
      name: 'wm',
      timeout: timeoutMs,
      // Keep trying: the receiver should still be there when the servers come back.
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
      reconnectJitter: reconnectMs,
      // An expired credential may be renewed on the server.
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      // No message shows where a request was made, and recording it takes as long as sending the request.
      noAsyncTraces: true,
      ...loginOptions(credentials),
      ...(tls && { tls: tlsOptions(tls, servers) }),
    };
    // The servers of a cluster name each other before they reject a credential, and the library would try them forever.
    const trial = { ...settings, ignoreClusterUpdates: true, reconnect: false };
    await (await sockets.run(() => nats.connect(trial))).close();
    return openConnection(await sockets.run(() => nats.connect(settings)), sockets, credentials);
  } catch (error) {
    sockets.close();
    return toNatsFault(error);
  }
}

function openConnection(
  connection: nats.NatsConnection,
  sockets: OwnSockets,
  { creds }: NatsCredentials,
): NatsConnection {
  const publisher = createPublisher(connection);
  let outage: string | undefined;
  const server = leaveWhenFailing(async () => {
    const close = sockets.current();
    await connection.reconnect().catch(() => {});
    // The library would wait until the server has taken all data, and a server that hangs never does.
    close();
  });
  const { observe } = server;
  const follow = async () => {
    let reason: string | undefined;
    // Leaving a server is not an outage, unless no other server accepts us.
    const onBroken = (detail: string) => {
      outage = server.isLeaving() && reason === undefined ? undefined : detail;
      // Its token may have expired, and the next attempt to connect needs another.
      void creds?.readAgain();
    };
    for await (const status of connection.status())
      if (status.type === 'error') {
        reason = status.error.message;
        if (status.error instanceof nats.PermissionViolationError)
          publisher.fail({ fault: 'not-allowed', detail: reason }, status.error.subject);
      } else if (status.type === 'disconnect') {
        const detail = reason ?? `the connection to ${status.server} broke`;
        onBroken(detail);
        // Acknowledgements can no longer arrive, so fail the waiting messages now.
        publisher.fail({ fault: 'unreachable', detail });
      } else if (status.type === 'reconnecting' && reason !== undefined) onBroken(reason);
      else if (status.type === 'reconnect') {
        outage = undefined;
        reason = undefined;
        server.connected();
      }
  };
  void follow();
  return {
    ...openJetStream(connection, observe),
    async publish(...message) {
      const since = performance.now();
      const published = await publisher.publish(...message);
      observe('fault' in published ? published : undefined, since);
      return published;
    },
    server: () => ({
      version: connection.info?.version ?? '',
      maxPayload: connection.info?.max_payload ?? 0,
      servers: Math.max(1, connection.info?.connect_urls?.length ?? 1),
    }),
    // Servers do not always report this.
    outage: () =>
      outage !== undefined && creds?.hasExpired() ? 'the credentials in --sink-creds have expired' : outage,
    async close() {
      try {
        await connection.close();
      } finally {
        sockets.close();
        publisher.fail({ fault: 'closed', detail: 'the connection was closed' });
      }
    },
  };
}

function createPublisher(connection: nats.NatsConnection): NatsPublisher {
  const inbox = nats.createInbox();
  let responses: nats.Subscription | undefined;
  const publisher = new NatsPublisher(inbox, ({ subject, payload, reply, stream, id, expectedLast }) => {
    // A server ends a subscription that it does not allow. The next server may allow it.
    if (responses === undefined || responses.isClosed())
      responses = connection.subscribe(`${inbox}.*`, {
        callback(error, message) {
          if (error) publisher.fail(toNatsFault(error));
          else publisher.acknowledge(message);
        },
      });
    const fields = nats.headers();
    fields.set('Nats-Expected-Stream', stream);
    if (id !== undefined) fields.set('Nats-Msg-Id', id);
    if (expectedLast !== undefined) fields.set('Nats-Expected-Last-Subject-Sequence', String(expectedLast));
    connection.publish(subject, payload, { reply, headers: fields });
  });
  return publisher;
}

// Leaves a server that is cut off from the others, or hangs: it keeps its clients, and all their requests fail.
function leaveWhenFailing(leave: () => Promise<void>) {
  let failingSince: number | undefined;
  let workedAt = Number.NEGATIVE_INFINITY;
  let connectedAt = Number.NEGATIVE_INFINITY;
  let isLeaving = false;
  return {
    isLeaving: () => isLeaving,
    connected() {
      connectedAt = performance.now();
      failingSince = undefined;
      isLeaving = false;
    },
    observe(fault: NatsFault | undefined, since: number) {
      const now = performance.now();
      if (fault?.fault !== 'timeout' && fault?.fault !== 'no-quorum') {
        workedAt = now;
        failingSince = undefined;
        return;
      }
      // A request from before belongs to the earlier connection. It says nothing about this server.
      if (isLeaving || since < connectedAt) return;
      // A request with a long time limit may fail alone.
      failingSince ??= Math.max(since, workedAt);
      if (now - failingSince < failingMs || now - connectedAt < minConnectedMs) return;
      isLeaving = true;
      void leave();
    },
  };
}

type OwnSockets = ReturnType<typeof createOwnSockets>;

// Tracks the sockets that the library opens: it forgets one whose server never responds, which would keep the process alive.
function createOwnSockets() {
  const ownContext = new AsyncLocalStorage<true>();
  let currentSocket: Socket | undefined;
  const onSocket = (message: unknown) => {
    if (ownContext.getStore() === undefined) return;
    currentSocket?.destroy();
    currentSocket = socketOf(message);
  };
  subscribe(channel, onSocket);
  return {
    /** Sockets that `open` opens, even later, belong to the connection. Each replaces the previous socket. */
    run: <T>(open: () => Promise<T>) => ownContext.run(true, open),
    /** Returns a function that closes the current socket, even after another has replaced it. */
    current() {
      const socket = currentSocket;
      return () => void socket?.destroy();
    },
    close() {
      unsubscribe(channel, onSocket);
      currentSocket?.destroy();
    },
  };
}

const channel = 'net.client.socket';

function socketOf(message: unknown): Socket | undefined {
  const { socket } = Object(message);
  return socket instanceof Socket ? socket : undefined;
}
