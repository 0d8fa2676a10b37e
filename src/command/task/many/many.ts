// `wm task update` for many: a plan first, then a yes, then every row with its answer on record. Joins the parts; what each
// does stands in this folder's other files and in src/bulk/.

import { state } from '../../../bulk/states.ts';
import { type Failure, toFailure, usageError } from '../../../failure.ts';
import { findBaseUrl } from '../../../login/select-account.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../interrupt.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { droppedHtmlWarningForRows } from '../input/html-warning.ts';
import { count } from './count.ts';
import { distinctIds } from './distinct-ids.ts';
import { writeRefused } from './errors-file.ts';
import type { ManyFlags } from './flags.ts';
import { fixAndSend } from './go-on.ts';
import { interruptible } from './interruption.ts';
import { allOf, answeredLine, type Left, leftOf } from './left.ts';
import { listInvalid } from './list-invalid.ts';
import { checkNamedFiles } from './named-files.ts';
import { dropOldJournals } from './old-journals.ts';
import { makePlan, type Plan, planLines } from './plan.ts';
import { createReading, type Reading } from './reading.ts';
import { type Claim, type Continuation, claimRecord, keyOf, type Survey } from './record.ts';
import { run } from './run.ts';
import { requestsShown } from './shown.ts';
import { fileSource, type InputSource, idSource } from './source.ts';

export interface ManyInput {
  readonly ids: readonly string[];
  readonly many: ManyFlags;
  /** What the command line says for every row. */
  readonly line: UpdateFlagValues;
  /** The values before go on record first. */
  readonly undoable: boolean;
}

/** Throws a Failure where not every row was updated. */
export async function updateMany(context: Context, input: ManyInput): Promise<void> {
  const { world, common } = context;
  const { many, line } = input;
  const { ids, repeated } = distinctIds(input.ids);
  if (repeated.length > 0)
    await context.report.info(`Given more than once, and updated once: ${repeated.join(', ')}`);
  const onlyShown = common.dryRun === true || common.curl === true;
  const source =
    many.from === undefined ? idSource(ids, line) : fileSource(world, many.from, line, !onlyShown);
  try {
    const reading = createReading(context, world.clock.now());
    await checkNamedFiles(world, many);
    if (onlyShown) await untilInterrupted(context, () => showOnly(context, input, source, reading));
    else await planAndSend(context, input, source, reading);
  } finally {
    await source.close();
  }
}

async function showOnly(
  context: Context,
  { many }: ManyInput,
  source: InputSource,
  reading: Reading,
): Promise<void> {
  const shown = await requestsShown(context, many.from === undefined);
  const plan = await makePlan(await source.open(reading), shown.show);
  await shown.end();
  await showPlan(context, plan, source, reading);
  await context.report.info('Not sent: this was a dry run.');
  if (plan.refused > 0) throw refusedRows(plan);
}

async function planAndSend(context: Context, input: ManyInput, source: InputSource, reading: Reading) {
  let claim: Claim | undefined;
  try {
    await context.world.process.preferSmallHeap();
    const { plan, left, claimed } = await untilInterrupted(context, () =>
      confirmed(context, input, source, reading, (made) => {
        claim = made;
      }),
    );
    const interruption = interruptible(context);
    try {
      const bulk = await claimed.open(reading.now);
      await run(context, input, {
        plan,
        left,
        source,
        reading: reading.at(bulk.started),
        bulk,
        interruption,
      });
    } finally {
      interruption.ignore();
    }
  } finally {
    await claim?.release();
  }
}

