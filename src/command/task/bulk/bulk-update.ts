// `wm task update` for many: a plan first, then a yes, then every row with its answer on record. Joins the parts; what each
// does stands in this folder's other files and in src/bulk/.

import { rowState } from '../../../bulk/row-states.ts';
import { type Failure, toFailure, usageError } from '../../../failure.ts';
import { findBaseUrl } from '../../../login/select-account.ts';
import type { Context } from '../../context.ts';
import { untilInterrupted } from '../../interrupt.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { droppedHtmlWarningForRows } from '../input/html-warning.ts';
import { checkFiles } from './check-files.ts';
import { distinctIds } from './distinct-ids.ts';
import { writeInvalidRows } from './errors-file.ts';
import type { BulkFlags } from './flags.ts';
import { formatCount } from './format-number.ts';
import { fileSource, type InputSource, idSource } from './input-source.ts';
import { handleInterruptions } from './interruption.ts';
import {
  bulkKey,
  type Continuation,
  claimJournal,
  type JournalClaim,
  type JournalSurvey,
} from './journal-file.ts';
import { listInvalid } from './list-invalid.ts';
import { fixErrorsFileHint } from './next-steps.ts';
import { createPlan, formatPlan, type Plan } from './plan.ts';
import { earlierRunLine, type Remaining, remainingOfNew, remainingOfResumed } from './remaining.ts';
import { removeOldJournals } from './remove-old-journals.ts';
import { createRequestPreview } from './request-preview.ts';
import { createRowResolver, type RowResolver } from './row-resolver.ts';
import { runBulk } from './run-bulk.ts';

export interface BulkInput {
  readonly ids: readonly string[];
  readonly flags: BulkFlags;
  /** What the command line says for every row. */
  readonly line: UpdateFlagValues;
  /** The values before go on record first. */
  readonly undoable: boolean;
}

/** Throws a Failure where not every row was updated. */
export async function bulkUpdate(context: Context, input: BulkInput): Promise<void> {
  const { world, common } = context;
  const { flags, line } = input;
  const { ids, repeated } = distinctIds(input.ids);
  if (repeated.length > 0)
    await context.report.info(`Given more than once, and updated once: ${repeated.join(', ')}`);
  const onlyShown = common.dryRun === true || common.curl === true;
  const source =
    flags.from === undefined ? idSource(ids, line) : fileSource(world, flags.from, line, !onlyShown);
  try {
    const reading = createRowResolver(context, world.clock.now());
    await checkFiles(world, flags);
    if (onlyShown) await untilInterrupted(context, () => dryRun(context, input, source, reading));
    else await planAndSend(context, input, source, reading);
  } finally {
    await source.close();
  }
}

async function dryRun(
  context: Context,
  { flags }: BulkInput,
  source: InputSource,
  reading: RowResolver,
): Promise<void> {
  const shown = await createRequestPreview(context, flags.from === undefined);
  const plan = await createPlan(await source.open(reading), shown.print);
  await shown.end();
  await showPlan(context, plan, source, reading);
  await context.report.info('Not sent: this was a dry run.');
  if (plan.invalid > 0) throw invalidRowsFailure(plan);
}

async function planAndSend(context: Context, input: BulkInput, source: InputSource, reading: RowResolver) {
  let claim: JournalClaim | undefined;
  try {
    await context.world.process.preferSmallHeap();
    const { plan, left, claimed } = await untilInterrupted(context, () =>
      confirmPlan(context, input, source, reading, (made) => {
        claim = made;
      }),
    );
    const interruption = handleInterruptions(context);
    try {
      const bulk = await claimed.open(reading.now);
      await runBulk(context, input, {
        plan,
        left,
        source,
        reading: reading.at(bulk.started),
        bulk,
        interruption,
      });
    } finally {
      interruption.dispose();
    }
  } finally {
    await claim?.release();
  }
}

