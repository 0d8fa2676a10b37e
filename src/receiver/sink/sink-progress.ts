// Which delivery a consumer is at, and what came of it: the records of the consumer in the progress stream. One of them wins: each has a
// version, one higher than that of the record it follows, and the first record with the highest version wins.
//
// The servers alone do not keep two writers apart. With nats-server 2.9.10, a leader compares (`expectedLast`) when a message arrives, but
// not again when it stores the message, so it can store several records that follow the same one (but see `writeProgress`). And a leader
// that was just elected may lack the last acknowledged messages. But all servers store the records in the same order. So whoever writes a
// claim reads afterwards whether it won.

import { parseJsonIfValid } from '../../contract/json.ts';
import {
  choice,
  number,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
  unlessInvalid,
} from '../../contract/schema.ts';
import type { NatsConnection, NatsFault } from '../../world/world.ts';
import { sinkStreams, sinkSubjects } from './sink-layout.ts';

const progress = object('progress', {
  version: number('version'),
  /** The sequence number of the last record that its writer knew; 0 if it knew none. */
  after: number('sequence'),
  sequence: number('sequence'),
  /** When the stream stored the delivery: the same number may later belong to another one. */
  stored: number('stored'),
  /** How many attempts have been made. */
  attempt: number('attempts'),
  state: choice('state', ['claimed', 'retry', 'forwarded', 'dead']),
  /** With `retry`: how long to wait before the next attempt. */
  waitMs: optional(number('milliseconds')),
  holder: text('holder'),
});
export type Progress = TypeOf<typeof progress>;

/** A record without its place among the others. */
export type Step = Omit<Progress, 'version' | 'after'>;

export interface Known {
  /** The sequence number of the last record, whether it wins or not; 0 if there is none. */
  readonly at: number;
  /** The sequence number of the record that wins; 0 if there is none. */
  readonly winner: number;
  /** When the stream stored the record that wins. */
  readonly time: number;
  /** The record that wins. */
  readonly progress: Progress | undefined;
}

export interface Written {
  /** Its sequence number. */
  readonly at: number;
  readonly progress: Progress;
}

export const isSettled = ({ state }: Progress) => state === 'forwarded' || state === 'dead';

/** The first number that is not settled. */
export const nextAfter = (progress: Progress) => progress.sequence + (isSettled(progress) ? 1 : 0);

/** Several attempts fit into the time after which another forwarder takes over. */
const publishMs = 2_500;

type Nats = Pick<NatsConnection, 'read'>;

/** 0 if no record wins. */
export const versionOf = ({ progress }: Pick<Known, 'progress'>) => progress?.version ?? 0;

/** A conflict if the server knows of a record after `before`. Even without a conflict, the new record may not win. */
export async function writeProgress(
  nats: Pick<NatsConnection, 'publish'>,
  stream: string,
  consumer: string,
  step: Step,
  before: Pick<Known, 'at' | 'progress'>,
): Promise<Written | NatsFault> {
  const written = { version: versionOf(before) + 1, after: before.at, ...step };
  const payload = new TextEncoder().encode(JSON.stringify(written));
  const published = await nats.publish(sinkSubjects.progress(stream, consumer), payload, {
    stream: sinkStreams(stream).progress,
    // The first record is not compared. NATS 2.9 would do that only when it stores the message, and after a restart a server miscounts the
    // messages that it rejected there: from then on, its copy numbers messages differently from the others.
    ...(before.at === 0 ? {} : { expectedLast: before.at }),
    timeoutMs: publishMs,
  });
  return 'fault' in published ? published : { at: published.sequence, progress: written };
}

/** The record, or a conflict if it has not won. */
export async function confirmProgress(
  nats: Nats,
  stream: string,
  consumer: string,
  { at, progress: written }: Written,
): Promise<Known | NatsFault> {
  const first = await readRecord(nats, stream, { firstOf: consumer, from: written.after + 1 });
  if ('fault' in first && first.fault !== 'not-found') return first;
  const known = 'fault' in first || first.at !== at ? await readAllRecords(nats, stream, consumer) : first;
  if ('fault' in known) return known;
  // By its number: a record that this process wrote before, and whose response was lost, may have the same version and state. It may
  // concern another delivery, and a claim counts from when it was stored.
  return known.winner === at ? known : { fault: 'conflict', detail: 'another record came first' };
}

export async function readProgress(nats: Nats, stream: string, consumer: string): Promise<Known | NatsFault> {
  const last = await readRecord(nats, stream, { lastOf: consumer });
  if ('fault' in last) return last.fault === 'not-found' ? nothing : last;
  if (last.progress) {
    // Usually nothing came between it and the record that its writer knew. Then it wins.
    const first = await readRecord(nats, stream, { firstOf: consumer, from: last.progress.after + 1 });
    if (!('fault' in first) && first.at === last.at) return last;
  }
  return readAllRecords(nats, stream, consumer);
}

const nothing: Known = { at: 0, winner: 0, time: 0, progress: undefined };

async function readAllRecords(nats: Nats, stream: string, consumer: string): Promise<Known | NatsFault> {
  let known = nothing;
  for (;;) {
    const one = await readRecord(nats, stream, { firstOf: consumer, from: known.at + 1 });
    if ('fault' in one) return one.fault === 'not-found' ? known : one;
    known = versionOf(one) > versionOf(known) ? one : { ...known, at: one.at };
  }
}

async function readRecord(
  nats: Nats,
  stream: string,
  which: { readonly lastOf: string } | { readonly firstOf: string; readonly from: number },
): Promise<Known | NatsFault> {
  const found = await nats.read(
    sinkStreams(stream).progress,
    'lastOf' in which
      ? { lastOf: sinkSubjects.progress(stream, which.lastOf) }
      : { firstOf: sinkSubjects.progress(stream, which.firstOf), from: which.from },
  );
  if ('fault' in found) return found;
  const parsed = parseJsonIfValid(new TextDecoder().decode(found.payload));
  return {
    at: found.sequence,
    winner: found.sequence,
    time: found.time,
    progress: unlessInvalid(() => readLeniently(progress, parsed)),
  };
}
