// A connection to NATS servers: the only file that imports their library for connections. What the servers do with it is in
// nats-jetstream.ts.

import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import {
  type Authenticator,
  type NatsConnection as Connection,
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  nkeyAuthenticator,
  PermissionViolationError,
  type Subscription,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/transport-node';
import { omitUndefined } from '#omit-undefined.ts';
import { toNatsFault } from './nats-fault.ts';
import { openJetStream } from './nats-jetstream.ts';
import { NatsPublisher } from './nats-publisher.ts';
import { createOwnSockets, type OwnSockets } from './own-sockets.ts';
import type { NatsConnection, NatsCredentials, NatsFault, NatsOptions, NatsTls } from './world.ts';

const reconnectMs = 500;
/** Everything may fail for as long before wm leaves the server; how long the next one gets. */
const failingMs = 2_400;
const betweenMs = 5_000;

interface Access {
  readonly authenticator?: Authenticator;
  /** Before another attempt to connect: what was read before may have expired since. */
  renew?(): void;
  hasExpired?(): boolean;
}

function accessOf(credentials: NatsCredentials | undefined): Access {
  const encode = (text: string) => new TextEncoder().encode(text);
  switch (credentials?.kind) {
    case undefined:
      return {};
    case 'creds': {
      let { text } = credentials;
      return {
        authenticator: credsAuthenticator(() => encode(text)),
        renew: () =>
          void credentials.readAgain().then((found) => {
            text = found ?? text;
          }),
        hasExpired: () => credentials.hasExpired(text),
      };
    }
    case 'nkey':
      return { authenticator: nkeyAuthenticator(encode(credentials.seed.trim())) };
    case 'user':
      return { authenticator: usernamePasswordAuthenticator(credentials.user, credentials.password) };
    case 'token':
      return { authenticator: tokenAuthenticator(credentials.token) };
  }
}

/** What Node checks a certificate against if it is told no name. */
const unnamed = 'localhost';

function tlsOptions({ ca, certificate, key }: NatsTls, servers: readonly string[]) {
  const hosts = servers.map((server) => server.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''));
  return {
    ...omitUndefined({ ca, cert: certificate, key }),
    // The library passes on no address, only names: then the certificate has to be that of a server that the user has named.
    checkServerIdentity(host: string, shown: PeerCertificate): Error | undefined {
      const problems = (host === unnamed ? hosts : [host]).map((name) => checkServerIdentity(name, shown));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

export async function connectToNats(options: NatsOptions): Promise<NatsConnection | NatsFault> {
  const { servers, tls, name, timeoutMs } = options;
  const sockets = createOwnSockets();
  try {
    const access = accessOf(options.credentials);
    const settings = {
      servers: [...servers],
      name,
      timeout: timeoutMs,
      // A team would rather have a receiver that waits than one that is gone when its servers come back.
      maxReconnectAttempts: -1,
      reconnectTimeWait: reconnectMs,
      reconnectJitter: reconnectMs,
      // An expired credential may be renewed at the server.
      ignoreAuthErrorAbort: true,
      pingInterval: 5_000,
      maxPingOut: 2,
      // Where a request was made is in no message that anybody sees, and to note it takes as long as to send it.
      noAsyncTraces: true,
      ...(access.authenticator && { authenticator: access.authenticator }),
      ...(tls && { tls: tlsOptions(tls, servers) }),
    };
    // Servers of a cluster name each other before they reject a credential, and the library would try them again for ever.
    const first = { ...settings, ignoreClusterUpdates: true, reconnect: false };
    await (await sockets.run(() => connect(first))).close();
    return wrap(await sockets.run(() => connect(settings)), sockets, access);
  } catch (error) {
    sockets.close();
    return toNatsFault(error);
  }
}

function wrap(connection: Connection, sockets: OwnSockets, access: Access): NatsConnection {
  const publisher = createPublisher(connection);
  let outage: string | undefined;
  const server = leaveWhenFailing(async () => {
    const close = sockets.current();
    await connection.reconnect().catch(() => {});
    // The library would wait until the server has taken all that was sent, and one that hangs takes nothing.
    close();
  });
  const { observe } = server;
  const follow = async () => {
    let reason: string | undefined;
    // Its own wish to leave a server is no outage, unless no other one lets it in.
    const broken = (detail: string) => {
      outage = server.isLeaving() && reason === undefined ? undefined : detail;
      access.renew?.();
    };
    for await (const status of connection.status()) {
      if (status.type === 'error') {
        reason = status.error.message;
        if (status.error instanceof PermissionViolationError)
          publisher.fail({ fault: 'not-allowed', detail: reason }, status.error.subject);
      } else if (status.type === 'disconnect') {
        const detail = reason ?? `the connection to ${status.server} broke`;
        broken(detail);
        // Acknowledgements cannot come any more, so whoever waits for one need not wait for its time limit.
        publisher.fail({ fault: 'unreachable', detail });
      } else if (status.type === 'reconnecting' && reason !== undefined) broken(reason);
      else if (status.type === 'reconnect') {
        outage = undefined;
        reason = undefined;
        server.connected();
      }
    }
  };
  void follow();
  return {
    ...openJetStream(connection, createInbox, observe),
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
    // Servers do not always say so.
    outage: () =>
      outage !== undefined && access.hasExpired?.() ? 'the credentials in --sink-creds have expired' : outage,
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

function createPublisher(connection: Connection): NatsPublisher {
  const inbox = createInbox();
  let responses: Subscription | undefined;
  const publisher = new NatsPublisher(inbox, ({ subject, payload, reply, stream, id, expectedLast }) => {
    // A server that does not allow it ends it; the next one may.
    if (responses === undefined || responses.isClosed())
      responses = connection.subscribe(`${inbox}.*`, {
        callback(error, message) {
          if (error) publisher.fail(toNatsFault(error));
          else publisher.acknowledge(message);
        },
      });
    const sent = headers();
    sent.set('Nats-Expected-Stream', stream);
    if (id !== undefined) sent.set('Nats-Msg-Id', id);
    if (expectedLast !== undefined) sent.set('Nats-Expected-Last-Subject-Sequence', String(expectedLast));
    connection.publish(subject, payload, { reply, headers: sent });
  });
  return publisher;
}

/** A server that is cut off from the others, or hangs, keeps its clients without telling them, and none of their requests can succeed. */
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
      // What was sent before says nothing about this server: it was lost with the connection to the one before.
      if (isLeaving || since < connectedAt) return;
      // A request that waits for long may fail alone.
      failingSince ??= Math.max(since, workedAt);
      if (now - failingSince < failingMs || now - connectedAt < betweenMs) return;
      isLeaving = true;
      void leave();
    },
  };
}
