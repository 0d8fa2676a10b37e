// Says at the end of a bulk run how many rows were updated, which were not, and what to do next. --resume comes before fixing the
// errors file, since it writes that file again: fixes would be lost, and rows that were sent from it meanwhile would come back.

import { formatRow } from '#bulk/row.ts';
import type { RowStates } from '#bulk/row-states.ts';
import { agree, countOf, formatCount, shareOf } from '#cli/count-of.ts';
import { formsOf } from '#cli/flags/flag-forms.ts';
import { formatCommandWith, type RepeatContext } from '#cli/format-command.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure } from '#failure.ts';
import type { Interruption } from '#world/world.ts';
import { updateFlags } from '../input/update-flags.ts';
import type { Outputs } from './outputs.ts';
import type { BulkPlan } from './plan.ts';
import { rowOutcome, type TaskResult } from './results.ts';

interface Ending extends ReturnType<Outputs['end']> {
  /** What ended the run early. */
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
  /** The journal could not be written to its end: rows with a response may count as sent without one. */
  readonly journalFailure: Failure | undefined;
}

const maxUnknownListed = 50;

/** `context`: for the commands in hints. */
export function createSummary(states: RowStates, plan: BulkPlan, context: RepeatContext) {
  const { rows } = plan;
  const { errors } = plan.flags;
  /** How many rows an earlier run has finished, and the outcomes of all. */
  const earlier = states.final;
  const before = states.counts();
  const unknownRows: TaskResult['row'][] = [];
  /** `open`: rows without a final outcome; `unknown`: those of them that were sent, even if their response was not waited for. */
  const count = () => {
    const { failed, invalid, unknown, updated } = states.counts();
    return {
      open: rows - states.final,
      unknown,
      failed,
      invalid,
      failedOrInvalid: failed + invalid,
      updated,
    };
  };

  /** One or two lines. */
  const nextSteps = ({ errorsCount, journalFailure }: Ending): string => {
    const { open, invalid, failedOrInvalid: finished } = count();
    const { unreported } = states;
    /** Invalid rows that this run did not reach. */
    const unreached = Math.min(open, plan.newInvalid - (invalid - before.invalid));
    const failedOrInvalid = finished + unreached;
    const isListed = errors === undefined || errorsCount >= failedOrInvalid;
    if (open === 0 && unreported === 0 && isListed && !journalFailure)
      return errors === undefined
        ? 'Next time, add --errors FILE: it gets the rows that were not updated, to fix and send again.'
        : fixErrorsFileHint(context, errors);
    const sends =
      open > unreached
        ? [`sends ${formatRowsThat(open - unreached, 'is')} left`]
        : open === 0 && !journalFailure
          ? ['sends nothing again']
          : [];
    const lists = unreported > 0 ? [`lists ${formatRowsThat(unreported, 'was')} not listed`] : [];
    const effects = joinWithAnd([...sends, ...lists, ...(open > 0 || isListed ? [] : [`writes ${errors}`])]);
    const resume = `un the same command with --resume${effects === '' ? '.' : `: it ${effects}.`}${journalFailure ? ` ${mayResendText}` : ''}`;
    if (failedOrInvalid === 0) return `R${resume}`;
    if (errors === undefined)
      return `R${resume}\nAdd --errors FILE to get the rows that failed or are invalid in a file, to fix and send again.`;
    const state = isListed
      ? `${formatTheRows(failedOrInvalid)} that failed or ${agree(failedOrInvalid, 'is')} invalid; --resume writes it again.`
      : `${formatCount(errorsCount)} of ${formatCount(failedOrInvalid)} rows that failed or are invalid; --resume writes it again, with all of them.`;
    return `First r${resume}\nThen fix ${errors}, and ${sendHint(context, errors)}. Now it has ${state}`;
  };

  /** Every row was updated; only a report of it is missing. */
  const outputFailure = (ending: Ending): Failure | undefined => {
    const { ended, resultsFailure, errorsFailure, journalFailure, isReaderGone, interrupted } = ending;
    const { unreported } = states;
    const hint = allUpdatedHint(unreported, journalFailure !== undefined);
    if (interrupted && unreported > 0)
      return interruptedFailureWith(interrupted, 'the results were not read to the end', hint);
    const failure = resultsFailure ?? errorsFailure ?? journalFailure;
    if (failure) return failure.with({ hint });
    // A reader that closes its pipe early needs no more results; the journal still has them.
    if (isReaderGone || unreported === 0) return undefined;
    // The input could not be read again to list the results of an earlier run.
    const message = 'Not every result was listed';
    return new Failure('other', { message, why: ended?.sentence, hint, cause: ended });
  };

  const describeOpen = (): string => {
    const { open, unknown: sent } = count();
    const notSent = open - sent;
    const sentText = `sent and ${agree(sent, 'has')} no usable response`;
    if (notSent === 0) return `${shareOf(sent, rows, 'row', 'was')} ${sentText}`;
    const unknown = sent > 0 ? `, and ${formatCount(sent)} ${agree(sent, 'was')} ${sentText}` : '';
    return `${shareOf(notSent, rows, 'row', 'was')} not sent${unknown}`;
  };

  /** One or two lines; none if no outcome is unknown. */
  const unknownHint = (): readonly string[] => {
    const { unknown } = count();
    if (unknown === 0) return [];
    const listed = unknownRows.map(formatRow);
    const more = unknown - listed.length;
    const rest = more > 0 ? [listed.length > 0 ? `${formatCount(more)} more` : countOf(more, 'row')] : [];
    const ids = new Set(unknownRows.flatMap(({ id }) => id ?? []));
    return [
      `Sent, with an unknown outcome: ${[...listed, ...rest].join(', ')}. --resume sends ${agree(unknown, 'it')} again.`,
      ...(ids.size > 0 ? [`To check: ${formatCommandWith(context, 'task get', [...ids])}`] : []),
    ];
  };

  return {
    earlier,
    isComplete: () => count().open === 0,
    add(result: TaskResult): void {
      if (rowOutcome(result) === 'unknown' && unknownRows.length < maxUnknownListed)
        unknownRows.push(result.row);
    },
    /** `milliseconds`: how long the run took. */
    line(milliseconds: number): string {
      const now = count();
      const updated = now.updated - before.updated;
      const seconds = milliseconds / 1000;
      const rate = formatCount(Math.round(updated / Math.max(0.001, seconds)));
      const counts = [
        [earlier, 'done in an earlier run'],
        [now.failed - before.failed, 'failed'],
        [now.invalid - before.invalid, 'invalid'],
        [now.unknown, 'unknown'],
        [now.open - now.unknown, 'not sent'],
      ] as const;
      return [
        `${formatCount(updated)} of ${countOf(rows, 'row')} updated in ${seconds.toFixed(1)} s (${rate}/s)`,
        ...counts.flatMap(([count, text]) => (count > 0 ? [`${formatCount(count)} ${text}`] : [])),
      ].join(', ');
    },
    /** Undefined if every row was updated, and all requested output was written. */
    failure(ending: Ending): Failure | undefined {
      const { ended, interrupted } = ending;
      const { open, unknown, failedOrInvalid, updated } = count();
      if (failedOrInvalid === 0 && open === 0) return outputFailure(ending);
      // A failure of the input, or of the undo log, says best what to do.
      if (open === rows && unknown === 0 && ended?.code === 'usage' && !interrupted) return ended;
      const hint = [...unknownHint(), remedyOf(ended) ?? [], nextSteps(ending)].flat().join('\n');
      const message =
        open > 0 ? describeOpen() : `${shareOf(failedOrInvalid, rows, 'row', 'was')} not updated`;
      if (interrupted) return interruptedFailureWith(interrupted, message, hint);
      /** This run updated a row, or may have. */
      const hasChanged = updated > before.updated || unknown > before.unknown || unknownRows.length > 0;
      const { sentence: why, httpStatus } = ended ?? {};
      return new Failure(failureCodeOf(ended, hasChanged), { message, why, hint, httpStatus, cause: ended });
    },
  };
}

