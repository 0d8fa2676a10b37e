// Sends the rows of a bulk, several at a time. A slot takes its next row only once the response of its last one is written
// to the journal, and a row is reported only once that is on the disk, or cannot get there: whatever fails, each row
// that had a response is reported. Rows of one id go one after the other, in order.

import { Failure, toFailure } from '../failure.ts';
import type { Clock, TimeLimit } from '../world/world.ts';
import type { Journal } from './journal.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import type { Outcome } from './outcome.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { InvalidRow, Row, RowBatches, ValidRow } from './row.ts';
import { type RowState, type RowStates, rowState } from './row-states.ts';

export type RowResult<U, R> =
  | { readonly item: ValidRow<U>; readonly outcome: Outcome<R>; readonly earlier?: never }
  | { readonly item: InvalidRow; readonly outcome?: never; readonly earlier?: never }
  /** An earlier run has the response, and could not report it. */
  | { readonly item: Row<U>; readonly outcome?: never; readonly earlier: 'done' | 'failed' };

export interface BulkRun<U, R> {
  readonly batches: RowBatches<U>;
  /** Never throws. */
  send(row: ValidRow<U>): Promise<Outcome<R>>;
  /** Hears of each row, one after the other. A promise is waited for, so that a slow reader makes all wait. */
  report(result: RowResult<U, R>): Promise<void> | undefined;
  /** Hears of each row that failed in an earlier run, when the others come to its place. */
  onEarlierFailure(item: Row<U>): void;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly rateLimiter: RateLimiter;
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'limit'>;
  /** No further row is taken; those under way are waited for. */
  readonly stop: AbortController;
  /** After `stop`: they are not waited for either, and reported as of unknown outcome; nor is who reads the reports. */
  readonly abandon: AbortSignal;
}

/** Without an answer of any kind for so long, the network is taken for lost. */
const patienceMs = 60_000;
/** Results that wait for the disk or for their reader. */
const mostUnreported = 2048;
/** So many rows after each other whose outcome is unknown, and more only adds to them. */
const leastUnknown = 10;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/**
 * The failure, where it ended early: because of a row, of the journal or of the input. Never throws. Once the journal
 * cannot be written no further row is sent; those in flight are waited for and reported.
 */
export async function sendAll<U, R>(work: BulkRun<U, R>): Promise<Failure | undefined> {
  const { journal, states, rateLimiter, stop, clock } = work;
  const left = aborted(work.abandon);
  const rows = createSupply(work);
  const turns = createKeyedQueue();
  /** Ids of rows that will be sent again: what comes after one must not overtake it. */
  const doubtful = new Set<string>();
  /** By slot, what is on record as sent and not settled. */
  const underWay: (ValidRow<U> | undefined)[] = [];
  let ended: Failure | undefined;
  /** Of the time without an answer of any kind. */
  let silence: TimeLimit | undefined;
  let unknowns = 0;
  const mostUnknown = Math.max(leastUnknown, work.concurrency * 2);

  /** Sends it again until it has surely left, or nothing leaves any more. */
  const untilLeft = async (row: ValidRow<U>, first: Outcome<R>): Promise<Outcome<R>> => {
    let outcome = first;
    for (let tries = 0; ; tries++) {
      if (isAnswered(outcome) || outcome.kind === 'unknown') return outcome;
      silence ??= clock.limit(patienceMs);
      if (outcome.kind === 'hopeless' || stop.signal.aborted) return outcome;
      if (silence.leftMs() === 0) return { kind: 'hopeless', failure: outcome.failure };
      rateLimiter.pause(Math.min(longestPauseMs, firstPauseMs * 2 ** tries));
      rateLimiter.release();
      if (!(await rateLimiter.acquire())) {
        rateLimiter.forceAcquire();
        return outcome;
      }
      outcome = await work.send(row);
    }
  };

  const end = (failure: Failure) => {
    ended ??= failure;
    stop.abort();
  };

  const note = ({ item, outcome }: Exclude<RowResult<U, R>, { earlier: string }>): void => {
    const { line } = item;
    if (!outcome) journal.failed(line, { message: item.invalid, code: 'usage' });
    else if (outcome.kind === 'done') journal.updated(line);
    else if (outcome.kind === 'failed') {
      const { failure } = outcome;
      const { errorCode: word, code, httpStatus } = failure;
      journal.failed(line, { message: failure.sentence, code: word ?? code, httpStatus });
    } else if (outcome.kind !== 'unknown') journal.notSent(line);
    if (outcome?.kind === 'hopeless') end(outcome.failure);
    if (outcome?.kind === 'unknown' && unknowns >= mostUnknown) end(outcome.failure);
  };

  /** Results in the order of their responses, until the disk has them. */
  const unreported: RowResult<U, R>[] = [];
  let reporting: Promise<void> | undefined;
  let goOn = () => {};
  work.abandon.addEventListener('abort', () => goOn(), { once: true });
  /** Not by a race with `left`: of each race something would stay with it to the end of the bulk. */
  const unlessLeft = (taken: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      goOn = resolve;
      if (work.abandon.aborted) resolve();
      void taken.then(resolve);
    });
  const breakOff = (error: unknown) => end(toFailure(error));
  /** If one report fails, the others are still made. */
  const reportOne = (result: RowResult<U, R>): Promise<void> | undefined => {
    try {
      return work.report(result)?.catch(breakOff);
    } catch (error) {
      breakOff(error);
      return undefined;
    }
  };
  const reportAll = async (): Promise<void> => {
    while (unreported.length > 0) {
      // What is answered meanwhile waits for the next sync.
      const count = unreported.length;
      await journal.sync().catch(breakOff);
      for (const result of unreported.splice(0, count)) {
        const taken = reportOne(result);
        // Who leaves waits for no reader either.
        if (taken) await unlessLeft(taken);
      }
    }
    reporting = undefined;
  };

  const report = (result: RowResult<U, R>): Promise<void> | undefined => {
    unreported.push(result);
    reporting ??= reportAll();
    // A slow disk, or a slow reader of the results, makes all wait.
    return unreported.length > mostUnreported ? reporting : undefined;
  };

  /** The result becomes part of the record; once that is on the disk, it is reported. */
  const settle = (result: Exclude<RowResult<U, R>, { earlier: string }>): Promise<void> | undefined => {
    note(result);
    states.set(result.item.line, stateAfter(result));
    return report(result);
  };

  const slot = async (place: number): Promise<void> => {
    while (!stop.signal.aborted) {
      const item = rows.take();
      if (!item) {
        if (await rows.more()) continue;
        return;
      }
      const earlier = earlierOf(states.get(item.line));
      if (earlier) {
        await report({ item, earlier });
        continue;
      }
      if ('invalid' in item) {
        await settle({ item });
        continue;
      }
      const turn = turns.acquire(item.id);
      try {
        // An answer is not kept waiting for others, or for a pause to end.
        if (turn) {
          await journal.write();
          await turn;
        }
        if (doubtful.has(item.id)) {
          await settle({ item, outcome: { kind: 'unsent', failure: afterDoubt() } });
          continue;
        }
        if (!rateLimiter.tryAcquire()) {
          await journal.write();
          if (!(await rateLimiter.acquire())) return;
        }
        // With it goes the answer of this slot's last row.
        journal.sent(item.line);
        underWay[place] = item;
        try {
          await journal.write();
        } catch (error) {
          // Nothing is sent that is not on record.
          underWay[place] = undefined;
          journal.notSent(item.line);
          rateLimiter.release();
          throw error;
        }
        states.set(item.line, rowState.sent);
        let outcome = await work.send(item);
        if (!isAnswered(outcome)) outcome = await untilLeft(item, outcome);
        rateLimiter.release();
        // What was reported already stays as it was reported.
        if (underWay[place] === undefined) return;
        underWay[place] = undefined;
        if (isAnswered(outcome)) {
          silence?.cancel();
          silence = undefined;
          unknowns = 0;
        } else if (outcome.kind === 'unknown') {
          unknowns++;
          doubtful.add(item.id);
        }
        const waiting = settle({ item, outcome });
        if (waiting) await waiting;
      } finally {
        turns.release(item.id);
      }
    }
  };

  const ending = Promise.all(
    Array.from({ length: work.concurrency }, (_, place) => slot(place).catch(breakOff)),
  );
  await Promise.race([ending, left]);
  silence?.cancel();
  if (work.abandon.aborted) {
    for (const item of underWay.splice(0))
      if (item) void settle({ item, outcome: { kind: 'unknown', failure: notWaitedFor() } });
  }
  journal.skipBatching();
  await reporting;
  return ended;
}

