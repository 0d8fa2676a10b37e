// Reads a sink the way a journal is read: the deliveries, then the notes about them, then what is new. Dead letters also have a stream of
// their own. A forwarder writes to it first, so a dead letter is found even if the forwarder dies before it writes the note.

import { parseJsonIfValid } from '../../contract/json.ts';
import type { NatsConnection, NatsMessage } from '../../world/world.ts';
import type { Attempt, Note } from '../delivery-journal.ts';
import { readReceivedAt } from '../journal/delivery-frame.ts';
import { isNote } from '../journal/note-frame.ts';
import type { JournalEntry, ReadOptions } from '../journal/read-entries.ts';
import { mergeStreams } from './merge-streams.ts';
import { readBacklog, type SinkBacklog } from './sink-backlog.ts';
import { readOutcome } from './sink-history.ts';
import {
  consumerFor,
  partitionOfSubject,
  sinkStreams,
  sinkSubjects,
  targetOfConsumer,
} from './sink-layout.ts';
import { fromSinkMessage } from './sink-message.ts';

type Nats = Pick<NatsConnection, 'readAll' | 'consumers' | 'stream' | 'read' | 'count'>;

/** By how much the clocks of receivers and servers may differ. */
const skewMs = 5 * 60 * 1000;
/** How many notes are passed on for one look at the consumers. */
const mostNotes = 5_000;

/** How far the streams have been read. */
interface Reached {
  delivery: number;
  note: number;
  unnoted: readonly Attempt[];
}

export interface SinkEntries {
  /** The first delivery that may have been received at this time or later; `undefined` if there is none. */
  firstSince(time: number): Promise<number | undefined>;
  /** `undefined` if the delivery has not been read. */
  partitionOf(sequence: number): ReturnType<typeof partitionOfSubject> | undefined;
  backlog(): Promise<SinkBacklog>;
  /**
   * With `follow`, which needs an earlier read without it: first what that read passed on, from the same delivery on, then what is new.
   * Rejects if the servers do not respond.
   */
  read(options: ReadOptions): AsyncGenerator<JournalEntry, void, undefined>;
}

export function createSinkEntries(nats: Nats, stream: string): SinkEntries {
  const names = sinkStreams(stream);
  const subject = sinkSubjects.log(stream);
  const partitions = new Map<number, ReturnType<typeof partitionOfSubject>>();
  let reached: Reached = { delivery: 0, note: 0, unnoted: [] };

  const backlog = async () => {
    const found = await readBacklog(nats, stream);
    if ('fault' in found) throw new Error(found.detail, { cause: found });
    return found;
  };

  const firstSince = async (time: number) => {
    if (time <= skewMs) return undefined;
    for await (const message of nats.readAll(names.deliveries, { from: { time: time - skewMs } }))
      return message.sequence;
    return undefined;
  };

  /** A delivery with several targets is finished only when it is settled for all of them, which a note does not say. */
  const finishing = async (notes: readonly Note[]): Promise<readonly Note[]> => {
    if (notes.length === 0) return notes;
    const now = await backlog();
    if (now.targets < 2) return notes;
    return notes.map((note) => {
      if (note.kind !== 'attempt' || !note.finishes) return note;
      const partition = partitions.get(note.sequence);
      return partition !== undefined && now.isUnfinished(partition, note.sequence)
        ? { ...note, finishes: false }
        : note;
    });
  };

  async function* readNotes(
    range: { readonly from: number | { readonly time: number }; readonly to: number },
    onMessage: (sequence: number) => void,
  ): AsyncGenerator<Note, void, undefined> {
    let gathered: Note[] = [];
    for await (const message of nats.readAll(names.log, { from: range.from, subject })) {
      if (message.sequence > range.to) break;
      onMessage(message.sequence);
      gathered.push(...notesOf(message));
      if (gathered.length < mostNotes) continue;
      yield* await finishing(gathered);
      gathered = [];
    }
    yield* await finishing(gathered);
  }

  async function* readLive(signal: AbortSignal | undefined, after: Reached) {
    const follow = { follow: true, signal } as const;
    const messages = mergeStreams(
      nats.readAll(names.deliveries, { from: after.delivery + 1, ...follow }),
      nats.readAll(names.log, { from: after.note + 1, subject, ...follow }),
    );
    for await (const message of messages) {
      if (message.subject === subject) yield* await finishing(notesOf(message));
      else {
        const delivery = decodeDelivery(message);
        partitions.set(message.sequence, partitionOfSubject(message.subject));
        if (delivery) yield { kind: 'delivery', delivery } as const;
        yield* readOutcome(message);
      }
    }
  }

  return {
    firstSince,
    partitionOf: (sequence) => partitions.get(sequence),
    backlog,
    async *read({ from, follow = false, signal, selection }) {
      const before = reached;
      const first = await startOf(from);
      let since: number | undefined;
      const now: Reached = { delivery: first - 1, note: 0, unnoted: [] };
      const to = follow ? before.delivery : Number.POSITIVE_INFINITY;
      const unnoted = createUnnoted();
      if (!follow) for await (const message of nats.readAll(names.dead, { from: 1 })) unnoted.add(message);
      for await (const message of nats.readAll(names.deliveries, { from: first })) {
        if (message.sequence > to) break;
        since ??= message.time - skewMs;
        now.delivery = message.sequence;
        partitions.set(message.sequence, partitionOfSubject(message.subject));
        const { payload, sequence } = message;
        const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
        const delivery = decodeDelivery(message);
        if (delivery === undefined) continue;
        if (selection?.wantsDelivery(sequence, readReceivedAt(bytes, 0)) !== false)
          yield { kind: 'delivery', delivery };
        for (const attempt of readOutcome(message)) {
          unnoted.note(attempt);
          if (wants(attempt, selection)) yield attempt;
        }
      }
      const notesFrom = first <= 1 || since === undefined ? 1 : { time: since };
      const range = { from: notesFrom, to: follow ? before.note : Number.POSITIVE_INFINITY };
      const notes = readNotes(range, (sequence) => {
        now.note = sequence;
      });
      for await (const note of notes) {
        if (note.kind === 'attempt') unnoted.note(note);
        if (wants(note, selection)) yield note;
      }
      now.unnoted = follow ? before.unnoted : unnoted.rest().filter(({ sequence }) => sequence >= first);
      for (const attempt of now.unnoted) if (wants(attempt, selection)) yield attempt;
      if (follow) yield* readLive(signal, { ...before, delivery: Math.max(before.delivery, first - 1) });
      else reached = now;
    },
  };

  async function startOf(from: ReadOptions['from']): Promise<number> {
    if (from === undefined) return 1;
    if ('sequence' in from) return Math.max(1, from.sequence);
    const { stream: held } = await backlog();
    if ('last' in from) return Math.max(1, held.lastSequence + 1 - from.last);
    return (await firstSince(from.time)) ?? 1;
  }
}

