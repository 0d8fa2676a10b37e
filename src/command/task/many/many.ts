// `wm task update` for many: a plan first, then a yes, then every row with its answer on record. Joins the parts; what each
// does stands in this folder's other files and in src/bulk/.

import { outcomeOf as meaningOf } from '../../../bulk/outcome.ts';
import { createPace, type Pace } from '../../../bulk/pace.ts';
import { pacedHttp } from '../../../bulk/paced-http.ts';
import { type RowStates, state } from '../../../bulk/past.ts';
import { sendAll } from '../../../bulk/slots.ts';
import { createSession, type Session } from '../../../client/session.ts';
import { identifier } from '../../../contract/identifier.ts';
import { operations } from '../../../contract/operation.ts';
import { record } from '../../../contract/value.ts';
import { asFailure, type Failure, lostOutput, usage } from '../../../failure.ts';
import { credentialsFor, knownBaseUrl } from '../../../login/account.ts';
import { version } from '../../../version.ts';
import type { Context } from '../../context.ts';
import { interruptedWith, untilInterrupted } from '../../interrupt.ts';
import type { KeptBefore } from '../history/keep-before.ts';
import type { SaidFlags } from '../to-update.ts';
import { count } from './count.ts';
import { openErrorsFile, writeRefused } from './errors-file.ts';
import { defaultConcurrency, type ManyFlags } from './flags.ts';
import { mendAndSend } from './go-on.ts';
import { type BulkInterruption, interruptible } from './interruption.ts';
import { allOf, answeredLine, type Left, leftOf } from './left.ts';
import { checkNamedFiles } from './named-files.ts';
import { dropOldJournals } from './old-journals.ts';
import { makePlan, type Plan, planLines } from './plan.ts';
import { createProgress } from './progress.ts';
import type { Rows } from './read-rows.ts';
import { createReading, type Reading } from './reading.ts';
import { type BulkRecord, keyOf, openRecord, surveyRecord } from './record.ts';
import { createResults, reasonOf } from './results.ts';
import { requestsShown } from './shown.ts';
import { fileSource, type InputSource, idSource } from './source.ts';
import { createTally } from './tally.ts';

export interface ManyInput {
  readonly ids: readonly string[];
  readonly many: ManyFlags;
  /** What the command line says for every row. */
  readonly line: SaidFlags;
  /** The values before go on record first. */
  readonly undoable: boolean;
}

/** The answer is handed on as it came: of its record only the id is looked at. */
const updateUnread = {
  ...operations.updateTask,
  record: record('Task', { id: identifier('TaskId') }),
};

/** Throws a Failure where not every row was updated. */
export async function updateMany(context: Context, input: ManyInput): Promise<void> {
  const { world, common } = context;
  const { ids, many, line } = input;
  const onlyShown = common.dryRun === true || common.curl === true;
  const source =
    many.from === undefined ? idSource(ids, line) : fileSource(world, many.from, line, !onlyShown);
  try {
    const reading = createReading(context, world.clock.now());
    await checkNamedFiles(world, many);
    if (onlyShown) await untilInterrupted(context, () => showOnly(context, source, reading));
    else await planAndSend(context, input, source, reading);
  } finally {
    await source.close();
  }
}

async function showOnly(context: Context, source: InputSource, reading: Reading): Promise<void> {
  const shown = await requestsShown(context);
  const plan = await makePlan(await source.open(reading), shown.show);
  await shown.end();
  await showPlan(context, plan, source, reading);
  await context.report.say('Not sent: this was a dry run.');
  if (plan.refused > 0) throw refusedRows(plan);
}

async function planAndSend(context: Context, input: ManyInput, source: InputSource, reading: Reading) {
  const { world } = context;
  const { plan, left, record } = await untilInterrupted(context, () =>
    confirmed(context, input, source, reading),
  );
  const interruption = interruptible(context);
  try {
    const bulk = await openRecord(world, { ...record, now: reading.now });
    try {
      await run(context, input, {
        plan,
        left,
        source,
        reading: reading.at(bulk.started),
        bulk,
        interruption,
      });
    } catch (error) {
      // Where the disk is full, the journal cannot be ended either; what went wrong first says more.
      await bulk.close().catch(() => {});
      throw error;
    }
    await bulk.close();
  } finally {
    interruption.ignore();
  }
}

/** Up to the yes, nothing but a copy of standard input is left anywhere. */
async function confirmed(context: Context, { many, line }: ManyInput, source: InputSource, reading: Reading) {
  const { world, account, report } = context;
  const plan = await makePlan(await source.open(reading));
  await showPlan(context, plan, source, reading);
  if (many.resume && reading.relative.size > 0)
    await report.say('It goes on: such dates count from the day it began.');
  if (plan.rows === 0) throw usage(`There are no rows in ${source.name}`);
  if (plan.rows === plan.refused) {
    // Of a bulk that goes on, some may be done already: a name in them was known then.
    if (many.errors === undefined || many.resume) throw refusedRows(plan);
    await writeRefused(world, many.errors, await source.open(reading));
    throw usage(cannotBeSent(plan), mendAndSend(many.errors));
  }
  const base = await knownBaseUrl(world, account);
  const record = {
    path: many.journal,
    key: keyOf([source.digest(), line, base ?? '']),
    rows: plan.rows,
    resume: many.resume === true,
  };
  const { path, states } = await surveyRecord(world, record);
  const left = states ? await leftOf(await source.open(reading), states) : allOf(plan);
  const answered = states && answeredLine(states, plan.rows);
  if (answered !== undefined) await report.say(answered);
  if (left.unknown !== '')
    await report.say(`Sent before, without an answer, and sent again now: ${left.unknown}`);
  await report.say(`Journal: ${path}`);
  // Where all is answered, or what is left is refused, there is nothing to say no to.
  if (left.toSend > 0) await context.confirm(question(left));
  await dropOldJournals(world, { now: world.clock.now(), except: path });
  return { plan, left, record };
}

