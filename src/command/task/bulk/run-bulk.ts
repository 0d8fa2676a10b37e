// Runs a confirmed bulk update: prepares, sends the rows, closes what was written, and reports how it ended. What could not
// be written is reported on what still can be, and whatever fails, the journal is closed.

import { outcomeOfFailure } from '../../../bulk/outcome.ts';
import type { RateLimiter } from '../../../bulk/rate-limiter.ts';
import { rowState } from '../../../bulk/row-states.ts';
import { type BulkRun, sendAll } from '../../../bulk/send-all.ts';
import type { JsonObject } from '../../../client/response.ts';
import type { Session } from '../../../client/session.ts';
import { identifier } from '../../../contract/identifier.ts';
import { operations } from '../../../contract/operation.ts';
import { object } from '../../../contract/schema.ts';
import type { TaskUpdate } from '../../../contract/task.ts';
import { type Failure, toFailure } from '../../../failure.ts';
import type { Interruption } from '../../../world/world.ts';
import { accountHost } from '../../account-host.ts';
import type { Context } from '../../context.ts';
import { operationName } from '../../history/recorded-session.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { createBulkSession } from './bulk-session.ts';
import { checkErrorsFile } from './check-files.ts';
import { openErrorsFile } from './errors-file.ts';
import { type BulkFlags, defaultConcurrency, defaultMaxWaitMs } from './flags.ts';
import type { InputSource } from './input-source.ts';
import type { BulkInterruptions } from './interruption.ts';
import type { OpenJournal } from './journal-file.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import type { Plan } from './plan.ts';
import type { PreviousValuesLog } from './previous-values.ts';
import { createTaskWriter } from './print-tasks.ts';
import { createProgress } from './progress.ts';
import type { Rows } from './read-rows.ts';
import type { Remaining } from './remaining.ts';
import { createResultWriter } from './results.ts';
import type { RowResolver } from './row-resolver.ts';
import { createSummary, type Summary } from './summary.ts';

/** A bulk update that the user has confirmed, with its journal. */
export interface ConfirmedBulk {
  readonly plan: Plan;
  readonly remaining: Remaining;
  readonly source: InputSource;
  readonly resolver: RowResolver;
  readonly opened: OpenJournal;
  readonly interruptions: BulkInterruptions;
}

interface RunOptions {
  readonly flags: BulkFlags;
  readonly line: UpdateFlagValues;
  readonly undoable: boolean;
  /** Those of the command line. */
  readonly ids: readonly string[];
}

/** Everything that a run needs, opened. */
interface PreparedRun {
  readonly rateLimiter: RateLimiter;
  readonly session: Session;
  readonly rows: Rows;
  readonly previousValues: PreviousValuesLog | undefined;
  readonly outputs: Outputs;
  readonly summary: Summary;
}

/** Of the task in a response only the id is validated: the rest is printed as it came. */
const updateWithRawResponse = {
  ...operations.updateTask,
  record: object('Task', { id: identifier('TaskId') }),
};

/** Closes the journal. Rejects with a Failure where not every row was updated, or not everything could be written. */
export async function runBulk(
  context: Context,
  options: RunOptions,
  confirmed: ConfirmedBulk,
): Promise<void> {
  const { opened, interruptions } = confirmed;
  const prepared = await prepare(context, options, confirmed).catch(async (error: unknown) => {
    // Where the disk is full, the journal cannot be closed either; the first failure says more.
    await opened.close().catch(() => {});
    throw error;
  });
  const { clock } = context.world;
  const recordEnd = await recordStart(context, options, confirmed);
  const started = clock.monotonic();
  const ended = await sendRows(context, options, confirmed, prepared);
  const closed = await closeAll(prepared, confirmed, ended);
  await recordEnd(ended);
  await context.report.info(prepared.summary.line(clock.monotonic() - started));
  if (ended?.code === 'internal') throw ended;
  await throwUnlessComplete(context, options, prepared, {
    ...closed,
    ended,
    interrupted: interruptions.first(),
  });
}

async function prepare(
  context: Context,
  options: RunOptions,
  { plan, remaining, source, resolver, opened, interruptions: { stop } }: ConfirmedBulk,
): Promise<PreparedRun> {
  const { flags, undoable } = options;
  const { world } = context;
  const { states } = opened;
  const { rateLimiter, session } = await createBulkSession(context, flags, {
    stop: stop.signal,
    needsRecord: needsRecord(context, flags),
  });
  const rows = await source.open(resolver);
  const previousValues = undoable
    ? await openPreviousValues(context, opened, { session, rateLimiter, perMinute: flags.rate }, rows)
    : undefined;
  const outputs = await openOutputs(context, options, { opened, rows, stop });
  const summary = createSummary(states, {
    rows: plan.rows,
    newInvalid: remaining.newInvalid,
    platform: world.process.platform,
  });
  return { rateLimiter, session, rows, previousValues, outputs, summary };
}

/** Records the run as one change in the history. The function that it returns records how it ended. */
async function recordStart(
  context: Context,
  { flags, ids }: RunOptions,
  { plan: { rows }, opened: { path: journal, states } }: ConfirmedBulk,
): Promise<(failure: Failure | undefined) => Promise<void>> {
  const history = await context.history();
  const operation = operationName(operations.updateTask);
  const end = await history.recordBulk({ operation, file: flags.from, journal, rows, ids });
  return (failure) => {
    const { failed, invalid, sent, updated, notSent } = rowState;
    const counts = {
      updated: states.count(updated),
      failed: states.count(failed),
      invalid: states.count(invalid),
      unknown: states.count(sent),
      notSent: states.count(notSent),
    };
    return end({ counts, failure });
  };
}

