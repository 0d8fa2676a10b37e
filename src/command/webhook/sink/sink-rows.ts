// Reads some deliveries of a sink for its page, and the notes after them until their outcome is known. Nothing here reads a stream from end
// to end.

import type { Attempt, Duplicate } from '../../../receiver/delivery-journal.ts';
import { readEvents } from '../../../receiver/read-events.ts';
import { deadLetterOf, decodeDelivery, notesOf } from '../../../receiver/sink/sink-entries.ts';
import { readOutcome } from '../../../receiver/sink/sink-history.ts';
import {
  consumerFor,
  partitionOfSubject,
  sinkStreams,
  sinkSubjects,
  targetOfConsumer,
} from '../../../receiver/sink/sink-layout.ts';
import type { SinkLook } from '../../../receiver/sink/sink-look.ts';
import { readSince, readSpan, type Span } from '../../../receiver/sink/sink-parts.ts';
import type { Clock, NatsConnection } from '../../../world/world.ts';
import { addNote } from '../deliveries/collect-deliveries.ts';
import { finish, isUnfinished, type KnownDelivery, toKnownDelivery } from '../deliveries/known-delivery.ts';
import { parseReplay } from '../deliveries/replays-file.ts';
import { rememberTitles, type Titles } from '../listen/delivery-summary.ts';

/** By how much the clocks of two servers may differ. */
const skewMs = 10_000;
/** The service repeats a delivery soon, or not at all. */
const repeatsMs = 60_000;
/** Messages, each with up to 500 notes. */
const mostNotes = 5_000;
const mostDead = 2_000;

export interface FoundDelivery {
  readonly known: KnownDelivery;
  readonly partition: ReturnType<typeof partitionOfSubject>;
}

export interface SinkRows {
  /** In order; messages that are not deliveries are left out. `notesTo`: the last message of notes to read. */
  read(span: Span, notesTo?: number): Promise<readonly FoundDelivery[]>;
  /** The dead letters since this time, as attempts, for deliveries without a note. */
  dead(since: number, isWanted: (sequence: number) => boolean): Promise<readonly Attempt[]>;
  /** The name of a target, by its hash, once it is known. */
  nameOf(target: string): string | undefined;
  /** Makes the name of a target known. */
  learn(name: string): void;
}

export interface RowsParts {
  readonly nats: Pick<NatsConnection, 'read' | 'readAll' | 'outage'>;
  readonly clock: Pick<Clock, 'limit'>;
  readonly stream: string;
  readonly look: SinkLook;
  readonly titles: Pick<Titles, 'remember'>;
}

export function createSinkRows({ nats, clock, stream, look, titles }: RowsParts): SinkRows {
  const names = sinkStreams(stream);
  const targets = new Map<string, string>();
  const learn = (name: string) => {
    if (name !== '') targets.set(targetOfConsumer(consumerFor(name, 0)), name);
  };

  const readDeliveries = async (span: Span) => {
    const found: FoundDelivery[] = [];
    let since: number | undefined;
    let until = 0;
    for await (const message of readSpan(nats, names.deliveries, span)) {
      since ??= message.time;
      until = message.time;
      const delivery = decodeDelivery(message);
      if (delivery === undefined) continue;
      const events = readEvents(delivery.body);
      rememberTitles(events, titles);
      const known = toKnownDelivery(delivery, events);
      known.attempts.push(...readOutcome(message));
      found.push({ known, partition: partitionOfSubject(message.subject) });
    }
    return { found, since, until };
  };

  const dead: SinkRows['dead'] = async (since, isWanted) => {
    const letters: Attempt[] = [];
    let left = mostDead;
    const range = { time: since - skewMs, to: Number.POSITIVE_INFINITY };
    for await (const message of readSince(nats, clock, names.dead, range)) {
      const letter = deadLetterOf(message);
      if (letter !== undefined && isWanted(letter.sequence))
        letters.push({
          kind: 'attempt',
          sequence: letter.sequence,
          time: message.time,
          target: targets.get(letter.target) ?? '',
          attempt: 1,
          milliseconds: 0,
          outcome: 'unknown',
          verdict: 'dead',
          finishes: true,
        });
      left -= 1;
      if (left === 0) break;
    }
    return letters;
  };

  return {
    async read(span, notesTo = Number.POSITIVE_INFINITY) {
      const { found, since, until } = await readDeliveries(span);
      if (since === undefined) return found;
      const rows = new Map(found.map((one) => [one.known.sequence, one]));
      const range = { time: since - skewMs, to: notesTo };
      let left = mostNotes;
      const notes = { ...range, subject: sinkSubjects.log(stream) };
      for await (const message of readSince(nats, clock, names.log, notes)) {
        for (const note of notesOf(message)) {
          const row = note.kind === 'rejected' ? undefined : rows.get(note.sequence);
          if (note.kind === 'attempt') learn(note.target);
          if (row && note.kind !== 'rejected') addNote(row.known, withDoubt(note, look.targets()));
        }
        left -= 1;
        const isEnough = message.time > until + repeatsMs && found.every(({ known }) => !isUnfinished(known));
        if (left === 0 || isEnough) break;
      }
      const replays = { ...range, subject: sinkSubjects.replays(stream) };
      for await (const { payload } of readSince(nats, clock, names.log, replays)) {
        const replay = parseReplay(new TextDecoder().decode(payload));
        if (replay) rows.get(replay.sequence)?.known.replays.push(replay);
      }
      await concludeAll(found, since);
      return found;
    },
    dead,
    nameOf: (target) => targets.get(target),
    learn,
  };

  async function concludeAll(found: readonly FoundDelivery[], since: number): Promise<void> {
    const lost = new Map<number, KnownDelivery>();
    for (const { known, partition } of found) {
      if (!isUnfinished(known)) continue;
      const isSettled = look.isSettled({ ...known, partition });
      const hasResult = known.attempts.some(({ verdict }) => verdict !== 'retry');
      if (hasResult && (isSettled || isSettledFor(known, look.targets()))) finish(known);
      else if (isSettled) lost.set(known.sequence, known);
    }
    if (lost.size === 0) return;
    for (const letter of await dead(since, (sequence) => lost.has(sequence)))
      lost.get(letter.sequence)?.attempts.push(letter);
    for (const known of lost.values()) finish(known);
  }
}

/** With several targets, a note does not show whether its delivery is settled for all of them. */
export function withDoubt(note: Attempt | Duplicate, targets: number): Attempt | Duplicate {
  return targets < 2 || note.kind !== 'attempt' || note.target === '' ? note : { ...note, finishes: false };
}

/** Whether this many targets have accepted it or have it as a dead letter. */
export function isSettledFor({ attempts }: Pick<KnownDelivery, 'attempts'>, targets: number): boolean {
  const settled = attempts.filter(({ verdict }) => verdict !== 'retry').map(({ target }) => target);
  return new Set(settled).size >= targets;
}
