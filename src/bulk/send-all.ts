// Sends the rows of a bulk run: N workers share one supply of rows, one journal and one rate limiter. A worker takes its next
// row only once the response to its last one is in the journal, so that after a crash at most N rows are in doubt.

import { Failure, toFailure } from '#failure.ts';
import type { Clock, TimeLimit } from '#world/world.ts';
import type { Journal } from './journal.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { FinalKind, NewResult, Outcome, Row, RowBatches, RowResult, ValidRow } from './row.ts';
import { finalKind, type RowState, type RowStates, rowState } from './row-states.ts';

interface BulkRun<U, R> {
  readonly batches: RowBatches<U>;
  /** One attempt to send a row. Never rejects. */
  send(row: ValidRow<U>): Promise<Outcome<R>>;
  /** Called for one result at a time. Its promise is awaited, so that a slow reader slows the run down. */
  report(result: RowResult<U, R>): Promise<void> | undefined;
  /** Called for each row that failed or was invalid in an earlier run, in the order of the input. */
  onEarlierFailure(row: Row<U>, kind: Exclude<FinalKind, 'updated'>): void;
  readonly journal: Journal;
  readonly states: RowStates;
  readonly rateLimiter: RateLimiter;
  readonly concurrency: number;
  readonly clock: Pick<Clock, 'limit' | 'sleep'>;
  /** Once aborted, no more rows are sent, and rows in flight are waited for. `sendAll` aborts it too when it ends early. */
  readonly stop: AbortController;
  /** Aborted after `stop`: rows in flight are reported as unknown at once, without waiting for a slow reader. */
  readonly abandon: AbortSignal;
}

/** After this many unknown outcomes in a row, more requests would only add to them. */
const minUnknowns = 10;
/** Results that wait for the disk or for their reader. */
const maxUnreported = 2048;
/** A sync costs the same for one row as for fifty, so it waits this long for more results, if fewer than half of the limit wait. */
const syncBatchMs = 50;
/** After this long without any response, give up on the other rows. */
const outageLimitMs = 60_000;
const firstBackoffMs = 500;
const maxBackoffMs = 10_000;

/**
 * Returns the failure that ended the run early: of a row, the journal, the input or a report. Never rejects. Once the
 * journal or a result cannot be written, no further row is sent; those in flight are waited for and reported.
 */
export function sendAll<U, R>(run: BulkRun<U, R>): Promise<Failure | undefined> {
  return new Sending(run).sendAll();
}

/** A million rows pass here, so a row costs no more promises than it has to wait for (docs/decisions/bulk-rate.md). */
class Sending<U, R> {
  readonly #run: BulkRun<U, R>;
  readonly #input: AsyncIterator<readonly Row<U>[]>;
  #batch: Iterator<Row<U>> = [].values();
  #reading: Promise<boolean> | undefined;
  /** By id: rows that wait until an earlier row with the same id has been sent. */
  readonly #queues = new Map<string, (() => void)[]>();
  /** Ids with an unknown outcome: their later rows must not overtake the row that will be sent again. */
  readonly #unknownIds = new Set<string>();
  /** Lines of rows that an earlier run has sent without a response: they are unknown until there is one. */
  readonly #sentEarlier = new Set<number>();
  /** Rows that were sent and have no result yet. */
  readonly #inFlight = new Set<ValidRow<U>>();
  /** Unreported results, in the order of their responses. */
  readonly #unreported: RowResult<U, R>[] = [];
  #reporting: Promise<void> | undefined;
  /** Aborted when the next sync need not wait for more results. */
  #syncBatch = new AbortController();
  #isEnding = false;
  #stopWaiting = () => {};
  /** Unknown outcomes since the last response. */
  #unknowns = 0;
  #outage: TimeLimit | undefined;
  #failure: Failure | undefined;

  constructor(run: BulkRun<U, R>) {
    this.#run = run;
    this.#input = run.batches[Symbol.asyncIterator]();
  }

