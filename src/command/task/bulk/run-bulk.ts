// Sends what a bulk has left to send, and says how it went: what could not be written is said on what still can be, and
// whatever has failed, the journal is closed.

import { outcomeOfFailure as meaningOf } from '../../../bulk/outcome.ts';
import { rateLimitedHttp } from '../../../bulk/rate-limited-http.ts';
import { createRateLimiter, type RateLimiter } from '../../../bulk/rate-limiter.ts';
import type { RowStates } from '../../../bulk/row-states.ts';
import { sendAll } from '../../../bulk/send-all.ts';
import type { Session } from '../../../client/session.ts';
import { identifier } from '../../../contract/identifier.ts';
import { operations } from '../../../contract/operation.ts';
import { object } from '../../../contract/schema.ts';
import { type Failure, toFailure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { createCommandSession } from '../../create-session.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { checkErrorsFile } from './check-files.ts';
import { openErrorsFile } from './errors-file.ts';
import { type BulkFlags, defaultConcurrency, defaultMaxWaitMs } from './flags.ts';
import { formatDuration } from './format-duration.ts';
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
import { createSummary } from './summary.ts';

/** A bulk that was said yes to, and is on record. */
export interface ConfirmedBulk {
  readonly plan: Plan;
  readonly left: Remaining;
  readonly source: InputSource;
  readonly reading: RowResolver;
  readonly bulk: OpenJournal;
  readonly interruption: BulkInterruptions;
}

interface Options {
  readonly flags: BulkFlags;
  readonly line: UpdateFlagValues;
  readonly undoable: boolean;
}

/** The answer is handed on as it came: of its record only the id is looked at. */
const updateWithRawResponse = {
  ...operations.updateTask,
  record: object('Task', { id: identifier('TaskId') }),
};

/** Closes the journal. Throws a Failure where not every row was updated, or not all was written that was asked for. */
export async function runBulk(context: Context, options: Options, begun: ConfirmedBulk): Promise<void> {
  const { bulk } = begun;
  let parts: Parts;
  try {
    parts = await prepare(context, options, begun);
  } catch (error) {
    // Where the disk is full, the journal cannot be ended either; what went wrong first says more.
    await bulk.close().catch(() => {});
    throw error;
  }
  await send(context, options, begun, parts);
}

interface Parts {
  readonly pace: RateLimiter;
  readonly session: Session;
  readonly rows: Rows;
  readonly recorded: PreviousValuesLog | undefined;
  readonly outputs: Outputs;
}

async function prepare(
  context: Context,
  { flags, line, undoable }: Options,
  { source, reading, bulk, interruption: { stop } }: ConfirmedBulk,
): Promise<Parts> {
  const { world, report } = context;
  const { clock, streams } = world;
  const { journal, states, reasons, name } = bulk;
  const typed = flags.from === undefined;
  const slots = flags.concurrency ?? defaultConcurrency;
  const pace = createRateLimiter(clock, {
    maxConcurrency: slots,
    maxWaitMs: flags.maxWait ?? defaultMaxWaitMs,
    stop: stop.signal,
    ...(flags.rate === undefined ? {} : { perMinute: flags.rate }),
  });
  const session = await createCommandSession(context, {
    http: async () =>
      rateLimitedHttp({ http: (await world.http.withConnections?.(slots)) ?? world.http, clock }, pace),
    rateLimitGiveUpReason: () => excessiveWaitReason(pace, flags),
  });
  const rows = await source.open(reading);
  const recorded = undoable
    ? await recordPreviousValues(
        context,
        name,
        { session, pace, states, perMinute: flags.rate },
        rows.batches,
      )
    : undefined;
  if (flags.errors !== undefined) await checkErrorsFile(world, flags.errors, bulk.path);
  const errorsFile =
    flags.errors === undefined ? undefined : await openErrorsFile(world, flags.errors, rows.csv);
  const outputs = createOutputs({
    output: streams.output,
    createResults: (hooks) =>
      typed
        ? createTaskWriter(context, { fields: line.fields, states, reasons, ...hooks })
        : createResultWriter(streams.output, {
            json: report.wantsJson,
            secrets: world.secrets,
            reasons,
            ...hooks,
          }),
    errorsFile,
    journal,
    states,
    reasons,
    stop: () => stop.abort(),
  });
  return { pace, session, rows, recorded, outputs };
}

async function send(
  context: Context,
  { flags }: Options,
  { plan, left, bulk, interruption }: ConfirmedBulk,
  { pace, session, rows, recorded, outputs }: Parts,
): Promise<void> {
  const { journal, states, reasons } = bulk;
  const { stop, abandon, first, readerTimedOut } = interruption;
  const { world, report, common } = context;
  const { clock, streams } = world;
  const typed = flags.from === undefined;
  const tally = createSummary(states, {
    rows: plan.rows,
    newInvalid: left.newInvalid,
    reasons,
    platform: world.process.platform,
  });
  const progress = createProgress(clock, streams.errors, report, {
    total: plan.rows,
    earlier: tally.earlier,
    quiet: common.quiet === true,
    rateLimiter: pace,
    maxWaitMs: flags.maxWait ?? defaultMaxWaitMs,
  });
  const started = clock.monotonic();
  const ended = await sendAll({
    batches: recorded?.items ?? rows.batches,
    send: (row) =>
      session.send(updateWithRawResponse, { taskId: row.id }, row.update).then(
        ({ raw }) => {
          recorded?.onResponse(row, raw[0]);
          return { kind: 'done' as const, record: report.wantsJson || typed ? raw[0] : undefined };
        },
        (error: unknown) => meaningOf(toFailure(error)),
      ),
    report(result) {
      if (result.earlier === undefined) {
        progress.step();
        tally.add(result);
        recorded?.onResult(result);
      }
      return outputs.report(result);
    },
    onEarlierFailure: (item) => outputs.onEarlierFailure(item),
    journal,
    states,
    rateLimiter: pace,
    concurrency: flags.concurrency ?? defaultConcurrency,
    clock,
    stop,
    abandon,
  });
  await progress.end();
  const partedBy = await Promise.race([outputs.flush(), readerTimedOut]);
  await recorded?.close();
  await outputs.close();
  const isComplete =
    tally.isComplete &&
    states.unreported === 0 &&
    !ended &&
    !outputs.resultsFailure &&
    !outputs.errorsFailure;
  if (isComplete) journal.finished();
  const unclosed = await bulk.close().then(() => undefined, toFailure);
  await report.info(tally.line(clock.monotonic() - started));
  if (ended?.code === 'internal') throw ended;
  const failure = tally.failure({
    ended: ended ?? outputs.resultsFailure ?? unclosed,
    interrupted: first(),
    resultsFailure: outputs.resultsFailure,
    errorsFailure: outputs.errorsFailure,
    journalFailure: unclosed,
    isReaderGone: outputs.isReaderGone,
    errors: flags.errors,
    errorsCount: outputs.errorsCount,
  });
  for (const lost of [outputs.resultsFailure, outputs.errorsFailure, unclosed])
    if (lost && !mentions(failure, lost)) await report.warn(sentenceOf(lost));
  if (failure) throw failure;
  if (partedBy)
    throw interruptedFailureWith(partedBy, 'nobody took the results', 'Every row has a response.');
}

/** Nothing where the service rejects a row again and again, however long one waits. */
function excessiveWaitReason({ excessiveWaitMs }: RateLimiter, flags: BulkFlags): string | undefined {
  if (excessiveWaitMs === undefined) return undefined;
  const limit = `--max-wait (${formatDuration(flags.maxWait ?? defaultMaxWaitMs)})`;
  return `waiting out the rate limit would take ${formatDuration(excessiveWaitMs)}, longer than ${limit}`;
}

/** One fault is said once: as what failed, or as why. */
function mentions(failure: Failure | undefined, { message }: Failure): boolean {
  return failure !== undefined && (failure.message === message || failure.why?.startsWith(message) === true);
}

function sentenceOf({ message, why }: Failure): string {
  return why === undefined ? message : `${message}: ${why}`;
}

async function recordPreviousValues(
  context: Context,
  key: string,
  parts: { session: Session; pace: RateLimiter; states: RowStates; perMinute: number | undefined },
  items: Rows['batches'],
): Promise<PreviousValuesLog> {
  const [{ logHost }, { logPreviousValues }] = await Promise.all([
    import('../undo-log/log-files.ts'),
    import('./previous-values.ts'),
  ]);
  const bulk = { host: await logHost(context), key };
  return logPreviousValues(bulk, { world: context.world, ...parts }, items);
}