function question({ toSend }: Left): string {
  return `Update ${toSend === 1 ? '1 task' : `${count(toSend)} tasks`}?`;
}

async function showPlan(
  { report }: Context,
  plan: Plan,
  { name }: InputSource,
  { relative }: Reading,
): Promise<void> {
  for (const line of planLines(plan, name)) await report.say(line);
  for (const [said, date] of relative) await report.say(`  ${said} is ${date}`);
}

function refusedRows(plan: Plan): Failure {
  return usage(cannotBeSent(plan), `Mend them, and run it again. The first is:\n${plan.refusals[0] ?? ''}`);
}

function cannotBeSent({ rows, refused }: Plan): string {
  return `${refused} of ${rows} rows cannot be sent`;
}

/** A bulk that was said yes to, and is on record. */
interface Begun {
  readonly plan: Plan;
  readonly left: Left;
  readonly source: InputSource;
  readonly reading: Reading;
  readonly bulk: BulkRecord;
  readonly interruption: BulkInterruption;
}

async function run(
  context: Context,
  { many, undoable }: Pick<ManyInput, 'many' | 'undoable'>,
  { plan, left, source, reading, bulk, interruption }: Begun,
): Promise<void> {
  const { journal, states, reasons, name } = bulk;
  const { stop, leave, by, parted } = interruption;
  const { world, account, report, common, timeoutMs } = context;
  const { clock, streams } = world;
  const slots = many.concurrency ?? defaultConcurrency;
  const pace = createPace(clock, {
    most: slots,
    stop: stop.signal,
    ...(many.rate === undefined ? {} : { perMinute: many.rate }),
  });
  const credentials = await credentialsFor(world, account, (warning) => void report.warn(warning));
  const http = (await world.http.many?.(slots)) ?? world.http;
  const session = createSession({ http: pacedHttp({ http, clock }, pace), clock }, credentials, {
    timeoutMs,
    userAgent: `wm/${version}`,
    ...(common.verbose ? { trace: (traced: string) => report.trace(traced) } : {}),
  });
  const rows = await source.open(reading);
  const recorded = undoable
    ? await recording(context, name, { session, pace, states, perMinute: many.rate }, rows.items)
    : undefined;
  // A bulk that goes on begins it anew, too: what a kill has kept out of it, the journal knows.
  const errors =
    many.errors === undefined ? undefined : await openErrorsFile(world, many.errors, rows.header);
  const results = createResults(streams.output, report.wantsJson);
  const tally = createTally(states, plan.rows, left.toRefuse);
  const progress = createProgress(clock, streams.errors, report, {
    total: plan.rows,
    already: tally.before,
    quiet: common.quiet === true,
    pace,
  });
  const started = clock.now();
  try {
    const ended = await sendAll({
      items: recorded?.items ?? rows.items,
      send: (row) =>
        session.send(updateUnread, { taskId: row.id }, row.update).then(
          ({ raw }) => {
            recorded?.hear(row, raw[0]);
            return { kind: 'done' as const, record: report.wantsJson ? raw[0] : undefined };
          },
          (error: unknown) => meaningOf(asFailure(error)),
        ),
      count(result) {
        progress.step();
        tally.add(result);
        recorded?.count(result);
      },
      tell(result) {
        const { item, outcome } = result;
        // What has no answer yet is the business of --resume.
        if (!outcome || outcome.kind === 'failed') errors?.add(item.source, reasonOf(result));
        return results.add(result);
      },
      passed: (item) => errors?.add(item.source, reasons.get(item.number) ?? ''),
      journal,
      states,
      pace,
      slots,
      clock,
      stop,
      leave,
    });
    await progress.end();
    const partedBy = await Promise.race([results.flush(), parted]);
    await report.say(tally.sentence(clock.now() - started));
    const failure = tally.failure({
      ended,
      interrupted: by(),
      errors: many.errors,
      listed: errors?.count ?? 0,
    });
    if (failure) throw failure;
    if (partedBy) throw interruptedWith(partedBy, 'nobody took the results', 'Every row has its answer.');
  } catch (error) {
    const lost = lostOutput(error);
    const failure = lost ?? asFailure(error);
    // A full disk, most of all: what was answered by then is in the journal all the same.
    if (failure === error || failure.code === 'internal') throw failure;
    await progress.end();
    await report.say(tally.sentence(clock.now() - started));
    const isDone = lost !== undefined && states.count(state.done) + states.count(state.failed) === plan.rows;
    throw failure.withHint(
      isDone
        ? 'Every row has its answer; only their output is missing.'
        : 'Once that is mended, go on with the same command and --resume.',
    );
  } finally {
    await progress.end();
    await recorded?.end();
    await errors?.close();
  }
}

async function recording(
  context: Context,
  key: string,
  parts: { session: Session; pace: Pace; states: RowStates; perMinute: number | undefined },
  items: Rows['items'],
): Promise<KeptBefore> {
  const [{ hostOf }, { keepBefore }] = await Promise.all([
    import('../history/recorded.ts'),
    import('../history/keep-before.ts'),
  ]);
  const bulk = { host: await hostOf(context), key };
  return keepBefore(bulk, { world: context.world, ...parts }, items);
}
