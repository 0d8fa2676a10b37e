// Follows a sink for a page: while a user has it open, reads every half second what is new in the streams. It reads no more deliveries than
// the page shows, and no more notes than it can keep up with. Reads that fail are retried for as long as it takes.

import { errorMessage } from '../../../failure.ts';
import type { Activity } from '../../../receiver/activity.ts';
import type { Attempt, Note } from '../../../receiver/delivery-journal.ts';
import { readEvents } from '../../../receiver/read-events.ts';
import { createServerWatch } from '../../../receiver/sink/server-watch.ts';
import { decodeDelivery, notesOf } from '../../../receiver/sink/sink-entries.ts';
import { readOutcome } from '../../../receiver/sink/sink-history.ts';
import {
  consumerFor,
  partitionOfSubject,
  sinkStreams,
  sinkSubjects,
  targetOfConsumer,
} from '../../../receiver/sink/sink-layout.ts';
import type { SinkLook } from '../../../receiver/sink/sink-look.ts';
import { describeSilence, readSpan } from '../../../receiver/sink/sink-parts.ts';
import type { Clock, NatsConnection } from '../../../world/world.ts';
import { isUnfinished } from '../deliveries/known-delivery.ts';
import { parseReplay } from '../deliveries/replays-file.ts';
import { rememberTitles, type Titles } from '../listen/delivery-summary.ts';
import { type Problems, shownDeliveries } from '../page/page-messages.ts';
import type { PageHost } from '../page/page-source.ts';
import { isSettledFor, type SinkRows, withDoubt } from './sink-rows.ts';

const watchedMs = 500;
/** While no user has the page open. */
const idleMs = 10_000;
/** The consumers are read less often: there are many. */
const lookMs = 5_000;
/** While only they can show whether a delivery is settled for all of its targets. */
const lookSoonMs = 1_000;
/** Messages of notes at a time: no user can follow more. */
const mostNotes = 2_000;
/** How many responses to this process are kept until its notes come back. */
const mostDetails = 1_000;

export interface SinkFeed {
  follow(host: PageHost, signal: AbortSignal): Promise<void>;
  onActivity(activity: Activity): void;
  /** Looks again now. */
  wake(): void;
  /** Since when the page is out of date, and why. */
  stale(): Problems['stale'];
}

export interface FeedParts {
  readonly nats: Pick<NatsConnection, 'stream' | 'read' | 'outage' | 'changeServer'>;
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly stream: string;
  readonly look: SinkLook;
  readonly history: SinkRows;
  readonly titles: Pick<Titles, 'remember'>;
}

