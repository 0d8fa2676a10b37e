// What a sink needs of NATS JetStream: streams, their messages and their consumers. The only file that imports its library.

import { setTimeout } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  type ConsumerInfo,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { toNatsFault } from './nats-fault.ts';
import type {
  NatsConnection,
  NatsConsumer,
  NatsFault,
  NatsMessage,
  NatsPulled,
  NatsReadOptions,
  NatsStream,
  NatsStreamSettings,
  NatsWhich,
} from './world.ts';

/** The time limit for requests that create or describe streams and consumers: a leader may have to be elected first. */
const apiTimeoutMs = 5_000;
/** After this time without a message, the servers have stopped responding in the middle of a read. */
const silentMs = 10_000;
/** For as long a read is tried again. */
const electionMs = 10_000;
const againMs = 500;
const lateMs = 1_000;
/** The leader of a stream hears from the others every second. */
const silentReplicaMs = 5_000;
const nanosecondsPerMs = 1_000_000;
const nanoseconds = (milliseconds: number) => milliseconds * nanosecondsPerMs;

export type NatsStreams = Omit<NatsConnection, 'publish' | 'server' | 'outage' | 'close'>;

/** `observe` hears the result of each request, and when it was sent. */
export async function openJetStream(
  connection: Parameters<typeof jetstream>[0],
  observe: (fault: NatsFault | undefined, since: number) => void,
): Promise<NatsStreams> {
  const manager = await jetstreamManager(connection, { checkAPI: false, timeout: apiTimeoutMs });
  const client = jetstream(connection, { timeout: apiTimeoutMs });
  const pullers = new Map<string, Promise<Consumer>>();
  const attempt = async <T>(run: () => Promise<T>): Promise<T | NatsFault> => {
    const since = performance.now();
    try {
      const result = await run();
      observe(undefined, since);
      return result;
    } catch (error) {
      const fault = faultOf(error);
      observe(fault, since);
      return fault;
    }
  };
  const done = (run: () => Promise<unknown>) => attempt(() => run().then(() => true as const));
  const info = (stream: string, name: string) =>
    attempt(async () => toConsumer(await manager.consumers.info(stream, name)));
  return {
    stream: (name) => attempt(async () => toStream(await manager.streams.info(name))),
    streams: () => attempt(() => collect(manager.streams.names())),
    createStream: (settings) => done(() => manager.streams.add(toConfig(settings))),
    read: (stream, which) => attempt(() => readOne(manager, stream, which)),
    readAll: (stream, options) =>
      readOn((from) => readFrom(client, manager, stream, { ...options, from }), options.from),
    setConsumer: (stream, { name, description, subject, ackWaitMs, from }) =>
      done(() =>
        from === undefined
          ? manager.consumers.update(stream, name, settingsOf(ackWaitMs))
          : manager.consumers.add(stream, {
              durable_name: name,
              description,
              filter_subject: subject,
              ack_policy: AckPolicy.Explicit,
              max_waiting: 512,
              ...settingsOf(ackWaitMs),
              ...(from <= 1
                ? { deliver_policy: DeliverPolicy.All }
                : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from }),
            }),
      ),
    async consumers(stream) {
      const names = await attempt(() => consumerNames(connection, stream));
      return 'fault' in names ? names : Promise.all(names.map((name) => info(stream, name)));
    },
    removeConsumer: (stream, name) => done(() => manager.consumers.delete(stream, name)),
    async pull(stream, name, waitMs) {
      const key = `${stream} ${name}`;
      const puller = pullers.get(key) ?? client.consumers.get(stream, name);
      pullers.set(key, puller);
      const message = await attempt(async () => nextOf(await puller, waitMs));
      if (message === null) return undefined;
      if (!('fault' in message)) return toPulled(message);
      pullers.delete(key);
      return message;
    },
  };
}

/** `null`: none in time. After a reconnection, the library may wait for ever. */
async function nextOf(consumer: Consumer, waitMs: number): Promise<JsMsg | null> {
  const messages = await consumer.fetch({ max_messages: 1, expires: waitMs });
  let isLate = false;
  const late = globalThis.setTimeout(() => {
    isLate = true;
    void messages.close();
  }, waitMs + lateMs);
  try {
    for await (const message of messages) return message;
    if (isLate) throw new Error('timeout');
    return null;
  } finally {
    clearTimeout(late);
  }
}

/** For the order: no message is handed out before the previous one is acknowledged. */
const settingsOf = (ackWaitMs: number) => ({
  max_ack_pending: 1,
  max_deliver: -1,
  ack_wait: nanoseconds(ackWaitMs),
});

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** The leader of the cluster knows the names of all; the library's list asks every server for more. */
async function consumerNames(
  connection: Parameters<typeof jetstream>[0],
  stream: string,
): Promise<readonly string[]> {
  const all: string[] = [];
  for (;;) {
    const request = JSON.stringify({ offset: all.length });
    const response = await connection.request(`$JS.API.CONSUMER.NAMES.${stream}`, request, {
      timeout: apiTimeoutMs,
    });
    const { consumers, total, error } = response.json<{
      readonly consumers?: readonly string[];
      readonly total?: number;
      readonly error?: { readonly code: number; readonly err_code: number; readonly description: string };
    }>();
    if (error) throw new JetStreamApiError(error);
    all.push(...(consumers ?? []));
    if (!consumers?.length || all.length >= (total ?? 0)) return all;
  }
}

