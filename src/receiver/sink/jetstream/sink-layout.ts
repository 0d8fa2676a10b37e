// Defines a sink: streams of NATS JetStream that several receivers and forwarders share (docs/decisions/sink.md says how). Every start
// checks the settings, because a weaker one would silently lose deliveries.

import { hash } from 'node:crypto';
import type { SinkUrl } from '#receiver/archive/storage-flags.ts';
import type { NatsConnection, NatsStream, NatsStreamConfig, World } from '#world/world.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The oldest nats-server that lost neither a delivery nor the order in any trial (docs/decisions/sink.md). */
export const minServerVersion = '2.15.1';
/** As long as the local journal recognises duplicates. */
const minDuplicateWindowMs = 7 * dayMs;
export const sinkDefaults = { partitions: 64, keepDays: 30 } as const;
export const maxPartitions = 1_024;
/** After this time without a sign of life, the server hands a delivery to another forwarder. */
export const ackWaitMs = 5_000;
/** The leader of a stream hears from the others every second. */
const silentReplicaMs = 5_000;
export const nanoseconds = 1_000_000;

const partitionsKey = 'wm-partitions';

export interface Sink extends Pick<World, 'clock' | 'random' | 'randomBytes'> {
  readonly nats: NatsConnection;
  readonly url: SinkUrl;
  readonly names: ReturnType<typeof sinkNames>;
  readonly partitions: number;
}

/** What a user can choose when the sink is created. */
export interface SinkSettings {
  readonly partitions?: number;
  readonly replicas?: number;
  readonly keepDays?: number;
  /** In bytes; by default no limit. */
  readonly maxSize?: number;
}

/** The names of the streams and their subjects. `stream`: the stream of deliveries, which all others are named after. */
export const sinkNames = (stream: string) => ({
  deliveries: stream,
  dead: `${stream}-dead`,
  log: `${stream}-log`,
  state: `${stream}-state`,
  delivery: (partition: number | '*') => `${stream}.p.${partition}`,
  deadLetters: (consumer: string) => `${stream}.dead.${consumer}`,
  /** The outcomes of deliveries, by consumer; `*` for all. */
  attempts: (consumer: string) => `${stream}.log.attempts.${consumer}`,
  /** The duplicates and rejections of receivers. */
  received: `${stream}.log.received`,
  replays: `${stream}.log.replays`,
  /** The status of a forwarder; `*` for all. */
  forwarder: (holder: string) => `${stream}.state.forwarders.${holder}`,
  replaying: `${stream}.state.replaying`,
});

export function sinkLayout(
  stream: string,
  {
    partitions = sinkDefaults.partitions,
    replicas = 1,
    keepDays = sinkDefaults.keepDays,
    maxSize = -1,
  }: SinkSettings = {},
): readonly NatsStreamConfig[] {
  const names = sinkNames(stream);
  const shared = {
    storage: 'file',
    num_replicas: replicas,
    max_age: keepDays * dayMs * nanoseconds,
    duplicate_window: 120_000 * nanoseconds,
    max_bytes: -1,
    discard: 'old',
    max_msgs_per_subject: -1,
    // Lets `log` read the nearest copy.
    allow_direct: true,
  };
  // At the limit, the service gets 503. `old` would drop deliveries that are not yet forwarded.
  const safe = { ...shared, duplicate_window: minDuplicateWindowMs * nanoseconds, discard: 'new' };
  return [
    {
      ...safe,
      name: names.deliveries,
      subjects: [names.delivery('*')],
      metadata: { [partitionsKey]: String(partitions) },
      max_bytes: maxSize,
    },
    { ...safe, name: names.dead, subjects: [names.deadLetters('*')] },
    { ...shared, name: names.log, subjects: [`${stream}.log.>`] },
    { ...shared, name: names.state, subjects: [`${stream}.state.>`], max_msgs_per_subject: 1 },
  ];
}