/** Up to the yes, nothing but a copy of standard input is left anywhere. `onClaim` hears of what is to be released. */
async function confirmPlan(
  context: Context,
  { flags, line }: BulkInput,
  source: InputSource,
  reading: RowResolver,
  onClaim: (claim: JournalClaim) => void,
) {
  const { world, account, report } = context;
  const continuation = continuationOf(flags);
  const plan = await createPlan(await source.open(reading));
  if (plan.rows === plan.invalid) await failWithoutUpdates(context, flags, plan, source, reading);
  const base = await findBaseUrl(world, account);
  const claimed = claimJournal(world, {
    path: flags.journal,
    key: bulkKey([source.digest(), line, base ?? '']),
    rows: plan.rows,
    continuation,
  });
  onClaim(claimed);
  // Before anything is said: of a bulk that another wm is running there is nothing to say.
  const survey = await claimed.survey();
  await showPlan(context, plan, source, reading);
  const { path, resumed } = survey;
  const left = resumed ? await remainingOfResumed(await source.open(reading), resumed) : remainingOfNew(plan);
  for (const said of earlierRunLines(survey, continuation, plan)) await report.info(said);
  if (resumed && reading.relativeDates.size > 0)
    await report.info('Such dates count from the day on which the run began.');
  if (left.unknownRows !== '')
    await report.info(`Sent before without a response, and sent again now: ${left.unknownRows}`);
  await report.info(`Journal: ${path}`);
  // Where every row has its response, or what is left is invalid, there is nothing to say no to.
  if (left.toSend > 0) await context.confirm(confirmation(left, survey));
  await source.verify().catch(nothingSent);
  await removeOldJournals(world, { now: world.clock.now(), except: path });
  return { plan, left, claimed };
}

/** There are no rows, or all are invalid. */
async function failWithoutUpdates(
  context: Context,
  many: BulkFlags,
  plan: Plan,
  source: InputSource,
  reading: RowResolver,
): Promise<never> {
  await showPlan(context, plan, source, reading);
  if (plan.rows === 0) throw usageError(`There are no rows in ${source.name}`);
  // Ids on the command line have no line to be listed by.
  if (many.from !== undefined) await listInvalid(context, await source.open(reading));
  // Of a bulk that is resumed, some may be done already: a name in them was known then.
  if (many.errors === undefined || many.resume) throw invalidRowsFailure(plan);
  await writeInvalidRows(context.world, many.errors, await source.open(reading));
  throw usageError(invalidRowsText(plan), fixErrorsFileHint(many.errors, context.world.process.platform));
}

/** Somebody changed the input while somebody else read the plan, say. */
function nothingSent(error: unknown): never {
  throw toFailure(error).with({ hint: 'Nothing was sent. Run the command again, and check the new plan.' });
}

function continuationOf({ resume, restart }: BulkFlags): Continuation {
  if (resume && restart)
    throw usageError(
      '--resume and --restart cannot be combined',
      '--resume sends what is left of an earlier run, --restart sends every row.',
    );
  if (resume) return 'resume';
  return restart ? 'restart' : undefined;
}

/** What an earlier run did, and what becomes of that. */
function earlierRunLines(
  { resumed, discarded }: JournalSurvey,
  continuation: Continuation,
  { rows }: Plan,
): readonly string[] {
  if (resumed) {
    const answered = earlierRunLine(resumed, rows);
    return answered === undefined ? [] : [answered];
  }
  if (discarded) {
    const { states, rows: all } = discarded;
    const unknown = states.count(rowState.sent);
    const doubtful = unknown > 0 ? `, ${formatCount(unknown)} of unknown outcome` : '';
    return [
      `Discarding the journal of an earlier run: ${formatCount(states.count(rowState.updated))} of ${formatCount(all)} rows updated${doubtful}.`,
    ];
  }
  return continuation === 'resume' ? ['Nothing to resume: starting with the first row.'] : [];
}

function confirmation({ toSend }: Remaining, { discarded }: JournalSurvey): string {
  const tasks = toSend === 1 ? '1 task' : `${formatCount(toSend)} tasks`;
  const again = discarded?.states.count(rowState.updated) ?? 0;
  return again > 0
    ? `Start over, and update ${tasks}? An earlier run has updated ${formatCount(again)} already.`
    : `Update ${tasks}?`;
}

async function showPlan(
  { report }: Context,
  plan: Plan,
  { name }: InputSource,
  { relativeDates, droppedHtml }: RowResolver,
): Promise<void> {
  for (const line of formatPlan(plan, name)) await report.info(line);
  for (const [said, date] of relativeDates) await report.info(`  ${said} is ${date}`);
  const warning = droppedHtmlWarningForRows(droppedHtml);
  if (warning !== undefined) await report.warn(warning);
}

function invalidRowsFailure(plan: Plan): Failure {
  return usageError(
    invalidRowsText(plan),
    `Fix them, and run it again. The first is:\n${plan.invalidLines[0] ?? ''}`,
  );
}

function invalidRowsText({ rows, invalid }: Plan): string {
  return rows === 1 ? 'The only row is invalid' : `${invalid} of ${rows} rows are invalid`;
}
