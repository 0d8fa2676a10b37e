// Sends the rows of a bulk, several at a time. A slot takes its next row only once the answer of its last one is written
// to the journal, and a row is told of only once that is on the disk. Rows of one id go one after the other, in order.

import { Failure } from '../failure.ts';
import type { Clock } from '../world/world.ts';
import type { Journal } from './journal.ts';
import { type Outcome, reasonOf } from './outcome.ts';
import type { Pace } from './pace.ts';
import { type RowStates, state } from './past.ts';
import type { Item, Items, Row } from './row.ts';
import { createTurns } from './turns.ts';

export type Result<U, R> =
  | { readonly item: Row<U>; readonly outcome: Outcome<R> }
  | { readonly item: Extract<Item<U>, { refused: string }>; readonly outcome?: never };

export interface Work<U, R> {
  readonly items: Items<U>;
  /** Never throws. */
  send(row: Row<U>): Promise<Outcome<R>>;
  /** Hears of each row, one after the other, once its journal line is on the disk. Never throws. */
  count(result: Result<U, R>): void;
  /** The same, until it throws. */
  tell(result: Result<U, R>): Promise<void> | undefined;
  /** Hears of each row that an earlier run was refused, when the others come to its place. */
  passed(item: Item<U>): void;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly pace: Pace;
  readonly slots: number;
  readonly clock: Pick<Clock, 'now'>;
  /** No further row is taken; those under way are waited for. */
  readonly stop: AbortController;
  /** After `stop`: they are not waited for either, and told as of unknown outcome; nor is who reads what is told. */
  readonly leave: AbortSignal;
}

/** Without an answer of any kind for so long, the network is taken for lost. */
const patienceMs = 60_000;
/** Results that wait for the disk or for their reader. */
const mostUntold = 4096;
/** So many rows after each other whose outcome is unknown, and more only adds to them. */
const leastUnknown = 10;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