/** Returns `undefined` if the stream is not a sink of this version. */
export function partitionsOf({ config }: { config: Pick<NatsStreamConfig, 'metadata'> }): number | undefined {
  const text = config.metadata?.[partitionsKey] ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Earlier versions of wm wrote the number of partitions into the subjects. */
export const isFromEarlierVersion = ({ config: { name, subjects } }: NatsStream) =>
  subjects.some((subject) => subject.startsWith(`${name}.partitions.`));

export const isRecentServer = (version: string) =>
  version.localeCompare(minServerVersion, 'en', { numeric: true }) >= 0;

export interface Weakness {
  readonly stream: string;
  /** The present setting and the required one. */
  readonly text: string;
  /** Nothing can be read; deliveries are safe, and can be forwarded. */
  readonly onlyReading: boolean;
}

/** Finds settings that are too weak for a sink's guarantees. `servers`: the size of the cluster. */
export function findWeaknesses(
  required: NatsStreamConfig,
  { config: actual }: Pick<NatsStream, 'config'>,
  servers: number,
): readonly Weakness[] {
  const { discard, duplicate_window, max_age, max_msgs_per_subject, num_replicas } = actual;
  const minTime = minDuplicateWindowMs * nanoseconds;
  const missing = required.subjects.filter((subject) => !actual.subjects.includes(subject));
  const formatMaxMessages = ({ max_msgs_per_subject: most }: NatsStreamConfig) => (most > 0 ? most : 'none');
  const rules: readonly (readonly [isWeak: boolean, text: string])[] = [
    [actual.storage !== 'file', 'storage is memory; needed: file'],
    [servers >= 3 && num_replicas < 3, `replicas is ${num_replicas}; needed: 3, on ${servers} servers`],
    [actual.retention !== 'limits', `retention is ${actual.retention}; needed: limits`],
    [discard !== required.discard, `discard is ${discard}; needed: ${required.discard}`],
    [
      required.discard === 'new' && duplicate_window < minTime,
      `duplicate_window is ${formatDays(duplicate_window)}; needed: at least 7 days`,
    ],
    [max_age !== 0 && max_age < minTime, `max_age is ${formatDays(max_age)}; needed: at least 7 days`],
    [
      max_msgs_per_subject !== required.max_msgs_per_subject,
      `max_msgs_per_subject is ${formatMaxMessages(actual)}; needed: ${formatMaxMessages(required)}`,
    ],
    [missing.length > 0, `its subjects lack ${missing.join(' and ')}`],
  ];
  const weaknesses = rules.flatMap(([isWeak, text]) =>
    isWeak ? [{ stream: actual.name, text, onlyReading: false }] : [],
  );
  if (actual.allow_direct === true) return weaknesses;
  return [...weaknesses, { stream: actual.name, text: 'allow_direct is off; needed: on', onlyReading: true }];
}

export const toDays = (time: number) => time / nanoseconds / dayMs;

function formatDays(time: number): string {
  const days = toDays(time);
  return days >= 1 ? `${Number(days.toFixed(1))} days` : `${Math.round(days * 86_400)} s`;
}

/** Servers with a copy that are silent, and servers whose copy is incomplete. */
export function unhealthyCopies({ cluster }: NatsStream): Record<'silent' | 'behind', readonly string[]> {
  const replicas = cluster?.replicas ?? [];
  const silent = replicas.filter(({ offline, active }) => offline || active > silentReplicaMs * nanoseconds);
  const behind = replicas.filter((replica) => !silent.includes(replica) && replica.current === false);
  return { silent: silent.map(({ name }) => name), behind: behind.map(({ name }) => name) };
}

/** Too few of the servers with a copy are in contact with each other. */
export function lacksQuorum(stream: NatsStream): boolean {
  const { cluster, config } = stream;
  const hasLeader = cluster === undefined || cluster.leader !== undefined;
  return !hasLeader || unhealthyCopies(stream).silent.length * 2 >= config.num_replicas;
}

/** The partition of a delivery whose first event is about this subject. Never change it: all receivers must agree. */
export function partitionFor(subject: string, partitions: number): number {
  return Buffer.from(hash('sha256', subject, 'hex'), 'hex').readUInt32BE(0) % partitions;
}

/** Stands for the target in its consumers' names. */
export const targetHash = (target: string) => hash('sha256', target, 'hex').slice(0, 12);

/** The name of the consumer that all forwarders use for this target and partition; sink-consumers.ts reads it. */
export const consumerName = (target: string, partition: number) => `${targetHash(target)}-${partition}`;
