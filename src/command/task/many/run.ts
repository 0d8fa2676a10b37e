// Sends what a bulk has left to send, and says how it went: what could not be written is said on what still can be, and
// whatever has failed, the journal is closed.

import { outcomeOf as meaningOf } from '../../../bulk/outcome.ts';
import { createPace, type Pace } from '../../../bulk/pace.ts';
import { pacedHttp } from '../../../bulk/paced-http.ts';
import { sendAll } from '../../../bulk/slots.ts';
import type { RowStates } from '../../../bulk/states.ts';
import { createSession, type Session } from '../../../client/session.ts';
import { identifier } from '../../../contract/identifier.ts';
import { operations } from '../../../contract/operation.ts';
import { object } from '../../../contract/schema.ts';
import { type Failure, toFailure } from '../../../failure.ts';
import { loadCredentials } from '../../../login/select-account.ts';
import { version } from '../../../version.ts';
import type { Context } from '../../context.ts';
import { formatCommand } from '../../format-command.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { openErrorsFile } from './errors-file.ts';
import { defaultConcurrency, defaultMaxWaitMs, type ManyFlags } from './flags.ts';
import type { BulkInterruption } from './interruption.ts';
import type { Left } from './left.ts';
import { checkBesideJournal } from './named-files.ts';
import { createOutputs, type Outputs } from './outputs.ts';
import type { Plan } from './plan.ts';
import type { PreviousValuesLog } from './previous-values.ts';
import { createProgress } from './progress.ts';
import type { Rows } from './read-rows.ts';
import type { Reading } from './reading.ts';
import type { BulkRecord } from './record.ts';
import { createResults } from './results.ts';
import type { InputSource } from './source.ts';
import { spokenTime } from './spoken-time.ts';
import { createTally } from './tally.ts';
import { createTaskRecords } from './task-records.ts';

/** A bulk that was said yes to, and is on record. */
export interface Begun {
  readonly plan: Plan;
  readonly left: Left;
  readonly source: InputSource;
  readonly reading: Reading;
  readonly bulk: BulkRecord;
  readonly interruption: BulkInterruption;
}

interface Options {
  readonly many: ManyFlags;
  readonly line: UpdateFlagValues;
  readonly undoable: boolean;
}

/** The answer is handed on as it came: of its record only the id is looked at. */
const updateUnread = {
  ...operations.updateTask,
  record: object('Task', { id: identifier('TaskId') }),
};

/** Closes the journal. Throws a Failure where not every row was updated, or not all was written that was asked for. */
export async function run(context: Context, options: Options, begun: Begun): Promise<void> {
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
  readonly pace: Pace;
  readonly session: Session;
  readonly rows: Rows;
  readonly recorded: PreviousValuesLog | undefined;
  readonly outputs: Outputs;
}