async function* readFrom(
  client: JetStreamClient,
  manager: JetStreamManager,
  stream: string,
  { from, to, subject }: NatsReadOptions,
): AsyncGenerator<NatsMessage, void, undefined> {
  // From the stream's leader: what reads it below may be a copy that does not have the last messages yet.
  const last = to ?? (await manager.streams.getMessage(stream, { last_by_subj: subject ?? '>' }))?.seq;
  if (last === undefined || (typeof from === 'number' && from > last)) return;
  const consumer = await client.consumers.get(stream, {
    ...(typeof from === 'number'
      ? { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.max(1, from) }
      : { opt_start_time: new Date(Math.max(0, from.time)).toISOString() }),
    ...(subject === undefined ? {} : { filter_subjects: subject }),
  });
  // Nothing may be as new as that.
  if (typeof from !== 'number' && (await consumer.info(true)).num_pending === 0) return;
  // Another server may not have heard of the consumer yet when the first request comes there: then it is lost, which shows by this.
  const messages = await consumer.consume({ expires: 5_000, idle_heartbeat: 1_000 });
  let silence: NodeJS.Timeout | undefined;
  let isSilent = false;
  const expectNext = () => {
    silence = globalThis.setTimeout(() => {
      isSilent = true;
      void messages.close();
    }, silentMs);
  };
  try {
    expectNext();
    for await (const message of messages) {
      clearTimeout(silence);
      yield toMessage(message);
      if (message.seq >= last) return;
      expectNext();
    }
    if (isSilent) throw new Error('timeout');
  } finally {
    clearTimeout(silence);
    await messages.close();
    await consumer.delete().catch(() => {});
  }
}

/** Goes on after an election, which ends a read. */
async function* readOn(
  read: (from: NatsReadOptions['from']) => AsyncIterable<NatsMessage>,
  from: NatsReadOptions['from'],
): AsyncGenerator<NatsMessage, void, undefined> {
  let next = from;
  for (let end = performance.now() + electionMs; ; await setTimeout(againMs))
    try {
      for await (const message of read(next)) {
        yield message;
        next = message.sequence + 1;
        end = performance.now() + electionMs;
      }
      return;
    } catch (error) {
      const cause = faultOf(error);
      const mayPass = cause.fault === 'no-quorum' || cause.fault === 'timeout';
      if (!mayPass || performance.now() >= end) throw new Error(cause.detail, { cause });
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
  return { sequence: found.seq, subject: found.subject, time: found.time.getTime(), payload: found.data };
}

function toConfig(settings: NatsStreamSettings): Partial<StreamConfig> & { readonly name: string } {
  const { name, subjects, replicas, maxAgeMs, duplicateWindowMs, maxBytes, discard, maxPerSubject } =
    settings;
  return {
    name,
    subjects: [...subjects],
    metadata: { ...settings.metadata },
    storage: StorageType.File,
    num_replicas: replicas,
    max_age: nanoseconds(maxAgeMs),
    duplicate_window: nanoseconds(duplicateWindowMs),
    max_bytes: maxBytes || -1,
    discard: discard === 'new' ? DiscardPolicy.New : DiscardPolicy.Old,
    max_msgs_per_subject: maxPerSubject || -1,
  };
}

function toStream({ config, state, cluster }: StreamInfo): NatsStream {
  const replicas = (cluster?.replicas ?? []).map(({ name, offline = false, active, current = true }) => ({
    name,
    isSilent: offline || active > nanoseconds(silentReplicaMs),
    isCurrent: current,
  }));
  return {
    name: config.name,
    subjects: config.subjects ?? [],
    metadata: config.metadata ?? {},
    replicas: config.num_replicas,
    maxAgeMs: config.max_age / nanosecondsPerMs,
    duplicateWindowMs: config.duplicate_window / nanosecondsPerMs,
    maxBytes: Math.max(0, config.max_bytes),
    discard: config.discard === DiscardPolicy.New ? 'new' : 'old',
    maxPerSubject: Math.max(0, config.max_msgs_per_subject),
    storage: config.storage,
    retention: config.retention,
    firstSequence: state.first_seq,
    lastSequence: state.last_seq,
    messages: state.messages,
    bytes: state.bytes,
    // A server on its own has no cluster.
    hasLeader: cluster === undefined || cluster.leader !== undefined,
    silent: replicas.filter(({ isSilent }) => isSilent).map(({ name }) => name),
    behind: replicas.filter(({ isSilent, isCurrent }) => !isSilent && !isCurrent).map(({ name }) => name),
  };
}

function toConsumer({ name, ack_floor, num_pending, num_ack_pending, config }: ConsumerInfo): NatsConsumer {
  const { max_ack_pending, max_deliver = -1 } = config;
  return {
    name,
    description: config.description ?? '',
    // Until its first acknowledgement, only its settings say that it does not begin at the beginning.
    ackFloor: Math.max(ack_floor.stream_seq, (config.opt_start_seq ?? 1) - 1),
    unacknowledged: num_pending + num_ack_pending,
    isChanged: max_ack_pending !== 1 || max_deliver > 0,
  };
}

const toMessage = ({ info, subject, data }: JsMsg): NatsMessage => ({
  sequence: info.streamSequence,
  subject,
  time: Math.floor(info.timestampNanos / nanosecondsPerMs),
  payload: data,
});

const toPulled = (message: JsMsg): NatsPulled => ({
  ...toMessage(message),
  earlier: message.info.deliveryCount - 1,
  ack: () =>
    message.ackAck({ timeout: apiTimeoutMs }).then(
      () => {},
      () => {},
    ),
  putBack: (delayMs) => message.nak(delayMs),
  keep: () => message.working(),
});
