// Prints the plan of a bulk run, claims its journal, and asks for confirmation. Nothing is sent here. If nothing can be sent,
// the failure says why.

import type { RowStates } from '#bulk/row-states.ts';
import type { Context } from '#cli/context.ts';
import { agree, countOf, formatCount, shareOf } from '#cli/count-of.ts';
import { toFailure, usageError } from '#failure.ts';
import { findBaseUrl, selectProfileName } from '#login/select-account.ts';
import type { World } from '#world/world.ts';
import { removeOldJournals } from './bulk-journal-place.ts';
import { writeInvalidRows } from './errors-file.ts';
import { allowEmptyHint, type BulkFlags } from './flags.ts';
import { bulkKey, type Continuation, JournalClaim, type JournalSurvey } from './journal-file.ts';
import {
  type BulkPlan,
  type BulkRequest,
  createPlan,
  invalidRowsFailure,
  invalidRowsText,
  leftRowsFailure,
  printPlan,
} from './plan.ts';
import { listInvalid } from './results.ts';
import { resolverAt } from './row-resolver.ts';
import { fixErrorsFileHint } from './summary.ts';

/** A run of fewer rows ends before the heap has grown: collecting sooner would only take time. */
const maxRowsInLargeHeap = 25_000;

/**
 * Calls `onClaim` with the claim, which the caller must release. If there is nothing to send, returns undefined with
 * --allow-empty, and otherwise rejects with a Failure.
 */
export async function confirmPlan(
  context: Context,
  request: BulkRequest,
  onClaim: (claim: JournalClaim) => void,
): Promise<{ readonly plan: BulkPlan; readonly claim: JournalClaim } | undefined> {
  const { world, account, report } = context;
  const { flags, defaults, source, resolver } = request;
  const continuation = continuationOf(flags);
  let rows = 0;
  const shrinkHeap = () => (++rows === maxRowsInLargeHeap ? world.process.preferSmallHeap() : undefined);
  let plan = await createPlan(request, shrinkHeap, { keepsIds: true });
  const isEmpty = plan.rows === 0 && flags.allowEmpty === true;
  if (isEmpty && !flags.resume) return endEmpty(context, plan);
  if (plan.rows === plan.invalid && !flags.resume) await failWithoutUpdates(context, plan);
  const base = await findBaseUrl(world, account);
  // The flags that change the meaning of the rows, and so identify the run.
  const { columns, ignoreColumn } = flags;
  const rowFlags = columns || ignoreColumn ? [columns ?? null, ignoreColumn ?? null] : [];
  const command = [defaults, base ?? '', ...rowFlags, ...[resolver.lookUps.dates()?.order ?? []].flat()];
  const file = await namedFile(world, flags);
  // Two users of one host may send the same file; only the hash is stored.
  const signIn = account.token ?? (await selectProfileName(world, account)).name;
  const claim = new JournalClaim(world, {
    path: flags.journal,
    key: bulkKey([source.digest(), ...command]),
    command: bulkKey([file ?? '', signIn, ...command]),
    isNamedFile: file !== undefined,
    rows: plan.rows,
    idEntries: plan.idEntries,
    readsIds: resolver.lookUps.hasTasks() || flags.from === undefined,
    continuation,
  });
  onClaim(claim);
  // Before anything is printed: if another wm runs this bulk update, only that is reported.
  const survey = await claim.survey();
  const { path, resumed, ids } = survey;
  const left = survey.left.filter(({ count }) => count > 0);
  if (resumed) {
    const options = { keepsIds: true, earlier: resumed };
    const sameTasks = resolverAt(resolver, resumed.header.started, ids.size > 0 ? ids : undefined);
    plan = await createPlan({ ...request, resolver: sameTasks }, shrinkHeap, options);
  }
  plan = { ...plan, left };
  if (isEmpty) {
    await endEmpty(context, plan);
    await claim.endLeft();
    if (left.length > 0) throw leftRowsFailure(plan);
    return undefined;
  }
  // Not before the journal is read: an earlier run may have changed the titles that name its tasks.
  if (plan.rows === plan.invalid) await failWithoutUpdates(context, plan);
  await printPlan(context, plan);
  for (const { text } of left)
    await report.warn(`${source.name} has changed since a run that ended early. ${text}`);
  const earlier = left.length > 0 ? undefined : earlierRunLine(survey, continuation, plan);
  if (earlier !== undefined) await report.info(earlier);
  if (resumed && plan.resolver.relativeDates.size > 0)
    await report.info('These dates count from the day on which the run began.');
  if (resumed?.isOlder)
    await report.info('An older wm wrote this journal: after a power cut, it may lack rows that were sent.');
  if (plan.lost.length > 0)
    await report.warn(
      `The earlier run was cut off, so its journal may lack the rows that it sent last: ${countOf(plan.lost.length, 'row counts', 'rows count')} as sent.`,
    );
  if (plan.unknownRows !== '')
    await report.info(`Sent before without a response, and sent again now: ${plan.unknownRows}`);
  await report.info(`Journal: ${path}`);
  // Without a row to send, there is nothing to confirm.
  if (plan.toSend > 0) await context.confirm(confirmation(plan, survey));
  // Another user may have changed the input while this one read the plan.
  await source.verify().catch((error: unknown) => {
    throw toFailure(error).with({ hint: 'Nothing was sent. Run the command again, and check the new plan.' });
  });
  await removeOldJournals(world, { now: world.clock.now(), except: path });
  return { plan, claim };
}