type Answered<R> = Extract<Outcome<R>, { kind: 'done' | 'failed' }>;

function isAnswered<R>(outcome: Outcome<R>): outcome is Answered<R> {
  return outcome.kind === 'done' || outcome.kind === 'failed';
}

function afterDoubt(): Failure {
  return new Failure('other', {
    message: 'Not sent: the row before it with the same id has an unknown outcome',
    hint: '--resume sends that one again, and then this one.',
  });
}

function notWaitedFor(): Failure {
  return new Failure('outcome_unknown', {
    message: 'Interrupted before a response came',
    hint: '--resume sends it again.',
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function stateAfter({ outcome }: RowResult<unknown, unknown>) {
  if (!outcome || outcome.kind === 'failed') return rowState.failed;
  if (outcome.kind === 'done') return rowState.updated;
  return outcome.kind === 'unknown' ? rowState.sent : rowState.notSent;
}

function earlierOf(known: RowState): 'done' | 'failed' | undefined {
  if (known === rowState.updated) return 'done';
  return known === rowState.failed ? 'failed' : undefined;
}

interface Supply<U> {
  /** The next item that is here already. */
  take(): Row<U> | undefined;
  /** Reads on, once for all who wait. False at the end. */
  more(): Promise<boolean>;
}

/** Hands out the items one by one, without those that an earlier run has reported. */
function createSupply<U>({
  batches,
  states,
  onEarlierFailure,
}: Pick<BulkRun<U, unknown>, 'batches' | 'states' | 'onEarlierFailure'>): Supply<U> {
  const iterator = batches[Symbol.asyncIterator]();
  let batch: readonly Row<U>[] = [];
  let at = 0;
  let reading: Promise<boolean> | undefined;
  const read = async (): Promise<boolean> => {
    const result = await iterator.next();
    // Past the end, the answer stays the same.
    if (result.done) return false;
    reading = undefined;
    batch = result.value;
    at = 0;
    return true;
  };
  return {
    take() {
      while (at < batch.length) {
        const item = batch[at++];
        if (!item) continue;
        const known = states.get(item.line);
        if (known === rowState.failed) onEarlierFailure(item);
        if (earlierOf(known) === undefined || !states.isReported(item.line)) return item;
      }
      return undefined;
    },
    more() {
      reading ??= read();
      return reading;
    },
  };
}
