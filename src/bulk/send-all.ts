// Sends the rows of a bulk run: N workers share one supply of rows, one journal and one rate limiter. Rows of one id are
// sent one after the other, in the order of the input.

import { Failure, toFailure } from '../failure.ts';
import type { Clock } from '../world/world.ts';
import type { Journal } from './journal.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { createOutage } from './outage.ts';
import type { Outcome } from './outcome.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { createRecorder } from './recorder.ts';
import { createReporter } from './reporter.ts';
import type { RowResult } from './result.ts';
import type { Row, RowBatches, ValidRow } from './row.ts';
import type { RowStates } from './row-states.ts';
import { createRowSupply } from './row-supply.ts';
import { runWorker } from './worker.ts';

export interface BulkRun<U, R> {
  readonly batches: RowBatches<U>;
  /** One attempt to send a row. Never rejects. */
  send(row: ValidRow<U>): Promise<Outcome<R>>;
  /** Called for each result, one after the other. Its promise is waited for, so that a slow reader slows all down. */
  report(result: RowResult<U, R>): Promise<void> | undefined;
  /** Called for each row that failed or was invalid in an earlier run, in the order of the input. */
  onEarlierFailure(row: Row<U>): void;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly rateLimiter: RateLimiter;
  /** How many rows are sent at once. */
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'limit'>;
  /** Aborted: no further row is taken, and those in flight are waited for. Aborted by `sendAll` where it ends early. */
  readonly stop: AbortController;
  /** Aborted after `stop`: rows in flight are reported as unknown at once, and nobody waits for a reader. */
  readonly abandon: AbortSignal;
}

/**
 * Returns the failure that ended the run early: of a row, the journal, the input or a report. Never rejects. Once the
 * journal or a result cannot be written, no further row is sent; those in flight are waited for and reported.
 */
export async function sendAll<U, R>(run: BulkRun<U, R>): Promise<Failure | undefined> {
  const { journal, states, rateLimiter, concurrency, clock, stop, abandon } = run;
  let ended: Failure | undefined;
  const end = (failure: Failure) => {
    ended ??= failure;
    stop.abort();
  };
  const onError = (error: unknown) => end(toFailure(error));
  const abandoned = whenAborted(abandon);
  const reporter = createReporter<U, R>({
    journal,
    report: (result) => run.report(result),
    abandon,
    onError,
  });
  const recorder = createRecorder<U, R>({ journal, states, reporter, concurrency, end });
  const send = (row: ValidRow<U>) => run.send(row);
  const outage = createOutage({ send, rateLimiter, clock, stop: stop.signal });
  const inFlight = new Set<ValidRow<U>>();
  const options = {
    supply: createRowSupply(run),
    queue: createKeyedQueue(),
    send,
    outage,
    recorder,
    reporter,
    journal,
    states,
    rateLimiter,
    unknownIds: new Set<string>(),
    inFlight,
    stop: stop.signal,
  };
  const workers = Array.from({ length: concurrency }, () => runWorker(options).catch(onError));
  await Promise.race([Promise.all(workers), abandoned]);
  outage.end();
  if (abandon.aborted) {
    for (const row of inFlight) {
      inFlight.delete(row);
      void recorder.add({ row, outcome: { kind: 'unknown', failure: notWaitedFor() } });
    }
  }
  journal.skipBatching();
  await reporter.drain();
  return ended;
}

function notWaitedFor(): Failure {
  return new Failure('outcome_unknown', { message: 'Interrupted before a response came' });
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