async function prepare(
  context: Context,
  { many, line, undoable }: Options,
  { source, reading, bulk, interruption: { stop } }: Begun,
): Promise<Parts> {
  const { world, account, report, common, timeoutMs } = context;
  const { clock, streams } = world;
  const { journal, states, reasons, name } = bulk;
  const typed = many.from === undefined;
  const slots = many.concurrency ?? defaultConcurrency;
  const pace = createPace(clock, {
    most: slots,
    maxWaitMs: many.maxWait ?? defaultMaxWaitMs,
    stop: stop.signal,
    ...(many.rate === undefined ? {} : { perMinute: many.rate }),
  });
  const credentials = await loadCredentials(world, account, report);
  const http = (await world.http.withConnections?.(slots)) ?? world.http;
  const session = createSession({ http: pacedHttp({ http, clock }, pace), clock }, credentials, {
    timeoutMs,
    userAgent: `wm/${version}`,
    secrets: world.secrets,
    rateLimitGiveUpReason: () => whyNotWaited(pace, many),
    commandLine: (words) => formatCommand(context, words),
    ...(common.verbose ? { trace: (traced: string) => report.trace(traced) } : {}),
  });
  const rows = await source.open(reading);
  const recorded = undoable
    ? await recording(context, name, { session, pace, states, perMinute: many.rate }, rows.items)
    : undefined;
  if (many.errors !== undefined) await checkBesideJournal(world, many.errors, bulk.path);
  const errorsFile =
    many.errors === undefined ? undefined : await openErrorsFile(world, many.errors, rows.csv);
  const outputs = createOutputs({
    output: streams.output,
    createResults: (hooks) =>
      typed
        ? createTaskRecords(context, { fields: line.fields, states, reasons, ...hooks })
        : createResults(streams.output, {
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
  { many }: Options,
  { plan, left, bulk, interruption }: Begun,
  { pace, session, rows, recorded, outputs }: Parts,
): Promise<void> {
  const { journal, states, reasons } = bulk;
  const { stop, leave, by, parted } = interruption;
  const { world, report, common } = context;
  const { clock, streams } = world;
  const typed = many.from === undefined;
  const tally = createTally(states, {
    rows: plan.rows,
    toRefuse: left.toRefuse,
    reasons,
    platform: world.process.platform,
  });
  const progress = createProgress(clock, streams.errors, report, {
    total: plan.rows,
    already: tally.before,
    quiet: common.quiet === true,
    pace,
    maxWaitMs: many.maxWait ?? defaultMaxWaitMs,
  });
  const started = clock.monotonic();
  const ended = await sendAll({
    items: recorded?.items ?? rows.items,
    send: (row) =>
      session.send(updateUnread, { taskId: row.id }, row.update).then(
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
    passed: (item) => outputs.passed(item),
    journal,
    states,
    pace,
    slots: many.concurrency ?? defaultConcurrency,
    clock,
    stop,
    leave,
  });
  await progress.end();
  const partedBy = await Promise.race([outputs.flush(), parted]);
  await recorded?.close();
  await outputs.close();
  const isComplete =
    tally.isComplete && states.unreported === 0 && !ended && !outputs.results && !outputs.errors;
  if (isComplete) journal.finished();
  const unclosed = await bulk.close().then(() => undefined, toFailure);
  await report.info(tally.sentence(clock.monotonic() - started));
  if (ended?.code === 'internal') throw ended;
  const failure = tally.failure({
    ended: ended ?? outputs.results ?? unclosed,
    interrupted: by(),
    results: outputs.results,
    errorsLost: outputs.errors,
    journalLost: unclosed,
    isGone: outputs.isGone,
    errors: many.errors,
    listed: outputs.listed,
  });
  for (const lost of [outputs.results, outputs.errors, unclosed])
    if (lost && !saysIt(failure, lost)) await report.warn(told(lost));
  if (failure) throw failure;
  if (partedBy)
    throw interruptedFailureWith(partedBy, 'nobody took the results', 'Every row has a response.');
}

/** Nothing where the service rejects a row again and again, however long one waits. */
function whyNotWaited({ refusedWaitMs }: Pace, many: ManyFlags): string | undefined {
  if (refusedWaitMs === undefined) return undefined;
  const limit = `--max-wait (${spokenTime(many.maxWait ?? defaultMaxWaitMs)})`;
  return `waiting out the rate limit would take ${spokenTime(refusedWaitMs)}, longer than ${limit}`;
}

/** One fault is said once: as what failed, or as why. */
function saysIt(failure: Failure | undefined, { message }: Failure): boolean {
  return failure !== undefined && (failure.message === message || failure.why?.startsWith(message) === true);
}

function told({ message, why }: Failure): string {
  return why === undefined ? message : `${message}: ${why}`;
}

async function recording(
  context: Context,
  key: string,
  parts: { session: Session; pace: Pace; states: RowStates; perMinute: number | undefined },
  items: Rows['items'],
): Promise<PreviousValuesLog> {
  const [{ logHost }, { logPreviousValues }] = await Promise.all([
    import('../undo-log/log-files.ts'),
    import('./previous-values.ts'),
  ]);
  const bulk = { host: await logHost(context), key };
  return logPreviousValues(bulk, { world: context.world, ...parts }, items);
}
