// Runs a confirmed bulk update: sends the rows, closes the outputs and reports how the run ended. If one output fails, another
// reports it; the journal is always closed.

import {
  createRateLimiter,
  type PauseReason,
  type RateLimiter,
  rateLimitedHttp,
} from '#bulk/rate-limiter.ts';
import { outcomeOfFailure } from '#bulk/row.ts';
import { sendAll } from '#bulk/send-all.ts';
import type { Context } from '#cli/context.ts';
import { countOf, formatCount, formatDuration } from '#cli/count-of.ts';
import { createCommandSession } from '#cli/create-session.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import type { Session } from '#client/session.ts';
import { identifier } from '#contract/identifier.ts';
import { object } from '#contract/schema.ts';
import { taskOperations } from '#contract/task.ts';
import { type Failure, toFailure } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { canRedraw } from '#terminal/line-drawing.ts';
import type { Interruption } from '#world/world.ts';
import { defaultConcurrency, defaultMaxWaitMs } from './flags.ts';
import type { OpenJournal } from './journal-file.ts';
import { openOutputs } from './outputs.ts';
import { type BulkPlan, leftRowsFailure } from './plan.ts';
import type { TaskResult } from './results.ts';
import { createSummary } from './summary.ts';

interface Confirmed {
  readonly opened: OpenJournal;
  readonly interruptions: BulkInterruptions;
}

type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Validates only the id of a task in a response; the rest is printed as it came. */
const updateWithRawResponse = {
  ...taskOperations.updateTask,
  record: object('Task', { id: identifier('TaskId') }),
};

/** Closes the journal. Rejects with a Failure unless every row was updated and all output was written. */
export async function runBulk(context: Context, plan: BulkPlan, confirmed: Confirmed): Promise<void> {
  const { opened, interruptions } = confirmed;
  const { report, world } = context;
  const prepared = await prepare(context, plan, confirmed).catch(async (error: unknown) => {
    // On a full disk, the journal cannot be closed either; the first failure says more.
    await opened.close().catch(() => {});
    throw error;
  });
  const recordEnd = await recordStart(context, plan, opened);
  const started = world.clock.monotonic();
  const ended = await sendRows(context, plan, confirmed, prepared);
  const { previousValues, outputs, summary } = prepared;
  await Promise.race([outputs.flush(), interruptions.readerTimedOut]);
  await previousValues?.close();
  await outputs.close();
  const isWritten = !outputs.end().resultsFailure && !outputs.end().errorsFailure;
  if (summary.isComplete() && opened.states.unreported === 0 && isWritten && !ended)
    opened.journal.finished();
  const journalFailure = await opened.close().then(() => undefined, toFailure);
  await recordEnd(ended);
  await report.info(summary.line(world.clock.monotonic() - started));
  if (ended?.code === 'internal') throw ended;
  const written = outputs.end();
  const { resultsFailure, errorsFailure } = written;
  const failure = summary.failure({
    ...written,
    ended: ended ?? resultsFailure ?? journalFailure,
    interrupted: interruptions.first(),
    journalFailure,
  });
  for (const outputFailure of [resultsFailure, errorsFailure, journalFailure])
    if (outputFailure && !mentions(failure, outputFailure)) await report.warn(outputFailure.sentence);
  if (failure) throw failure;
  if (plan.left.length > 0) throw leftRowsFailure(plan);
}

/** A failure is reported once: as the message, or as the reason. */
function mentions(failure: Failure | undefined, { message }: Failure): boolean {
  return failure !== undefined && (failure.message === message || failure.why?.startsWith(message) === true);
}

async function prepare(context: Context, plan: BulkPlan, { opened, interruptions: { stop } }: Confirmed) {
  const { flags, source, resolver, undoable } = plan;
  const { world, report } = context;
  // Do not hold a million tasks in memory if they will not be printed.
  const needsRecord = report.wantsJson || flags.from === undefined;
  const rateLimiter = createRateLimiter(world.clock, {
    maxConcurrency: flags.concurrency ?? defaultConcurrency,
    maxWaitMs: flags.maxWait ?? defaultMaxWaitMs,
    stop: stop.signal,
    perMinute: flags.rate,
  });
  const session = await createBulkSession(context, plan, rateLimiter, needsRecord);
  const rows = await source.open(resolver);
  const { logPreviousValues } = undoable ? await import('./previous-values.ts') : {};
  const sending = { session, rateLimiter };
  const previousValues = await logPreviousValues?.(context, opened, plan, sending, rows.batches);
  const outputs = await openOutputs(context, plan, opened, rows.csv, () => stop.abort());
  const summary = createSummary(opened.states, plan, context);
  return { needsRecord, rateLimiter, session, rows, previousValues, outputs, summary };
}

/** With as many connections as workers, behind a rate limiter that waits out a 429 up to --max-wait. */
function createBulkSession(
  context: Context,
  { flags }: BulkPlan,
  rateLimiter: RateLimiter,
  needsRecord: boolean,
): Promise<Session> {
  const { world } = context;
  const { clock } = world;
  return createCommandSession(context, {
    // A line for each row would cost as much as the journal.
    isOneChange: true,
    reading: { exactNumbers: needsRecord },
    http: async () => {
      const http =
        (await world.http.withConnections?.(flags.concurrency ?? defaultConcurrency)) ?? world.http;
      return rateLimitedHttp({ http, clock }, rateLimiter);
    },
    rateLimitGiveUpReason() {
      const { excessiveWaitMs } = rateLimiter;
      // The service keeps rejecting a request despite the waits.
      if (excessiveWaitMs === undefined) return undefined;
      const limit = `--max-wait (${formatDuration(flags.maxWait ?? defaultMaxWaitMs)})`;
      return `waiting out the rate limit would take ${formatDuration(excessiveWaitMs)}, longer than ${limit}`;
    },
  });
}