async function openPreviousValues(
  context: Context,
  { name, states }: OpenJournal,
  parts: { session: Session; rateLimiter: RateLimiter; perMinute: number | undefined },
  { batches }: Rows,
): Promise<PreviousValuesLog> {
  const { logPreviousValues } = await import('./previous-values.ts');
  const bulk = { host: await accountHost(context), key: name };
  return logPreviousValues(bulk, { world: context.world, states, ...parts }, batches);
}

/** Standard output, and the errors file where --errors names one. */
async function openOutputs(
  context: Context,
  { flags, line }: RunOptions,
  { opened, rows, stop }: { opened: OpenJournal; rows: Rows; stop: AbortController },
): Promise<Outputs> {
  const { world, report } = context;
  const { path, journal, states, earlierErrors } = opened;
  const { output } = world.streams;
  if (flags.errors !== undefined) await checkErrorsFile(world, flags.errors, path);
  const errorsFile =
    flags.errors === undefined ? undefined : await openErrorsFile(world, flags.errors, rows.csv);
  return createOutputs({
    output,
    createResults: (events) =>
      flags.from === undefined
        ? createTaskWriter(context, { fields: line.fields, states, earlierErrors, ...events })
        : createResultWriter(output, {
            report,
            secrets: world.secrets,
            earlierErrors,
            ...events,
          }),
    errorsFile,
    journal,
    states,
    earlierErrors,
    stop: () => stop.abort(),
  });
}

/** Returns the failure that ended the run early. Never rejects. */
async function sendRows(
  context: Context,
  { flags }: RunOptions,
  { plan, opened, interruptions }: ConfirmedBulk,
  { rateLimiter, session, rows, previousValues, outputs, summary }: PreparedRun,
): Promise<Failure | undefined> {
  const { journal, states } = opened;
  const { stop, abandon } = interruptions;
  const { world, report, common } = context;
  const { clock, streams } = world;
  const progress = createProgress(clock, streams.errors, report, {
    total: plan.rows,
    earlier: summary.earlier,
    quiet: common.quiet === true,
    rateLimiter,
    maxWaitMs: flags.maxWait ?? defaultMaxWaitMs,
  });
  const ended = await sendAll({
    batches: previousValues?.batches ?? rows.batches,
    send: createSend(session, previousValues, needsRecord(context, flags)),
    report(result) {
      if (result.earlier === undefined) {
        progress.step();
        summary.add(result);
        previousValues?.onResult(result);
      }
      return outputs.report(result);
    },
    onEarlierFailure: (row) => outputs.onEarlierFailure(row),
    journal,
    states,
    rateLimiter,
    concurrency: flags.concurrency ?? defaultConcurrency,
    clock,
    stop,
    abandon,
  });
  await progress.end();
  return ended;
}

/** A million tasks are not held in memory where nobody prints them. */
function needsRecord({ report }: Context, { from }: BulkFlags): boolean {
  return report.wantsJson || from === undefined;
}

function createSend(
  session: Session,
  previousValues: PreviousValuesLog | undefined,
  keepsRecord: boolean,
): BulkRun<TaskUpdate, JsonObject | undefined>['send'] {
  return (row) =>
    session.send(updateWithRawResponse, { taskId: row.id }, row.update).then(
      ({ raw }) => {
        previousValues?.onResponse(row, raw[0]);
        return { kind: 'updated', record: keepsRecord ? raw[0] : undefined };
      },
      (error: unknown) => outcomeOfFailure(toFailure(error)),
    );
}

interface Closed {
  /** The journal could not be written to its end. */
  readonly journalFailure: Failure | undefined;
}

/** Never rejects. */
async function closeAll(
  { previousValues, outputs, summary }: PreparedRun,
  { opened, interruptions }: ConfirmedBulk,
  ended: Failure | undefined,
): Promise<Closed> {
  await Promise.race([outputs.flush(), interruptions.readerTimedOut]);
  await previousValues?.close();
  await outputs.close();
  const isEverythingWritten =
    opened.states.unreported === 0 && !outputs.resultsFailure && !outputs.errorsFailure;
  if (summary.isComplete && isEverythingWritten && !ended) opened.journal.finished();
  const journalFailure = await opened.close().then(() => undefined, toFailure);
  return { journalFailure };
}

interface Ended extends Closed {
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
}

async function throwUnlessComplete(
  { report }: Context,
  { flags }: RunOptions,
  { outputs, summary }: PreparedRun,
  { ended, interrupted, journalFailure }: Ended,
): Promise<void> {
  const { resultsFailure, errorsFailure, isReaderGone, errorsCount } = outputs;
  const failure = summary.failure({
    ended: ended ?? resultsFailure ?? journalFailure,
    interrupted,
    resultsFailure,
    errorsFailure,
    journalFailure,
    isReaderGone,
    errors: flags.errors,
    errorsCount,
  });
  for (const lost of [resultsFailure, errorsFailure, journalFailure])
    if (lost && !mentions(failure, lost)) await report.warn(lost.sentence);
  if (failure) throw failure;
}

/** A failure is reported once: as the message, or as the reason. */
function mentions(failure: Failure | undefined, { message }: Failure): boolean {
  return failure !== undefined && (failure.message === message || failure.why?.startsWith(message) === true);
}
