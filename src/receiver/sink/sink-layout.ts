// The streams of a sink: deliveries, dead letters, notes on what was done with each delivery, and the progress of each consumer. Their
// settings are checked at every start, because a weaker setting would silently lose deliveries.

import { hash } from 'node:crypto';
import type { NatsStream, NatsStreamSettings } from '../../world/world.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** The local journal recognises duplicates for as long. */
export const leastWindowMs = 7 * dayMs;
export const sinkDefaults = { partitions: 64, keepDays: 30 } as const;
export const mostPartitions = 1_024;
/** For each consumer in the progress stream: the last record alone does not show which one wins (sink-progress.ts). */
export const recordsKept = 16;

export interface SinkSettings {
  readonly partitions: number;
  readonly replicas: number;
  readonly keepMs: number;
  /** 0: no limit. */
  readonly maxBytes: number;
}

const history = 'history';

/** The names of the streams. */
export const sinkStreams = (stream: string) => ({
  deliveries: stream,
  dead: `${stream}-dead`,
  log: `${stream}-log`,
  progress: `${stream}-progress`,
});

export const sinkSubjects = {
  /** All partitions and the history. */
  deliveries: (stream: string) => `${stream}.p.*`,
  delivery: (stream: string, partition: number) => `${stream}.p.${partition}`,
  /** Deliveries that were finished when their journal was imported. No consumer reads it. */
  history: (stream: string) => `${stream}.p.${history}`,
  dead: (stream: string, consumer: string) => `${stream}.dead.${consumer}`,
  log: (stream: string) => `${stream}.log`,
  /** Apart from the other notes, so that replays can be read without them. */
  replays: (stream: string) => `${stream}.log.replays`,
  progress: (stream: string, of: string) => `${stream}.progress.${of}`,
  /** The status of a forwarder; `*` for all of them. No consumer has such a name. */
  forwarder: (stream: string, number: number | '*') => `${stream}.progress.forwarders.${number}`,
};

/** Nothing is published to it. It stands in the list of subjects because every version of NATS stores and shows that. */
const partitionsSubject = (stream: string, partitions: number) => `${stream}.partitions.${partitions}`;

export function layoutOf(
  stream: string,
  { partitions, replicas, keepMs, maxBytes }: SinkSettings,
): readonly NatsStreamSettings[] {
  const names = sinkStreams(stream);
  const shared = { replicas, duplicateWindowMs: leastWindowMs, maxBytes: 0, maxPerSubject: 0 };
  return [
    {
      ...shared,
      name: names.deliveries,
      subjects: [sinkSubjects.deliveries(stream), partitionsSubject(stream, partitions)],
      maxAgeMs: keepMs,
      maxBytes,
      // At the limit the service gets 503. `old` would drop deliveries that are not forwarded yet.
      discard: 'new',
    },
    { ...shared, name: names.dead, subjects: [`${stream}.dead.*`], maxAgeMs: keepMs, discard: 'new' },
    {
      ...shared,
      name: names.log,
      subjects: [sinkSubjects.log(stream), sinkSubjects.replays(stream)],
      maxAgeMs: keepMs,
      discard: 'old',
    },
    {
      ...shared,
      name: names.progress,
      subjects: [`${stream}.progress.>`],
      maxAgeMs: 0,
      discard: 'old',
      maxPerSubject: recordsKept,
    },
  ];
}

/** The number of partitions, read from its subjects; `undefined` if it is not a sink of wm. */
export function partitionsOf({ name, subjects }: Pick<NatsStream, 'name' | 'subjects'>): number | undefined {
  const prefix = `${name}.partitions.`;
  const digits = subjects.find((subject) => subject.startsWith(prefix))?.slice(prefix.length) ?? '';
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

export interface Weakness {
  readonly stream: string;
  /** The setting, and the one that is needed. */
  readonly text: string;
}

/** The settings that are too weak for the guarantees of a sink. `servers`: how many the cluster has. */
export function weaknessesOf(
  wanted: NatsStreamSettings,
  found: NatsStream,
  servers: number,
): readonly Weakness[] {
  const texts: string[] = [];
  if (found.storage !== 'file') texts.push('storage is memory; needed: file');
  if (servers >= 3 && found.replicas < 3)
    texts.push(`replicas is ${found.replicas}; needed: 3, on ${servers} servers`);
  if (found.retention !== 'limits') texts.push(`retention is ${found.retention}; needed: limits`);
  if (found.discard !== wanted.discard) texts.push(`discard is ${found.discard}; needed: ${wanted.discard}`);
  if (wanted.discard === 'new' && found.duplicateWindowMs < leastWindowMs)
    texts.push(`duplicate_window is ${inDays(found.duplicateWindowMs)}; needed: at least 7 days`);
  const needsAge = wanted.maxAgeMs > 0 ? leastWindowMs : Number.POSITIVE_INFINITY;
  if (found.maxAgeMs !== 0 && found.maxAgeMs < needsAge)
    texts.push(
      `max_age is ${inDays(found.maxAgeMs)}; needed: ${wanted.maxAgeMs > 0 ? 'at least 7 days' : 'none'}`,
    );
  if (found.maxPerSubject !== wanted.maxPerSubject)
    texts.push(
      `max_msgs_per_subject is ${found.maxPerSubject || 'none'}; needed: ${wanted.maxPerSubject || 'none'}`,
    );
  if (wanted.maxPerSubject !== 0 && found.maxBytes !== 0)
    texts.push(`max_bytes is ${found.maxBytes}; needed: none`);
  if (wanted.maxPerSubject !== 0 && found.maxMessages !== 0)
    texts.push(`max_msgs is ${found.maxMessages}; needed: none`);
  const missing = wanted.subjects.filter((subject) => !found.subjects.includes(subject));
  if (missing.length > 0) texts.push(`its subjects lack ${missing.join(' and ')}`);
  return texts.map((text) => ({ stream: found.name, text }));
}

function inDays(milliseconds: number): string {
  const days = milliseconds / dayMs;
  return days >= 1 ? `${Number(days.toFixed(1))} days` : `${Math.round(milliseconds / 1000)} s`;
}

/** Too few of the servers with a copy are in contact with each other. */
export function lacksQuorum({ hasLeader, silent, replicas }: NatsStream): boolean {
  return !hasLeader || silent.length * 2 >= replicas;
}

/** The partition of a delivery whose first event is about this subject. It can never change: all receivers must always agree. */
export function partitionFor(subject: string, partitions: number): number {
  return Buffer.from(hash('sha256', subject, 'hex'), 'hex').readUInt32BE(0) % partitions;
}

/** The partition of a delivery in the stream. */
export function partitionOfSubject(subject: string): number | typeof history {
  const last = subject.slice(subject.lastIndexOf('.') + 1);
  return last === history ? history : Number(last);
}

/** One for each target and partition, the same for all forwarders. */
export function consumerFor(target: string, partition: number): string {
  return `${hash('sha256', target, 'hex').slice(0, 12)}-${partition}`;
}

/** The hash that stands for the target in the names of its consumers. */
export function targetOfConsumer(consumer: string): string {
  return consumer.replace(/-\d+$/, '');
}

/** The partition of a consumer, from its name. */
export function partitionOfConsumer(consumer: string): number | undefined {
  const digits = /^[\da-f]{12}-(\d+)$/.exec(consumer)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