function wants(note: Note, selection: ReadOptions['selection']): boolean {
  if (note.kind !== 'attempt' || selection === undefined) return true;
  return selection.wantsAttempt(note.sequence, () => note.verdict === 'dead');
}

/** Collects the dead letters that no note names. */
function createUnnoted() {
  const dead = new Map<string, { readonly sequence: number; readonly time: number }>();
  /** By their hash in the names of consumers. */
  const targets = new Map<string, string>();
  const hashOf = (target: string) => targetOfConsumer(consumerFor(target, 0));
  return {
    add(message: NatsMessage) {
      const letter = deadLetterOf(message);
      if (letter !== undefined)
        dead.set(`${letter.target} ${letter.sequence}`, { sequence: letter.sequence, time: message.time });
    },
    note({ target, sequence, verdict }: Attempt) {
      const short = hashOf(target);
      targets.set(short, target);
      if (verdict === 'dead') dead.delete(`${short} ${sequence}`);
    },
    rest: (): readonly Attempt[] =>
      [...dead].map(([key, { sequence, time }]) => ({
        kind: 'attempt',
        sequence,
        time,
        target: targets.get(key.split(' ')[0] ?? '') ?? '',
        attempt: 1,
        milliseconds: 0,
        outcome: 'unknown',
        verdict: 'dead',
        finishes: true,
      })),
  };
}

/** The delivery that a message of the dead-letter stream holds, and the hash of its target in the names of consumers. */
export function deadLetterOf({ id = '' }: Pick<NatsMessage, 'id'>) {
  const [, consumer, digits] = /^(\w+-\d+)-(\d+)-\d+$/.exec(id) ?? [];
  return consumer === undefined
    ? undefined
    : { target: targetOfConsumer(consumer), sequence: Number(digits) };
}

export function notesOf({ payload }: NatsMessage): readonly Note[] {
  return new TextDecoder()
    .decode(payload)
    .split('\n')
    .map((line) => parseJsonIfValid(line))
    .filter(isNote);
}

/** `undefined` if it is not a delivery: other programs can publish there too. */
export function decodeDelivery({ payload, sequence }: Pick<NatsMessage, 'payload' | 'sequence'>) {
  try {
    return fromSinkMessage(payload, sequence);
  } catch {
    return undefined;
  }
}