export function createSinkFeed(parts: FeedParts): SinkFeed {
  const { nats, clock, stream, look, history, titles } = parts;
  const names = sinkStreams(stream);
  const watch = createServerWatch(nats, clock);
  const details = new Map<string, string>();
  /** The partitions of the deliveries that are shown. */
  const partitions = new Map<number, ReturnType<typeof partitionOfSubject>>();
  /** The last messages read; `undefined` before the first look. */
  let seen: { delivery: number; log: number } | undefined;
  /** Deliveries that are settled according to the consumers, but that have no note of the outcome. */
  let unexplained: ReadonlySet<number> = new Set();
  let isUnsure = false;
  /** Targets that have notes but no consumers any more. */
  const gone = new Set<string>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let goodAt = clock.now();
  let problem: string | undefined;
  let host: PageHost | undefined;
  let wake = () => {};

  const streamNow = async (name: string) => {
    const found = await nats.stream(name);
    if ('fault' in found) throw new Error(describeSilence(found, nats.outage()));
    return found;
  };

  const begin = async (page: PageHost, to: number, from: number, log: number) => {
    // Without it, states may be wrong for a few seconds; the next look corrects them.
    await look.now().catch(() => {});
    const found = await history.read({ from, to }, log);
    partitions.clear();
    for (const { known, partition } of found) partitions.set(known.sequence, partition);
    page.show(found.map(({ known }) => known));
  };

  const readDeliveries = async (page: PageHost, from: number, to: number) => {
    for await (const message of readSpan(nats, names.deliveries, { from, to })) {
      const delivery = decodeDelivery(message);
      if (delivery === undefined) continue;
      rememberTitles(readEvents(delivery.body), titles);
      partitions.set(delivery.sequence, partitionOfSubject(message.subject));
      page.happened({ kind: 'stored', delivery });
      for (const attempt of readOutcome(message)) page.amend(attempt);
    }
    for (const sequence of partitions.keys()) {
      if (partitions.size <= shownDeliveries) break;
      partitions.delete(sequence);
    }
  };

  /** What a note means depends on how many targets there are. So a new target is looked up before its first note is used. */
  const lookAtNewTarget = async (name: string) => {
    const target = targetOfConsumer(consumerFor(name, 0));
    if (name === '' || look.hasTarget(target) || gone.has(target)) return;
    await look.now();
    if (look.hasTarget(target)) return;
    gone.add(target);
  };

  const addNote = async (page: PageHost, note: Note) => {
    if (note.kind === 'rejected') return page.happened(note);
    if (note.kind === 'attempt') await lookAtNewTarget(note.target);
    const doubtful = withDoubt(note, look.targets());
    if (doubtful.kind === 'duplicate') return page.happened(doubtful);
    history.learn(doubtful.target);
    const key = keyOf(doubtful);
    page.happened({ ...doubtful, detail: details.get(key) ?? '' });
    details.delete(key);
    if (doubtful.finishes || doubtful.verdict === 'retry') return;
    const known = page.shown().find(({ sequence }) => sequence === note.sequence);
    if (known === undefined) return;
    if (known.wasDropped || isSettledFor(known, look.targets())) page.finish(note.sequence);
    else isUnsure = true;
  };

  const readLog = async (page: PageHost, from: number, to: number) => {
    for await (const message of readSpan(nats, names.log, { from, to })) {
      if (message.subject === sinkSubjects.replays(stream)) {
        const replay = parseReplay(new TextDecoder().decode(message.payload));
        if (replay) page.replayed(replay);
      } else for (const note of notesOf(message)) await addNote(page, note);
    }
  };

  /** A delivery that the consumers show as settled twice in a row is settled: its notes have been read in between. */
  const explain = async (page: PageHost) => {
    isUnsure = false;
    const settled = page.shown().filter((known) => {
      const partition = partitions.get(known.sequence);
      return isUnfinished(known) && partition !== undefined && look.isSettled({ ...known, partition });
    });
    const lost = settled.filter(({ attempts }) => !isExplained(attempts));
    for (const one of settled) if (!lost.includes(one)) page.finish(one.sequence);
    const again = lost.filter(({ sequence }) => unexplained.has(sequence));
    unexplained = new Set(lost.map(({ sequence }) => sequence));
    const [oldest] = again;
    if (oldest === undefined) return;
    const numbers = new Set(again.map(({ sequence }) => sequence));
    for (const letter of await history.dead(oldest.receivedAt, (sequence) => numbers.has(sequence)))
      page.amend(letter);
    for (const sequence of numbers) page.finish(sequence);
  };

  const step = async (page: PageHost) => {
    // In this order: a delivery with a note was stored before the note.
    const log = await streamNow(names.log);
    const held = await streamNow(names.deliveries);
    const [newest, noted] = [held.lastSequence, log.lastSequence];
    const first = Math.max(1, held.firstSequence, newest - shownDeliveries + 1);
    // Fewer than before: the streams were created again.
    if (seen === undefined || newest < seen.delivery || noted < seen.log) {
      await begin(page, newest, first, noted);
      seen = { delivery: newest, log: noted };
    }
    const from = Math.max(seen.delivery + 1, first);
    const count = from - 1 - seen.delivery;
    if (count > 0) page.happened({ kind: 'passed', count });
    seen.delivery = from - 1;
    await readDeliveries(page, from, newest);
    seen.delivery = newest;
    const after = Math.max(seen.log, noted - mostNotes);
    seen.log = noted;
    await readLog(page, after + 1, noted);
    const since = clock.monotonic() - lookedAt;
    if (page.isWatched() && since >= (isUnsure ? lookSoonMs : lookMs)) {
      const before = look.targets();
      // If it fails, the next step looks again; until then the page is out of date.
      await look.now();
      lookedAt = clock.monotonic();
      // A delivery that was finished for all targets no longer is, once there is a new target.
      if (look.targets() > before && before > 0) await begin(page, newest, first, noted);
      await explain(page);
      page.changed();
    }
  };

  const pause = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(milliseconds, () => wake());
      wake = () => {
        cancel();
        signal.removeEventListener('abort', wake);
        resolve();
      };
      signal.addEventListener('abort', wake);
    });

  return {
    async follow(page, signal) {
      host = page;
      while (!signal.aborted) {
        const since = clock.monotonic();
        try {
          await step(page);
          watch.onResult(true, since);
          goodAt = clock.now();
          if (problem !== undefined) {
            problem = undefined;
            page.changed();
          }
        } catch (error) {
          watch.onResult(false, since);
          problem = errorMessage(error);
          page.changed();
        }
        if (!signal.aborted)
          await pause(page.isWatched() || problem !== undefined ? watchedMs : idleMs, signal);
      }
    },
    onActivity(activity) {
      if (activity.kind === 'target') host?.happened(activity);
      if (activity.kind !== 'attempt' || (activity.detail ?? '') === '') return;
      details.set(keyOf(activity), activity.detail ?? '');
      for (const key of details.keys()) {
        if (details.size <= mostDetails) break;
        details.delete(key);
      }
    },
    wake: () => wake(),
    stale: () => (problem === undefined ? null : { since: goodAt, why: problem }),
  };
}

/** Whether each target with an attempt has an outcome. */
function isExplained(attempts: readonly Attempt[]): boolean {
  const last = new Map(attempts.map(({ target, verdict }) => [target, verdict]));
  return last.size > 0 && [...last.values()].every((verdict) => verdict !== 'retry');
}

const keyOf = ({ sequence, target, attempt, time }: Attempt) => `${sequence} ${attempt} ${time} ${target}`;
