// One of the N senders of a bulk run. It takes its next row only once the response to its last one is in the journal, so
// that after a crash at most N rows are in doubt.

import { Failure } from '../failure.ts';
import type { Journal } from './journal.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import type { Outage } from './outage.ts';
import type { Outcome } from './outcome.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Recorder } from './recorder.ts';
import type { Reporter } from './reporter.ts';
import type { Row, ValidRow } from './row.ts';
import { type RowStates, rowState } from './row-states.ts';
import { finalKind, type RowSupply } from './row-supply.ts';

export interface WorkerOptions<U, R> {
  readonly supply: RowSupply<U>;
  readonly queue: KeyedQueue;
  /** One attempt. Never rejects. */
  send(row: ValidRow<U>): Promise<Outcome<R>>;
  readonly outage: Outage<U, R>;
  readonly recorder: Recorder<U, R>;
  readonly reporter: Pick<Reporter<U, R>, 'add'>;
  readonly journal: Pick<Journal, 'sent' | 'notSent' | 'write'>;
  readonly states: Pick<RowStates, 'get' | 'set'>;
  readonly rateLimiter: Pick<RateLimiter, 'acquire' | 'tryAcquire' | 'release'>;
  /** Shared by all workers: ids with an unknown outcome. A later row of one must not overtake the row that is sent again. */
  readonly unknownIds: Set<string>;
  /** Shared by all workers: rows that were sent and have no result yet. Who abandons the run removes them. */
  readonly inFlight: Set<ValidRow<U>>;
  /** No further row is taken. */
  readonly stop: AbortSignal;
}

/**
 * Sends rows until there are none left, or the run is stopped. Rejects where the journal or the input fails. A million rows
 * pass here, so a row costs no more promises than it has to wait for (docs/decisions/bulk-rate.md).
 */
export async function runWorker<U, R>(options: WorkerOptions<U, R>): Promise<void> {
  const { supply, stop } = options;
  while (!stop.aborted) {
    const row = supply.next();
    if (row) await handleRow(row, options);
    else if (!(await supply.readMore())) return;
  }
}

function handleRow<U, R>(row: Row<U>, options: WorkerOptions<U, R>): Promise<void> | undefined {
  const { states, reporter, recorder } = options;
  const earlier = finalKind(states.get(row.line));
  if (earlier) return reporter.add({ row, earlier });
  return 'invalid' in row ? recorder.add({ row }) : sendInTurn(row, options);
}

/** After earlier rows of the same id. */
async function sendInTurn<U, R>(row: ValidRow<U>, options: WorkerOptions<U, R>): Promise<void> {
  const { queue, journal, recorder, rateLimiter, unknownIds } = options;
  const turn = queue.acquire(row.id);
  try {
    if (turn) {
      // The response to this worker's last row does not wait for others.
      await journal.write();
      await turn;
    }
    if (unknownIds.has(row.id)) {
      await recorder.add({ row, outcome: { kind: 'not-sent', failure: afterUnknown(), isFatal: false } });
      return;
    }
    if (!rateLimiter.tryAcquire()) {
      // Nor for a pause to end.
      await journal.write();
      if (!(await rateLimiter.acquire())) return;
    }
    await sendRecorded(row, options);
  } finally {
    queue.release(row.id);
  }
}

/** The caller has acquired the rate limiter, which is released here. */
async function sendRecorded<U, R>(row: ValidRow<U>, options: WorkerOptions<U, R>): Promise<void> {
  const { states, send, outage, rateLimiter, recorder, unknownIds, inFlight } = options;
  let outcome: Outcome<R>;
  try {
    await recordSent(row, options);
    states.set(row.line, rowState.sent);
    outcome = await send(row);
    if (outcome.kind === 'not-sent') outcome = await outage.retry(row, outcome);
  } finally {
    rateLimiter.release();
  }
  // Reported as unknown when the run was abandoned: that stands.
  if (!inFlight.delete(row)) return;
  if (outcome.kind === 'updated' || outcome.kind === 'failed') outage.end();
  if (outcome.kind === 'unknown') unknownIds.add(row.id);
  const waiting = recorder.add({ row, outcome });
  if (waiting) await waiting;
}

/** With it the response to this worker's last row reaches the journal. Rejects where that cannot be written. */
async function recordSent<U, R>(row: ValidRow<U>, { journal, inFlight }: WorkerOptions<U, R>): Promise<void> {
  journal.sent(row.line);
  inFlight.add(row);
  try {
    await journal.write();
  } catch (error) {
    // Nothing is sent that the journal does not have.
    inFlight.delete(row);
    journal.notSent(row.line);
    throw error;
  }
}

function afterUnknown(): Failure {
  return new Failure('other', {
    message: 'Not sent: an earlier row with the same id has an unknown outcome',
  });
}