/** Records the run as one change in the history. The returned function records how it ended. */
async function recordStart(
  context: Context,
  { flags, ids, rows }: BulkPlan,
  { path: journal, states }: OpenJournal,
): Promise<(failure: Failure | undefined) => Promise<void>> {
  const history = await context.history();
  const operation: keyof typeof taskOperations = 'updateTask';
  const bulk = { ...omitUndefined({ file: flags.from }), journal, rows };
  const end = await history.recordBulk({ operation, ids, bulk });
  return (failure) => end(states.counts(), failure);
}

/** Returns the failure that ended the run early. Never rejects. */
async function sendRows(
  context: Context,
  plan: BulkPlan,
  { opened: { journal, states }, interruptions: { stop, abandon } }: Confirmed,
  { needsRecord, rateLimiter, session, rows, previousValues, outputs, summary }: Prepared,
): Promise<Failure | undefined> {
  const { flags, resolver } = plan;
  const progress = createProgress(context, plan, summary.earlier, rateLimiter);
  const ended = await sendAll({
    batches: previousValues?.batches ?? rows.batches,
    send: (row) =>
      session.send(updateWithRawResponse, { taskId: row.id }, row.update).then(
        ({ raw }) => {
          previousValues?.onResponse(row, raw[0]);
          return { kind: 'updated' as const, record: needsRecord ? raw[0] : undefined };
        },
        async (error: unknown) => outcomeOfFailure(await resolver.explain(row.id, toFailure(error))),
      ),
    report(result: TaskResult) {
      if (result.earlier === undefined) {
        progress.step();
        summary.add(result);
        previousValues?.onResult(result);
      }
      return outputs.report(result);
    },
    onEarlierFailure: outputs.onEarlierFailure,
    journal,
    states,
    rateLimiter,
    concurrency: flags.concurrency ?? defaultConcurrency,
    clock: context.world.clock,
    stop,
    abandon,
  });
  await progress.end();
  return ended;
}

/** In the progress line, before the remaining time. */
const pauseTexts: { readonly [R in PauseReason]: string } = {
  'retry-after': 'the service asked to wait',
  'rate-limit': 'too many requests: continuing in',
  unavailable: 'the service is unavailable: retrying in',
};

/** Printed when a long wait begins, before its length. */
const longWaitTexts: { readonly [R in PauseReason]: string } = {
  'retry-after': 'The service asks to wait',
  'rate-limit': 'The service rejects requests as too many: waiting',
  unavailable: 'The service is unavailable: waiting',
};

/** The rows, the rate and the time left. `earlier`: how many rows an earlier run has finished. */
function createProgress(
  { world, report, common: { quiet = false } }: Context,
  { rows: total, flags: { maxWait = defaultMaxWaitMs } }: BulkPlan,
  earlier: number,
  rateLimiter: RateLimiter,
) {
  const { clock } = world;
  const started = clock.monotonic();
  let done = 0;
  // A progress line that is redrawn shows the wait.
  if (quiet || !canRedraw(world.streams.errors, world.environment))
    rateLimiter.onLongWait((milliseconds, reason) => {
      const limit = `(up to ${formatDuration(maxWait)}; change with --max-wait)`;
      void report.warn(`${longWaitTexts[reason]} ${formatDuration(milliseconds)} ${limit}.`);
    });
  const format = (): string => {
    const seconds = Math.max(0.001, (clock.monotonic() - started) / 1000);
    const rate = done / seconds;
    const remaining = total - earlier - done;
    const pauseMs = rateLimiter.pauseLeftMs;
    const wait = pauseMs > 500 ? `; ${pauseTexts[rateLimiter.pauseReason]} ${formatDuration(pauseMs)}` : '';
    const time = rate > 0 && remaining > 0 ? `, ${formatDuration((remaining / rate) * 1000)} left` : '';
    return `${formatCount(earlier + done)} of ${countOf(total, 'row')}, ${formatCount(Math.round(rate))}/s${time}${wait}`;
  };
  return {
    ...createProgressLine({ world, report }, format),
    step() {
      done++;
    },
  };
}

type BulkInterruptions = ReturnType<typeof handleInterruptions>;

/** How long after a second signal a reader may take the remaining results. */
const readerTimeoutMs = 1000;

export function handleInterruptions({ world, report }: Pick<Context, 'world' | 'report'>) {
  const stop = new AbortController();
  const second = new AbortController();
  let first: Interruption | undefined;
  let endReading = () => {};
  const readerTimedOut = new Promise<void>((resolve) => {
    endReading = resolve;
  });
  const dispose = world.process.onInterrupt((signal) => {
    if (first !== undefined) {
      second.abort();
      // A third signal ends the process.
      dispose();
      return void world.clock.sleep(readerTimeoutMs).then(endReading);
    }
    first = signal;
    void report.warn('Stopping: finishing the requests in flight. Press Ctrl-C again to quit now.');
    stop.abort();
  });
  return {
    stop,
    abandon: second.signal,
    /** Resolves a second after the second signal. Results that the reader has not taken by then are dropped. */
    readerTimedOut,
    first: () => first,
    dispose,
  };
}