/** The file of --from, whichever way it is named; undefined for standard input, a pipe and ids. */
async function namedFile({ files }: World, { from }: BulkFlags): Promise<string | undefined> {
  if (from === undefined || from === '-' || (await files.kind(from)) !== 'file') return undefined;
  return files.realPath(from);
}

async function endEmpty(
  { world, report }: Context,
  { flags, source, resolver }: BulkPlan,
): Promise<undefined> {
  // Errors of an earlier run would look like errors of this one.
  if (flags.errors !== undefined) await writeInvalidRows(world, flags.errors, await source.open(resolver));
  await report.info(`Nothing to update: there are no rows in ${source.name}.`);
}

/** There are no rows, or all are invalid. */
async function failWithoutUpdates(context: Context, plan: BulkPlan): Promise<never> {
  const { world } = context;
  const { flags, source, resolver } = plan;
  await printPlan(context, plan);
  if (plan.rows === 0) throw usageError(`There are no rows in ${source.name}`, allowEmptyHint);
  // Ids on the command line have no line to be listed by.
  if (flags.from !== undefined) await listInvalid(context, await source.open(resolver));
  // With --resume, a row that is invalid now may be done: its name may have existed then.
  if (flags.errors === undefined || flags.resume) throw invalidRowsFailure(plan);
  await writeInvalidRows(world, flags.errors, await source.open(resolver));
  throw usageError(invalidRowsText(plan), fixErrorsFileHint(context, flags.errors));
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

/** What an earlier run did, and what happens to it now; undefined if it did nothing. */
function earlierRunLine(
  { resumed, discarded, left }: JournalSurvey,
  continuation: Continuation,
  { rows, source }: BulkPlan,
): string | undefined {
  if (resumed) return resumedLine(resumed.states, rows);
  if (left.length > 0)
    return `${source.name} has changed since a run that ended early, and has every row that it left: starting with the first row.`;
  if (discarded) {
    const { updated, unknown } = discarded.states.counts();
    const unknownText = unknown > 0 ? `, ${formatCount(unknown)} unknown` : '';
    const lostText = discarded.lostTo > 0 ? ', others may have been sent' : '';
    return `Discarding the journal of an earlier run: ${shareOf(updated, discarded.header.rows, 'row', 'was')} updated${unknownText}${lostText}.`;
  }
  return continuation === 'resume' ? 'Nothing to resume: starting with the first row.' : undefined;
}

function resumedLine(states: RowStates, rows: number): string | undefined {
  const { final, unreported } = states;
  if (final === 0) return undefined;
  const notUpdated = final - states.counts().updated;
  const problems = notUpdated > 0 ? ` (${formatCount(notUpdated)} failed or invalid)` : '';
  const verb = agree(unreported, 'is');
  // Not "not listed": the disk may have been full, so that the journal does not show it.
  const listed =
    unreported > 0
      ? `${formatCount(unreported)} of them ${verb} not recorded as listed and ${verb} listed now; the others are not listed again.`
      : 'They are skipped and not listed again.';
  return `Done in an earlier run: ${formatCount(final)} of ${countOf(rows, 'row')}${problems}. ${listed} The journal has each by its line.`;
}

function confirmation({ toSend }: BulkPlan, { discarded }: JournalSurvey): string {
  const tasks = countOf(toSend, 'task');
  const again = discarded?.states.counts().updated ?? 0;
  return again > 0
    ? `Start over, and update ${tasks}? An earlier run has updated ${formatCount(again)} already.`
    : `Update ${tasks}?`;
}