/** The failure, where it ended before its time. Rows that were answered are in the journal, whatever happened. */
export async function sendAll<U, R>(work: Work<U, R>): Promise<Failure | undefined> {
  const { journal, states, pace, stop, clock } = work;
  const left = aborted(work.leave);
  const rows = createSupply(work);
  const turns = createTurns();
  /** Ids of rows that will be sent again: what comes after one must not overtake it. */
  const doubtful = new Set<string>();
  /** By slot, what is on record as sent and not settled. */
  const underWay: (Row<U> | undefined)[] = [];
  let ended: Failure | undefined;
  let silentSince: number | undefined;
  let unknowns = 0;
  const mostUnknown = Math.max(leastUnknown, work.slots * 2);

  /** Sends it again until it has surely left, or nothing leaves any more. */
  const untilLeft = async (row: Row<U>, first: Outcome<R>): Promise<Outcome<R>> => {
    let outcome = first;
    for (let tries = 0; ; tries++) {
      if (isAnswered(outcome) || outcome.kind === 'unknown') return outcome;
      silentSince ??= clock.now();
      if (outcome.kind === 'hopeless' || stop.signal.aborted) return outcome;
      if (clock.now() - silentSince >= patienceMs) return { kind: 'hopeless', failure: outcome.failure };
      pace.pause(Math.min(longestPauseMs, firstPauseMs * 2 ** tries));
      pace.leave();
      if (!(await pace.enter())) {
        pace.hold();
        return outcome;
      }
      outcome = await work.send(row);
    }
  };

  const end = (failure: Failure) => {
    ended ??= failure;
    stop.abort();
  };

  const note = ({ item, outcome }: Result<U, R>): void => {
    const { number } = item;
    if (!outcome) journal.failed(number, item.refused);
    else if (outcome.kind === 'done') journal.done(number);
    else if (outcome.kind === 'failed') journal.failed(number, reasonOf(outcome.failure));
    else if (outcome.kind !== 'unknown') journal.unsent(number);
    if (outcome?.kind === 'hopeless') end(outcome.failure);
    if (outcome?.kind === 'unknown' && unknowns >= mostUnknown) end(outcome.failure);
  };

  /** Results in the order of their answers, until the disk has them. */
  const untold: Result<U, R>[] = [];
  let telling: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;
  const breakOff = (error: unknown) => {
    broken ??= { error };
    stop.abort();
  };
  const tellOne = (result: Result<U, R>): Promise<void> | undefined => {
    work.count(result);
    if (broken) return undefined;
    try {
      return work.tell(result)?.catch(breakOff);
    } catch (error) {
      breakOff(error);
      return undefined;
    }
  };
  const tellAll = async (): Promise<void> => {
    try {
      while (untold.length > 0) {
        // What is answered meanwhile waits for the next sync.
        const count = untold.length;
        await journal.sync();
        for (const result of untold.splice(0, count)) {
          const taken = tellOne(result);
          // Who leaves waits for no reader either.
          if (taken) await Promise.race([taken, left]);
        }
      }
    } catch (error) {
      breakOff(error);
    }
    telling = undefined;
  };

  /** The result becomes part of the record; once that is on the disk, it is told. */
  const settle = (result: Result<U, R>): Promise<void> | undefined => {
    note(result);
    states.set(result.item.number, stateAfter(result));
    untold.push(result);
    telling ??= tellAll();
    // A slow disk, or a slow reader of the results, makes all wait.
    return untold.length > mostUntold ? telling : undefined;
  };

  const slot = async (place: number): Promise<void> => {
    while (!stop.signal.aborted) {
      const item = rows.take();
      if (!item) {
        if (await rows.more()) continue;
        return;
      }
      if ('refused' in item) {
        await settle({ item });
        continue;
      }
      const turn = turns.take(item.id);
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
        if (!pace.enterNow()) {
          await journal.write();
          if (!(await pace.enter())) return;
        }
        // With it goes the answer of this slot's last row.
        journal.sent(item.number);
        underWay[place] = item;
        await journal.write();
        states.set(item.number, state.sent);
        let outcome = await work.send(item);
        if (!isAnswered(outcome)) outcome = await untilLeft(item, outcome);
        pace.leave();
        // What was told already stays as it was told.
        if (underWay[place] === undefined) return;
        underWay[place] = undefined;
        if (isAnswered(outcome)) {
          silentSince = undefined;
          unknowns = 0;
        } else if (outcome.kind === 'unknown') {
          unknowns++;
          doubtful.add(item.id);
        }
        const waiting = settle({ item, outcome });
        if (waiting) await waiting;
      } finally {
        turns.leave(item.id);
      }
    }
  };

  const ending = Promise.allSettled(
    Array.from({ length: work.slots }, (_, place) =>
      slot(place).catch((error: unknown) => {
        stop.abort();
        throw error;
      }),
    ),
  );
  const results = await Promise.race([ending, left]);
  if (work.leave.aborted) {
    for (const item of underWay.splice(0))
      if (item) void settle({ item, outcome: { kind: 'unknown', failure: notWaitedFor() } });
  }
  journal.hurry();
  await telling;
  if (broken) throw broken.error;
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return ended;
}

type Answered<R> = Extract<Outcome<R>, { kind: 'done' | 'failed' }>;

function isAnswered<R>(outcome: Outcome<R>): outcome is Answered<R> {
  return outcome.kind === 'done' || outcome.kind === 'failed';
}

function afterDoubt(): Failure {
  return new Failure('other', {
    what: 'Not sent: nobody knows whether the row before of the same id was done',
    hint: '--resume sends that one again, and then this one.',
  });
}

function notWaitedFor(): Failure {
  return new Failure('outcome_unknown', {
    what: 'Interrupted before an answer came',
    hint: '--resume sends it again.',
  });
}

/** No results, for whoever waits for some. */
function aborted(signal: AbortSignal): Promise<readonly never[]> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
}

function stateAfter({ outcome }: Result<unknown, unknown>) {
  if (!outcome || outcome.kind === 'failed') return state.failed;
  if (outcome.kind === 'done') return state.done;
  return outcome.kind === 'unknown' ? state.sent : state.untouched;
}

interface Supply<U> {
  /** The next item that is here already. */
  take(): Item<U> | undefined;
  /** Reads on, once for all who wait. False at the end. */
  more(): Promise<boolean>;
}

/** Hands out the items one by one, without those that an earlier run has the answer of. */
function createSupply<U>({
  items,
  states,
  passed,
}: Pick<Work<U, unknown>, 'items' | 'states' | 'passed'>): Supply<U> {
  const iterator = items[Symbol.asyncIterator]();
  let batch: readonly Item<U>[] = [];
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
        const known = states.of(item.number);
        if (known === state.failed) passed(item);
        else if (known !== state.done) return item;
      }
      return undefined;
    },
    more() {
      reading ??= read();
      return reading;
    },
  };
}