  async sendAll(): Promise<Failure | undefined> {
    const { concurrency, abandon } = this.#run;
    const abandoned = new Promise<void>((resolve) => {
      const end = () => {
        this.#stopWaiting();
        resolve();
      };
      abandon.addEventListener('abort', end, { once: true });
    });
    const workers = Array.from({ length: concurrency }, () => this.#work().catch(this.#endWith));
    await Promise.race([Promise.all(workers), abandoned]);
    this.#endOutage();
    if (abandon.aborted) {
      const failure = new Failure('outcome_unknown', { message: 'Interrupted before a response came' });
      for (const row of this.#inFlight) {
        this.#inFlight.delete(row);
        this.#record({ row, outcome: { kind: 'unknown', failure } });
      }
    }
    this.#isEnding = true;
    this.#syncBatch.abort();
    await this.#reporting;
    return this.#failure;
  }

  readonly #endWith = (error: unknown): void => {
    this.#failure ??= toFailure(error);
    this.#run.stop.abort();
  };

  /** Sends rows until none are left or the run is stopped. Rejects if the journal or the input fails. */
  async #work(): Promise<void> {
    while (!this.#run.stop.signal.aborted) {
      const row = this.#next();
      if (row) await this.#handle(row);
      else if (!(await this.#readMore())) return;
    }
  }

  /** The next row of the current batch, skipping rows that an earlier run has finished and reported. */
  #next(): Row<U> | undefined {
    const { states, onEarlierFailure } = this.#run;
    for (let next = this.#batch.next(); !next.done; next = this.#batch.next()) {
      const row = next.value;
      const earlier = finalKind(states.get(row.line));
      if (earlier === 'failed' || earlier === 'invalid') onEarlierFailure(row, earlier);
      if (earlier === undefined || !states.isReported(row.line)) return row;
    }
    return undefined;
  }

