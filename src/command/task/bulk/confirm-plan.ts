// From the first read of the input to the user's confirmation: prints the plan and what an earlier run did, and prompts.
// Until then nothing is written but a temporary copy of standard input.

import { rowState } from '../../../bulk/row-states.ts';
import { type Failure, toFailure, usageError } from '../../../failure.ts';
import { findBaseUrl } from '../../../login/select-account.ts';
import type { Context } from '../../context.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { droppedHtmlWarningForRows } from '../input/html-warning.ts';
import { writeInvalidRows } from './errors-file.ts';
import type { BulkFlags } from './flags.ts';
import { formatCount, formatShare } from './format-quantity.ts';
import type { InputSource } from './input-source.ts';
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
import type { RowResolver } from './row-resolver.ts';

export interface BulkInput {
  readonly flags: BulkFlags;
  /** The values that the command line gives for every row. */
  readonly line: UpdateFlagValues;
  readonly source: InputSource;
  readonly resolver: RowResolver;
}

export interface ConfirmedPlan {
  readonly plan: Plan;
  readonly remaining: Remaining;
  readonly claimed: JournalClaim;
}

/** `onClaim` is called with what the caller must release. Rejects with a Failure where nothing is to be sent. */
export async function confirmPlan(
  context: Context,
  input: BulkInput,
  onClaim: (claim: JournalClaim) => void,
): Promise<ConfirmedPlan> {
  const { world, account, report } = context;
  const { flags, line, source, resolver } = input;
  const continuation = continuationOf(flags);
  const plan = await createPlan(await source.open(resolver));
  if (plan.rows === plan.invalid) await failWithoutUpdates(context, plan, input);
  const base = await findBaseUrl(world, account);
  const claimed = claimJournal(world, {
    path: flags.journal,
    key: bulkKey([source.digest(), line, base ?? '']),
    rows: plan.rows,
    continuation,
  });
  onClaim(claimed);
  // Before anything is printed: of a bulk update that another wm is running there is nothing to report.
  const survey = await claimed.survey();
  await printPlan(context, plan, input);
  const { path, resumed } = survey;
  const remaining = resumed
    ? await remainingOfResumed(await source.open(resolver), resumed)
    : remainingOfNew(plan);
  for (const text of earlierRunLines(survey, continuation, plan)) await report.info(text);
  if (resumed && resolver.relativeDates.size > 0)
    await report.info('These dates count from the day on which the run began.');
  if (remaining.unknownRows !== '')
    await report.info(`Sent before without a response, and sent again now: ${remaining.unknownRows}`);
  await report.info(`Journal: ${path}`);
  // Where every row has its outcome, or what is left is invalid, there is nothing to say no to.
  if (remaining.toSend > 0) await context.confirm(confirmation(remaining, survey));
  await source.verify().catch(failUnsent);
  await removeOldJournals(world, { now: world.clock.now(), except: path });
  return { plan, remaining, claimed };
}

export async function printPlan(
  { report }: Context,
  plan: Plan,
  { source, resolver }: Pick<BulkInput, 'source' | 'resolver'>,
): Promise<void> {
  for (const line of formatPlan(plan, source.name)) await report.info(line);
  for (const [typed, date] of resolver.relativeDates) await report.info(`  ${typed} is ${date}`);
  const warning = droppedHtmlWarningForRows(resolver.droppedHtml);
  if (warning !== undefined) await report.warn(warning);
}

/** There are no rows, or all are invalid. */
async function failWithoutUpdates(context: Context, plan: Plan, input: BulkInput): Promise<never> {
  const { world } = context;
  const { flags, source, resolver } = input;
  await printPlan(context, plan, input);
  if (plan.rows === 0) throw usageError(`There are no rows in ${source.name}`);
  // Ids on the command line have no line to be listed by.
  if (flags.from !== undefined) await listInvalid(context, await source.open(resolver));
  // Of a run that is resumed, some rows may be done already: a name in them was known then.
  if (flags.errors === undefined || flags.resume) throw invalidRowsFailure(plan);
  await writeInvalidRows(world, flags.errors, await source.open(resolver));
  throw usageError(invalidRowsText(plan), fixErrorsFileHint(flags.errors, world.process.platform));
}

/** Another user may have changed the input while this one read the plan. */
function failUnsent(error: unknown): never {
  throw toFailure(error).with({ hint: 'Nothing was sent. Run the command again, and check the new plan.' });
}

function continuationOf({ resume, restart }: BulkFlags): Continuation {
  if (resume && restart)
    throw usageError(
      '--resume and --restart cannot be combined',
      '--resume sends what an earlier run left, --restart sends every row.',
    );
  if (resume) return 'resume';
  return restart ? 'restart' : undefined;
}

/** What an earlier run did, and what happens to it. */
function earlierRunLines(
  { resumed, discarded }: JournalSurvey,
  continuation: Continuation,
  { rows }: Plan,
): readonly string[] {
  if (resumed) {
    const line = earlierRunLine(resumed, rows);
    return line === undefined ? [] : [line];
  }
  if (discarded) {
    const { states, rows: all } = discarded;
    const unknown = states.count(rowState.sent);
    const others = unknown > 0 ? `, ${formatCount(unknown)} unknown` : '';
    return [
      `Discarding the journal of an earlier run: ${formatShare(states.count(rowState.updated), all, 'was')} updated${others}.`,
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

/** For a run that sends nothing, or that was only previewed. */
export function invalidRowsFailure(plan: Plan): Failure {
  return usageError(
    invalidRowsText(plan),
    [
      `Fix ${plan.invalid === 1 ? 'it' : 'them'}, and run the command again. The first is:`,
      ...plan.invalidLines.slice(0, 1),
    ].join('\n'),
  );
}

function invalidRowsText({ rows, invalid }: Plan): string {
  return `${formatShare(invalid, rows, 'is')} invalid`;
}
