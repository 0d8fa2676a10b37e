// Translates what the servers report about streams, consumers and messages to the types of world.ts.

import type { NatsConsumer, NatsMessage, NatsPulled, NatsStream } from './world.ts';

/** The parts of the library's types that are read here: only nats-jetstream.ts imports the library. */
interface StreamInfo {
  readonly config: {
    readonly name: string;
    readonly subjects?: readonly string[];
    readonly num_replicas: number;
    readonly max_age: number;
    readonly duplicate_window: number;
    readonly max_bytes: number;
    readonly max_msgs: number;
    readonly discard: string;
    readonly max_msgs_per_subject: number;
    readonly storage: string;
    readonly retention: string;
  };
  readonly state: {
    readonly first_seq: number;
    readonly last_seq: number;
    readonly messages: number;
    readonly bytes: number;
  };
  /** A server on its own has none. */
  readonly cluster?: {
    readonly leader?: string;
    readonly replicas?: readonly {
      readonly name: string;
      readonly offline?: boolean;
      readonly current?: boolean;
      /** Since its last sign of life, in nanoseconds. */
      readonly active: number;
    }[];
  };
}

interface ConsumerInfo {
  readonly name: string;
  readonly ack_floor: { readonly stream_seq: number };
  readonly num_pending: number;
  readonly num_ack_pending: number;
  readonly config: {
    readonly ack_policy?: string;
    readonly max_ack_pending?: number;
    readonly max_deliver?: number;
    readonly opt_start_seq?: number;
  };
}

interface Headers {
  get(name: string): string;
}

interface HandedOut {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers?: Headers | undefined;
  readonly info: { readonly streamSequence: number; readonly timestampNanos: number };
  ack(): void;
  nak(delayMs: number): void;
  working(): void;
}

interface Stored {
  readonly seq: number;
  readonly subject: string;
  readonly time: Date;
  readonly header: Headers;
  readonly data: Uint8Array;
}

/** The headers of a message's id, and of what must be true of the stream that stores it. */
export const idHeader = 'Nats-Msg-Id';
export const expectedStreamHeader = 'Nats-Expected-Stream';
export const expectedLastHeader = 'Nats-Expected-Last-Subject-Sequence';
/** The header of what is stored beside the payload. */
export const remarkHeader = 'Wm-Remark';
const nanosecondsPerMs = 1_000_000;
export const nanoseconds = (milliseconds: number) => milliseconds * nanosecondsPerMs;

/** The leader of a stream hears from the others every second. */
const silentMs = 5_000;

export function toStream({ config, state, cluster }: StreamInfo): NatsStream {
  const replicas = (cluster?.replicas ?? []).map(({ name, offline = false, active, current = true }) => ({
    name,
    isSilent: offline || active / nanosecondsPerMs > silentMs,
    isCurrent: current,
  }));
  return {
    name: config.name,
    subjects: config.subjects ?? [],
    replicas: config.num_replicas,
    maxAgeMs: config.max_age / nanosecondsPerMs,
    duplicateWindowMs: config.duplicate_window / nanosecondsPerMs,
    maxBytes: Math.max(0, config.max_bytes),
    discard: config.discard === 'new' ? 'new' : 'old',
    maxPerSubject: Math.max(0, config.max_msgs_per_subject),
    maxMessages: Math.max(0, config.max_msgs),
    storage: config.storage === 'memory' ? 'memory' : 'file',
    retention: config.retention,
    firstSequence: state.first_seq,
    lastSequence: state.last_seq,
    messages: state.messages,
    bytes: state.bytes,
    hasLeader: cluster === undefined || cluster.leader !== undefined,
    silent: replicas.filter(({ isSilent }) => isSilent).map(({ name }) => name),
    behind: replicas.filter(({ isSilent, isCurrent }) => !isSilent && !isCurrent).map(({ name }) => name),
  };
}

export function toConsumer(info: ConsumerInfo): NatsConsumer {
  const { name, ack_floor, num_pending, num_ack_pending, config } = info;
  return {
    name,
    // Until its first acknowledgement, only its settings say that it does not begin at the beginning.
    ackFloor: Math.max(ack_floor.stream_seq, (config.opt_start_seq ?? 1) - 1),
    unacknowledged: num_pending + num_ack_pending,
    weakness: weaknessOf(info),
  };
}

function weaknessOf({ config }: ConsumerInfo): string | undefined {
  const { ack_policy = 'none', max_ack_pending = 0, max_deliver = -1 } = config;
  if (ack_policy !== 'explicit') return `ack_policy is ${ack_policy}; needed: explicit`;
  if (max_ack_pending !== 1) return `max_ack_pending is ${max_ack_pending}; needed: 1`;
  return max_deliver > 0 ? `max_deliver is ${max_deliver}; needed: none` : undefined;
}

export function toMessage(message: HandedOut): NatsMessage {
  const { streamSequence, timestampNanos } = message.info;
  return {
    sequence: streamSequence,
    subject: message.subject,
    time: Math.floor(timestampNanos / nanosecondsPerMs),
    id: message.headers?.get(idHeader) || undefined,
    remark: message.headers?.get(remarkHeader) || undefined,
    payload: message.data,
  };
}

export function toStored(found: Stored): NatsMessage {
  return {
    sequence: found.seq,
    subject: found.subject,
    time: found.time.getTime(),
    id: found.header.get(idHeader) || undefined,
    remark: found.header.get(remarkHeader) || undefined,
    payload: found.data,
  };
}

export function toPulled(message: HandedOut): NatsPulled {
  return {
    ...toMessage(message),
    ack: () => message.ack(),
    putBack: (delayMs) => message.nak(delayMs),
    keep: () => message.working(),
  };
}
