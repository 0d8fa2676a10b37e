// Counts the outcomes of a bulk run, and says at its end how many rows were updated, which were not, and what to do next.

import type { OutcomeKind } from '#bulk/row.ts';
import { type RowStates, rowState } from '#bulk/row-states.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { Failure } from '#failure.ts';
import type { Interruption } from '#world/world.ts';
import { conjugate, formatCount, formatRow, formatRows, formatShare } from './format-quantity.ts';
import { formatRowsThat, mayResendText, nextSteps } from './next-steps.ts';
import type { BulkPlan } from './plan.ts';
import { rowOutcome, type TaskResult } from './results.ts';

interface Ending {
  /** What ended the run early. */
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
  /** Standard output could not be written. */
  readonly resultsFailure: Failure | undefined;
  /** The errors file could not be written. */
  readonly errorsFailure: Failure | undefined;
  /** The journal could not be written to its end. */
  readonly journalFailure: Failure | undefined;
  /** The reader of standard output has gone. */
  readonly isReaderGone: boolean;
  /** The errors file, and how many rows were written to it. */
  readonly errors: string | undefined;
  readonly errorsCount: number;
}

const maxUnknownListed = 50;

/** `platform` decides how the commands in hints are quoted. */
export function createSummary(
  states: RowStates,
  { rows, newInvalid }: Pick<BulkPlan, 'rows' | 'newInvalid'>,
  platform: NodeJS.Platform,
) {
  const failedOrInvalid = () => states.count(rowState.failed) + states.count(rowState.invalid);
  const earlier = states.final;
  const counts: Record<OutcomeKind, number> = {
    updated: 0,
    failed: 0,
    invalid: 0,
    unknown: 0,
    'not-sent': 0,
  };
  const unknownRows: string[] = [];
  /** Rows without a final outcome. */
  const open = () => rows - states.final;
  /** Includes rows whose response was not waited for. */
  const unknown = () => states.count(rowState.sent);
  return {
    /** How many rows an earlier run has finished. */
    earlier,
    /** Every row has an outcome. */
    get isComplete() {
      return open() === 0;
    },
    add(result: TaskResult) {
      const outcome = rowOutcome(result);
      counts[outcome]++;
      if (outcome === 'unknown' && unknownRows.length < maxUnknownListed)
        unknownRows.push(formatRow(result.row));
    },
    /** `milliseconds`: how long the run took. */
    line(milliseconds: number) {
      const seconds = milliseconds / 1000;
      const rate = formatCount(Math.round(counts.updated / Math.max(0.001, seconds)));
      const parts = [
        `${formatCount(counts.updated)} of ${formatRows(rows)} updated in ${seconds.toFixed(1)} s (${rate}/s)`,
      ];
      if (earlier > 0) parts.push(`${formatCount(earlier)} done in an earlier run`);
      if (counts.failed > 0) parts.push(`${formatCount(counts.failed)} failed`);
      if (counts.invalid > 0) parts.push(`${formatCount(counts.invalid)} invalid`);
      if (unknown() > 0) parts.push(`${formatCount(unknown())} unknown`);
      if (open() - unknown() > 0) parts.push(`${formatCount(open() - unknown())} not sent`);
      return parts.join(', ');
    },
    /** Undefined where every row was updated, and everything that was asked for was written. */
    failure(ending: Ending) {
      const { ended, interrupted } = ending;
      if (failedOrInvalid() === 0 && open() === 0) return outputLost(ending);
      const isUntouched = open() === rows && unknown() === 0;
      // A failure of the input, or of the undo log, says best what to do.
      if (isUntouched && ended?.code === 'usage' && !interrupted) return ended;
      const hint = hints(ending).join('\n');
      const message = open() > 0 ? openRows() : `${formatShare(failedOrInvalid(), rows, 'was')} not updated`;
      if (interrupted) return interruptedFailureWith(interrupted, message, hint);
      return new Failure(failureCodeOf(ended, isUntouched), {
        message,
        why: ended?.sentence,
        hint,
        httpStatus: ended?.httpStatus,
        cause: ended,
      });
    },
  };

  function hints({ ended, errors, errorsCount, journalFailure }: Ending): readonly string[] {
    /** Invalid rows that this run did not reach. */
    const unreached = Math.min(open(), newInvalid - counts.invalid);
    const next = nextSteps({
      toSend: open() - unreached,
      failedOrInvalid: failedOrInvalid() + unreached,
      errorsCount,
      unreported: states.unreported,
      isOpen: open() > 0,
      errors,
      journalLost: journalFailure !== undefined,
      platform,
    });
    return [unknown() > 0 ? unknownHint() : [], remedyOf(ended) ?? [], next].flat();
  }

  /** Every row was updated; only a report of it is missing. */
  function outputLost(ending: Ending): Failure | undefined {
    const { ended, resultsFailure, errorsFailure, journalFailure, isReaderGone, interrupted } = ending;
    const hint = allUpdatedHint(journalFailure !== undefined);
    if (interrupted && states.unreported > 0)
      return interruptedFailureWith(interrupted, 'the results were not read to the end', hint);
    const lost = resultsFailure ?? errorsFailure ?? journalFailure;
    if (lost) return lost.with({ hint });
    // A reader that closes its pipe early wanted no more results; the journal still has them.
    if (isReaderGone || states.unreported === 0) return undefined;
    // The input could not be read again to list what an earlier run had done.
    return new Failure('other', {
      message: 'Not every result was listed',
      why: ended?.sentence,
      hint,
      cause: ended,
    });
  }

  function allUpdatedHint(isJournalLost: boolean): string {
    const all = 'Every row was updated.';
    const missing = states.unreported;
    if (missing > 0 && isJournalLost)
      return `${all} Run the same command with --resume: it lists ${formatRowsThat(missing, 'was')} not listed. ${mayResendText}`;
    if (missing > 0)
      return `${all} Run the same command with --resume: it sends nothing again and lists ${formatRowsThat(missing, 'was')} not listed.`;
    return isJournalLost
      ? `${all} Each was listed. --resume may send the last rows again.`
      : `${all} The errors file would have been empty.`;
  }

  function openRows(): string {
    const sent = unknown();
    const notSent = open() - sent;
    if (notSent === 0)
      return `${formatShare(sent, rows, 'was')} sent and ${conjugate(sent, 'has')} no response`;
    const others =
      sent > 0
        ? `, and ${formatCount(sent)} ${conjugate(sent, 'was')} sent and ${conjugate(sent, 'has')} no response`
        : '';
    return `${formatShare(notSent, rows, 'was')} not sent${others}`;
  }

  function unknownHint(): string {
    const more = unknown() - unknownRows.length;
    const others = more > 0 ? [`${formatCount(more)}${unknownRows.length > 0 ? ' more' : ' rows'}`] : [];
    const them = unknown() === 1 ? 'it' : 'them';
    return `Sent, with an unknown outcome: ${[...unknownRows, ...others].join(', ')}. --resume sends ${them} again.`;
  }
}

/** What the user must do first: the hint of the cause, since the failure's own says that nothing changed, true of one row only. */
function remedyOf(ended: Failure | undefined): string | undefined {
  if (ended?.code === 'usage') return ended.hint;
  if (ended?.meaning.retry !== 'later' || ended.code === 'rate_limited') return undefined;
  const { code, cause } = ended;
  return (code === 'network' && cause instanceof Failure ? cause : ended).hint;
}

/** The code is `part_failed`, unless nothing was done or only the user can fix it: then the cause's own code says more. */
function failureCodeOf(ended: Failure | undefined, isUntouched: boolean): Failure['code'] {
  // The failure is that rows were not sent; the output that could not be written is its reason.
  if (!ended || ended.code === 'other' || ended.code === 'usage') return 'part_failed';
  if (isUntouched || ended.code === 'sign_in_needed' || ended.code === 'rate_limited') return ended.code;
  return 'part_failed';
}