  /** Reads the next batch, once for all waiting workers. False at the end of the input. */
  #readMore(): Promise<boolean> {
    this.#reading ??= this.#input.next().then(({ done, value }) => {
      // Past the end, the result stays the same.
      if (done) return false;
      this.#reading = undefined;
      this.#batch = value.values();
      return true;
    });
    return this.#reading;
  }

  #handle(row: Row<U>): Promise<void> | undefined {
    const { states } = this.#run;
    const state = states.get(row.line);
    const kind = finalKind(state);
    if (state === rowState.sent) this.#sentEarlier.add(row.line);
    if (kind) return this.#report({ row, earlier: { kind, error: states.errors.get(row.line) } });
    return 'invalid' in row ? this.#record({ row }) : this.#sendInTurn(row);
  }

  /** Sends the row after earlier rows with the same id, so that the last row wins. */
  async #sendInTurn(row: ValidRow<U>): Promise<void> {
    const { journal, rateLimiter } = this.#run;
    const queue = this.#queues.get(row.id);
    try {
      if (queue) {
        const turn = new Promise<void>((resolve) => queue.push(resolve));
        // Record the response to this worker's last row before waiting.
        await journal.write();
        await turn;
      } else this.#queues.set(row.id, []);
      if (this.#unknownIds.has(row.id)) {
        const message = 'Not sent: an earlier row with the same id has an unknown outcome';
        const failure = new Failure('other', { message });
        await this.#record({ row, outcome: { kind: 'not-sent', failure, isFatal: false } });
        return;
      }
      const cleared = journal.clearToSend(row.line);
      if (cleared) await Promise.all([journal.write(), cleared]);
      if (!rateLimiter.tryAcquire()) {
        await journal.write();
        if (!(await rateLimiter.acquire())) return;
      }
      await this.#sendRecorded(row);
    } finally {
      const next = this.#queues.get(row.id)?.shift();
      if (next) next();
      else this.#queues.delete(row.id);
    }
  }

  /** The caller has acquired the rate limiter, which is released here. */
  async #sendRecorded(row: ValidRow<U>): Promise<void> {
    const { journal, states, rateLimiter, send } = this.#run;
    let outcome: Outcome<R>;
    try {
      journal.sent(row.line);
      this.#inFlight.add(row);
      try {
        // This also writes the response to this worker's last row.
        await journal.write();
      } catch (error) {
        // Never send a row that the journal does not record.
        this.#inFlight.delete(row);
        if (!this.#sentEarlier.has(row.line)) journal.notSent(row.line);
        throw error;
      }
      states.set(row.line, rowState.sent);
      outcome = await send(row);
      if (outcome.kind === 'not-sent') outcome = await this.#retry(row, outcome);
    } finally {
      rateLimiter.release();
    }
    // Already reported as unknown, when the run was abandoned.
    if (!this.#inFlight.delete(row)) return;
    if (outcome.kind === 'updated' || outcome.kind === 'failed') this.#endOutage();
    if (outcome.kind === 'unknown') this.#unknownIds.add(row.id);
    const reports = this.#record({ row, outcome });
    if (reports) await reports;
  }

  /** Retries while requests do not get through, with a pause for all workers before each attempt. */
  async #retry(row: ValidRow<U>, first: Outcome<R>): Promise<Outcome<R>> {
    const { rateLimiter, clock, stop, send } = this.#run;
    let outcome = first;
    for (let attempt = 0; ; attempt++) {
      if (outcome.kind !== 'not-sent' || outcome.isFatal) return outcome;
      this.#outage ??= clock.limit(outageLimitMs);
      if (stop.signal.aborted) return outcome;
      if (this.#outage.remainingMs() === 0) return { ...outcome, isFatal: true };
      rateLimiter.pause(Math.min(maxBackoffMs, firstBackoffMs * 2 ** attempt));
      rateLimiter.release();
      if (!(await rateLimiter.acquire())) return outcome;
      outcome = await send(row);
    }
  }

  #endOutage(): void {
    this.#outage?.cancel();
    this.#outage = undefined;
  }

  /** Records a result in the journal and the states, and queues its report. The caller must await a returned promise. */
  #record(result: NewResult<U, R>): Promise<void> | undefined {
    const { journal, states, concurrency } = this.#run;
    const { row, outcome } = result;
    let state: RowState = rowState.invalid;
    if (!outcome) journal.invalid(row.line, row.invalid);
    else if (outcome.kind === 'invalid') journal.invalid(row.line, outcome.failure.sentence);
    else if (outcome.kind === 'updated') {
      journal.updated(row.line);
      state = rowState.updated;
      this.#unknowns = 0;
    } else if (outcome.kind === 'failed') {
      const { sentence, errorCode, code, httpStatus } = outcome.failure;
      journal.failed(row.line, { message: sentence, code: errorCode ?? code, httpStatus });
      state = rowState.failed;
      this.#unknowns = 0;
    } else if (outcome.kind === 'unknown') {
      // The journal already says that it was sent.
      state = rowState.sent;
      if (++this.#unknowns >= Math.max(minUnknowns, concurrency * 2)) this.#endWith(outcome.failure);
    } else {
      state = this.#sentEarlier.has(row.line) ? rowState.sent : rowState.notSent;
      if (state === rowState.notSent) journal.notSent(row.line);
      if (outcome.isFatal) this.#endWith(outcome.failure);
    }
    states.set(row.line, state);
    return this.#report(result);
  }

  #report(result: RowResult<U, R>): Promise<void> | undefined {
    this.#unreported.push(result);
    this.#reporting ??= this.#reportAll();
    if (this.#isSyncDue()) this.#syncBatch.abort();
    return this.#unreported.length > maxUnreported ? this.#reporting : undefined;
  }

  /** Whether to sync without waiting for more results: otherwise every worker would soon wait for the sync. */
  #isSyncDue(): boolean {
    return this.#isEnding || this.#unreported.length >= maxUnreported / 2;
  }

  /** Reports each result once the journal is synced, or has failed: every row with a response is reported, whatever fails. */
  async #reportAll(): Promise<void> {
    const { journal, clock } = this.#run;
    while (this.#unreported.length > 0) {
      if (!this.#isSyncDue()) {
        this.#syncBatch = new AbortController();
        await clock.sleep(syncBatchMs, this.#syncBatch.signal);
      }
      // Responses that come during this sync wait for the next one.
      const count = this.#unreported.length;
      await journal.sync().catch(this.#endWith);
      for (const result of this.#unreported.splice(0, count))
        try {
          const reported = this.#run.report(result);
          if (reported) await this.#unlessAbandoned(reported);
        } catch (error) {
          this.#endWith(error);
        }
    }
    this.#reporting = undefined;
  }

  /** Not a `Promise.race` with one promise of `abandon`, which would hold on to every race until the run ends. */
  #unlessAbandoned(reported: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stopWaiting = resolve;
      if (this.#run.abandon.aborted) resolve();
      reported.then(resolve, reject);
    });
  }
}