export function fixErrorsFileHint(context: RepeatContext, errors: string): string {
  return `${errors} has each with its reason: fix it, and ${sendHint(context, errors)}`;
}

/** The file lacks what the command line says about every row. */
function sendHint({ commandLine, world }: RepeatContext, errors: string): string {
  const same = [...commandLine.rawFlags].flatMap(([name, texts]) => {
    const flag = commandLine.flags[name];
    if (!flag || !(name in updateFlags || ['columns', 'ignoreColumn', 'dateOrder'].includes(name))) return [];
    const { long, opposite } = formsOf(name, flag);
    return (texts.at(-1) === 'false' ? opposite : undefined) ?? long;
  });
  const from = `send it with --from ${quoteForShell(errors, world.process.platform)}`;
  return same.length === 0 ? from : `${from} and the same ${joinWithAnd(same)}`;
}

/** `the 1 row that is`, `the 3 rows that are`. */
function formatRowsThat(number: number, verb: 'is' | 'was'): string {
  return `${formatTheRows(number)} that ${agree(number, verb)}`;
}

const formatTheRows = (number: number): string => `the ${countOf(number, 'row')}`;

/** For a journal that could not be written to its end. */
const mayResendText = 'The journal lacks the end of this run: --resume may send the last rows of it again.';

function allUpdatedHint(unreported: number, isJournalIncomplete: boolean): string {
  const updated = 'Every row was updated.';
  if (unreported === 0)
    return isJournalIncomplete
      ? `${updated} Each was listed. --resume may send the last rows again.`
      : `${updated} The errors file would have been empty.`;
  const rows = `${formatRowsThat(unreported, 'was')} not listed.`;
  return isJournalIncomplete
    ? `${updated} Run the same command with --resume: it lists ${rows} ${mayResendText}`
    : `${updated} Run the same command with --resume: it sends nothing again and lists ${rows}`;
}

/** What the user must do first. Not the hint of the failure itself: it says that nothing changed, which is true of one row only. */
function remedyOf(ended: Failure | undefined): string | undefined {
  if (ended?.code === 'usage') return ended.hint;
  if (ended?.meaning.retry !== 'later' || ended.code === 'rate_limited') return undefined;
  const { code, cause } = ended;
  return (code === 'network' && cause instanceof Failure ? cause : ended).hint;
}

/** `part_failed`, unless nothing was changed: then the cause's own code says more. */
function failureCodeOf(ended: Failure | undefined, hasChanged: boolean): Failure['code'] {
  // Rows were not sent; an output that could not be written is only the reason.
  if (!ended || hasChanged || ended.code === 'other' || ended.code === 'usage') return 'part_failed';
  return ended.code;
}
