// What a sink needs of NATS JetStream: streams, their messages and their consumers. The only file that imports its library.

import {
  AckPolicy,
  type Consumer,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import { toNatsFault } from './nats-fault.ts';
import { nanoseconds, toConsumer, toMessage, toPulled, toStored, toStream } from './nats-shapes.ts';
import type {
  NatsConnection,
  NatsConsumer,
  NatsFault,
  NatsMessage,
  NatsReadOptions,
  NatsStreamSettings,
  NatsWhich,
} from './world.ts';

/** The time limit for requests that create or describe streams and consumers: a leader may have to be elected first. */
const apiTimeoutMs = 5_000;

export type NatsStreams = Omit<NatsConnection, 'publish' | 'server' | 'outage' | 'changeServer' | 'close'>;

export async function openJetStream(connection: Parameters<typeof jetstream>[0]): Promise<NatsStreams> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });
  const client = jetstream(connection, { timeout: apiTimeoutMs });
  const pullers = new Map<string, Promise<Consumer>>();
  return {
    stream: (name) => attempt(async () => toStream(await manager.streams.info(name))),
    streams: () =>
      attempt(async () => {
        const found: string[] = [];
        for await (const name of manager.streams.names()) found.push(name);
        return found;
      }),
    createStream: (settings) => attempt(async () => toStream(await manager.streams.add(toConfig(settings)))),
    count: (stream, subject) =>
      attempt(async () => {
        const { state } = await manager.streams.info(stream, { subjects_filter: subject });
        return state.subjects?.[subject] ?? 0;
      }),
    read: (stream, which) => attempt(() => readOne(manager, stream, which)),
    readAll: (stream, options) => namingFault(readFrom(client, stream, options)),
    createConsumer: (stream, { name, subject, ackWaitMs, from }) =>
      attempt(async () => {
        await manager.consumers.add(stream, {
          durable_name: name,
          filter_subject: subject,
          ack_policy: AckPolicy.Explicit,
          ...(from <= 1
            ? { deliver_policy: DeliverPolicy.All }
            : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from }),
          // For the order: no message is handed out before the previous one is acknowledged.
          max_ack_pending: 1,
          max_deliver: -1,
          ack_wait: nanoseconds(ackWaitMs),
          max_waiting: 512,
        });
        return true as const;
      }),
    consumer: (stream, name) => attempt(async () => toConsumer(await manager.consumers.info(stream, name))),
    consumers: (stream) =>
      attempt(async () => {
        const found: NatsConsumer[] = [];
        for await (const info of manager.consumers.list(stream)) found.push(toConsumer(info));
        return found;
      }),
    removeConsumer: (stream, name) =>
      attempt(async () => {
        await manager.consumers.delete(stream, name);
        return true as const;
      }),
    moveConsumer: (stream, name) =>
      attempt(async () => {
        const subject = `$JS.API.CONSUMER.LEADER.STEPDOWN.${stream}.${name}`;
        await connection.request(subject, '', { timeout: apiTimeoutMs });
        return true as const;
      }),
    async pull(stream, name, waitMs) {
      const key = `${stream} ${name}`;
      const puller = pullers.get(key) ?? client.consumers.get(stream, name);
      pullers.set(key, puller);
      try {
        const message = await (await puller).next({ expires: waitMs });
        return message === null ? undefined : toPulled(message);
      } catch (error) {
        pullers.delete(key);
        const fault = faultOf(error);
        return fault.fault === 'not-found' ? fault : undefined;
      }
    },
  };
}

async function attempt<T>(run: () => Promise<T>): Promise<T | NatsFault> {
  try {
    return await run();
  } catch (error) {
    return faultOf(error);
  }
}

async function* readFrom(
  client: JetStreamClient,
  stream: string,
  { from, subject, follow = false, signal }: NatsReadOptions,
): AsyncGenerator<NatsMessage, void, undefined> {
  const consumer = await client.consumers.get(stream, {
    ...(typeof from === 'number'
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, from) }
      : { opt_start_time: new Date(from.time).toISOString() }),
    ...(subject === undefined ? {} : { filter_subjects: subject }),
  });
  // Messages that arrive meanwhile are not waited for.
  let left = (await consumer.info(true)).num_pending;
  if (!follow && left === 0) return;
  const messages = await consumer.consume();
  const stop = () => void messages.close();
  signal?.addEventListener('abort', stop);
  try {
    if (signal?.aborted === true) return;
    for await (const message of messages) {
      yield toMessage(message);
      left -= 1;
      if (!follow && (left <= 0 || message.info.pending === 0)) return;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    await messages.close();
    await consumer.delete().catch(() => {});
  }
}

async function* namingFault<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  try {
    yield* values;
  } catch (error) {
    const cause = faultOf(error);
    throw new Error(cause.detail, { cause });
  }
}

const faultOf = (error: unknown): NatsFault =>
  toNatsFault(error, error instanceof JetStreamApiError ? error.code : undefined);

async function readOne(
  manager: JetStreamManager,
  stream: string,
  which: NatsWhich,
): Promise<NatsMessage | NatsFault> {
  const query =
    'sequence' in which
      ? { seq: which.sequence }
      : 'lastOf' in which
        ? { last_by_subj: which.lastOf }
        : { seq: which.from, next_by_subj: which.firstOf };
  const found = await manager.streams.getMessage(stream, query);
  if (found === null) return { fault: 'not-found', detail: 'there is no such message' };
  return toStored(found);
}

function toConfig(settings: NatsStreamSettings): Partial<StreamConfig> & { readonly name: string } {
  const { name, subjects, replicas, maxAgeMs, duplicateWindowMs, maxBytes, discard, maxPerSubject } =
    settings;
  return {
    name,
    subjects: [...subjects],
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanoseconds(maxAgeMs),
    duplicate_window: nanoseconds(duplicateWindowMs),
    max_bytes: maxBytes === 0 ? -1 : maxBytes,
    discard: discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_msgs_per_subject: maxPerSubject === 0 ? -1 : maxPerSubject,
  };
}