/** Up to the yes, nothing but a copy of standard input is left anywhere. `onClaim` hears of what is to be released. */
async function confirmed(
  context: Context,
  { many, line }: ManyInput,
  source: InputSource,
  reading: Reading,
  onClaim: (claim: Claim) => void,
) {
  const { world, account, report } = context;
  const continuation = continuationOf(many);
  const plan = await makePlan(await source.open(reading));
  if (plan.rows === plan.refused) await withoutUpdates(context, many, plan, source, reading);
  const base = await findBaseUrl(world, account);
  const claimed = claimRecord(world, {
    path: many.journal,
    key: keyOf([source.digest(), line, base ?? '']),
    rows: plan.rows,
    continuation,
  });
  onClaim(claimed);
  // Before anything is said: of a bulk that another wm is running there is nothing to say.
  const survey = await claimed.survey();
  await showPlan(context, plan, source, reading);
  const { path, resumed } = survey;
  const left = resumed ? await leftOf(await source.open(reading), resumed) : allOf(plan);
  for (const said of whatWasBefore(survey, continuation, plan)) await report.info(said);
  if (resumed && reading.relative.size > 0)
    await report.info('Such dates count from the day on which the run began.');
  if (left.unknown !== '')
    await report.info(`Sent before without a response, and sent again now: ${left.unknown}`);
  await report.info(`Journal: ${path}`);
  // Where every row has its response, or what is left is invalid, there is nothing to say no to.
  if (left.toSend > 0) await context.confirm(question(left, survey));
  await source.verify().catch(nothingSent);
  await dropOldJournals(world, { now: world.clock.now(), except: path });
  return { plan, left, claimed };
}

/** There are no rows, or all are invalid. */
async function withoutUpdates(
  context: Context,
  many: ManyFlags,
  plan: Plan,
  source: InputSource,
  reading: Reading,
): Promise<never> {
  await showPlan(context, plan, source, reading);
  if (plan.rows === 0) throw usageError(`There are no rows in ${source.name}`);
  // Ids on the command line have no line to be listed by.
  if (many.from !== undefined) await listInvalid(context, await source.open(reading));
  // Of a bulk that is resumed, some may be done already: a name in them was known then.
  if (many.errors === undefined || many.resume) throw refusedRows(plan);
  await writeRefused(context.world, many.errors, await source.open(reading));
  throw usageError(cannotBeSent(plan), fixAndSend(many.errors, context.world.process.platform));
}

/** Somebody changed the input while somebody else read the plan, say. */
function nothingSent(error: unknown): never {
  throw toFailure(error).withHint('Nothing was sent. Run the command again, and check the new plan.');
}

function continuationOf({ resume, restart }: ManyFlags): Continuation {
  if (resume && restart)
    throw usageError(
      '--resume and --restart exclude each other',
      '--resume sends what is left of an earlier run, --restart sends every row.',
    );
  if (resume) return 'resume';
  return restart ? 'restart' : undefined;
}

/** What an earlier run did, and what becomes of that. */
function whatWasBefore(
  { resumed, discarded }: Survey,
  continuation: Continuation,
  { rows }: Plan,
): readonly string[] {
  if (resumed) {
    const answered = answeredLine(resumed, rows);
    return answered === undefined ? [] : [answered];
  }
  if (discarded) {
    const { states, rows: all } = discarded;
    const unknown = states.count(state.sent);
    const doubtful = unknown > 0 ? `, ${count(unknown)} of unknown outcome` : '';
    return [
      `Discarding the journal of an earlier run: ${count(states.count(state.done))} of ${count(all)} rows updated${doubtful}.`,
    ];
  }
  return continuation === 'resume' ? ['Nothing to resume: starting with the first row.'] : [];
}

function question({ toSend }: Left, { discarded }: Survey): string {
  const tasks = toSend === 1 ? '1 task' : `${count(toSend)} tasks`;
  const again = discarded?.states.count(state.done) ?? 0;
  return again > 0
    ? `Start over, and update ${tasks}? An earlier run has updated ${count(again)} already.`
    : `Update ${tasks}?`;
}

async function showPlan(
  { report }: Context,
  plan: Plan,
  { name }: InputSource,
  { relative, dropped }: Reading,
): Promise<void> {
  for (const line of planLines(plan, name)) await report.info(line);
  for (const [said, date] of relative) await report.info(`  ${said} is ${date}`);
  const warning = droppedHtmlWarningForRows(dropped);
  if (warning !== undefined) await report.warn(warning);
}

function refusedRows(plan: Plan): Failure {
  return usageError(
    cannotBeSent(plan),
    `Fix them, and run it again. The first is:\n${plan.refusals[0] ?? ''}`,
  );
}

function cannotBeSent({ rows, refused }: Plan): string {
  return rows === 1 ? 'The only row is invalid' : `${refused} of ${rows} rows are invalid`;
}
