// A connection to NATS servers: the only file that imports their library for connections. What the servers do with it is in
// nats-jetstream.ts.

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
import { toNatsFault } from './nats-fault.ts';
import { type NatsStreams, openJetStream } from './nats-jetstream.ts';
import { NatsPublisher, toPublished } from './nats-publisher.ts';
import { expectedLastHeader, expectedStreamHeader, idHeader, remarkHeader } from './nats-shapes.ts';
import { tlsOptions } from './nats-tls.ts';
import { createOwnSockets, type OwnSockets } from './own-sockets.ts';
import type { NatsConnection, NatsCredentials, NatsFault, NatsOptions } from './world.ts';

const reconnectMs = 500;

interface Access {
  readonly authenticator?: Authenticator;
  /** Before another attempt to connect: what was read before may have expired since. */
  renew(): void;
  hasExpired(): boolean;
}

function accessOf(credentials: NatsCredentials | undefined): Access {
  const encode = (text: string) => new TextEncoder().encode(text);
  const lasting = { renew: () => {}, hasExpired: () => false };
  const fixed = (authenticator: Authenticator) => ({ ...lasting, authenticator });
  switch (credentials?.kind) {
    case undefined:
      return lasting;
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
      return fixed(nkeyAuthenticator(encode(credentials.seed.trim())));
    case 'user':
      return fixed(usernamePasswordAuthenticator(credentials.user, credentials.password));
    case 'token':
      return fixed(tokenAuthenticator(credentials.token));
  }
}

export async function connectToNats(options: NatsOptions): Promise<NatsConnection | NatsFault> {
  const { servers, tls, name, timeoutMs } = options;
  const sockets = createOwnSockets();
  try {
    const access = accessOf(options.credentials);
    const { authenticator } = access;
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
      ...(authenticator === undefined ? {} : { authenticator }),
      ...(tls === undefined ? {} : { tls: tlsOptions(tls, servers) }),
    };
    // Servers of a cluster name each other before they reject a credential, and the library would try them again for ever.
    const first = { ...settings, ignoreClusterUpdates: true, reconnect: false };
    await (await sockets.run(() => connect(first))).close();
    const connection = await sockets.run(() => connect(settings));
    return wrap(connection, await openJetStream(connection), { sockets, access });
  } catch (error) {
    sockets.close();
    return toNatsFault(error);
  }
}

function wrap(
  connection: Connection,
  streams: NatsStreams,
  { sockets, access }: { readonly sockets: OwnSockets; readonly access: Access },
): NatsConnection {
  const publisher = createPublisher(connection);
  let outage: string | undefined;
  let isLeaving = false;
  void followStatus(connection, {
    onFault(changed, reason) {
      // Its own wish to leave a server is no outage, unless no other one lets it in.
      outage = isLeaving && reason === undefined ? undefined : changed;
      if (changed === undefined) isLeaving = false;
      else access.renew();
    },
    onNotAllowed: (subject, detail) => publisher.fail({ fault: 'not-allowed', detail }, subject),
    // Their acknowledgements cannot come any more, so whoever waits for one need not wait for its time limit.
    onDisconnect: (detail) => publisher.fail({ fault: 'unreachable', detail }),
  });
  return {
    ...streams,
    publish: (subject, payload, options) => publisher.publish({ subject, payload, ...options }),
    server: () => ({
      version: connection.info?.version ?? '',
      maxPayload: connection.info?.max_payload ?? 0,
      servers: Math.max(1, connection.info?.connect_urls?.length ?? 1),
    }),
    // Servers do not always say so.
    outage: () =>
      outage !== undefined && access.hasExpired() ? 'the credentials in --sink-creds have expired' : outage,
    async changeServer() {
      isLeaving = true;
      const close = sockets.current();
      await connection.reconnect().catch(() => {});
      // The library would wait until the server has taken all that was sent, and one that hangs takes nothing.
      close();
    },
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
  const publisher = new NatsPublisher(inbox, (outgoing, reply) => {
    const { subject, payload, stream, id, expectedLast, remark } = outgoing;
    try {
      // A server that does not allow it ends it; the next one may.
      if (responses === undefined || responses.isClosed())
        responses = connection.subscribe(`${inbox}.*`, {
          callback(error, message) {
            if (error) publisher.fail(toNatsFault(error));
            else publisher.acknowledge(message.subject, toPublished(message));
          },
        });
      const sent = headers();
      sent.set(expectedStreamHeader, stream);
      if (id !== undefined) sent.set(idHeader, id);
      if (remark !== undefined) sent.set(remarkHeader, remark);
      if (expectedLast !== undefined) sent.set(expectedLastHeader, String(expectedLast));
      connection.publish(subject, payload, { reply, headers: sent });
      return undefined;
    } catch (error) {
      return toNatsFault(error);
    }
  });
  return publisher;
}

async function followStatus(
  connection: Connection,
  {
    onFault,
    onNotAllowed,
    onDisconnect,
  }: {
    onFault(fault: string | undefined, reason?: string): void;
    /** Nothing may be published to this subject. */
    onNotAllowed(subject: string, detail: string): void;
    onDisconnect(detail: string): void;
  },
): Promise<void> {
  let reason: string | undefined;
  for await (const status of connection.status()) {
    if (status.type === 'error') {
      reason = status.error.message;
      if (status.error instanceof PermissionViolationError) onNotAllowed(status.error.subject, reason);
    }
    if (status.type === 'disconnect') {
      const detail = reason ?? `the connection to ${status.server} broke`;
      onFault(detail, reason);
      onDisconnect(detail);
    }
    if (status.type === 'reconnecting' && reason !== undefined) onFault(reason, reason);
    if (status.type === 'reconnect') {
      reason = undefined;
      onFault(undefined);
    }
  }
}
