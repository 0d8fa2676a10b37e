// Says at the end of a bulk run how many rows were updated, which were not, and what to do next. --resume comes before fixing the
// errors file, since it writes that file again: fixes would be lost, and rows that were sent from it meanwhile would come back.

import type { RowStates } from '#bulk/row-states.ts';
import { agree, countOf, formatCount, shareOf } from '#cli/count-of.ts';
import { type FormatContext, formatCommandWith } from '#cli/format-command.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { quoteForShell } from '#cli/shell-quote.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { Failure } from '#failure.ts';
import type { Interruption } from '#world/world.ts';
import { formatRow } from './format-quantity.ts';
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

export class Summary {
  readonly #states: RowStates;
  readonly #plan: BulkPlan;
  /** For the commands in hints. */
  readonly #context: FormatContext;
  /** How many rows an earlier run has finished. */
  readonly earlier: number;
  /** The outcomes of an earlier run. */
  readonly #before: ReturnType<RowStates['counts']>;
  readonly #unknownRows: TaskResult['row'][] = [];

  constructor(states: RowStates, plan: BulkPlan, context: FormatContext) {
    this.#states = states;
    this.#plan = plan;
    this.#context = context;
    this.earlier = states.final;
    this.#before = states.counts();
  }

  get isComplete(): boolean {
    return this.#open === 0;
  }

  /** Rows without a final outcome. */
  get #open(): number {
    return this.#plan.rows - this.#states.final;
  }

  /** Includes rows whose response was not waited for. */
  get #unknown(): number {
    return this.#states.counts().unknown;
  }

  /** This run updated a row, or may have. */
  get #hasChanged(): boolean {
    const { updated, unknown } = this.#states.counts();
    return updated > this.#before.updated || unknown > this.#before.unknown || this.#unknownRows.length > 0;
  }

  get #failedOrInvalid(): number {
    const { failed, invalid } = this.#states.counts();
    return failed + invalid;
  }

  add(result: TaskResult): void {
    if (rowOutcome(result) === 'unknown' && this.#unknownRows.length < maxUnknownListed)
      this.#unknownRows.push(result.row);
  }

  /** `milliseconds`: how long the run took. */
  line(milliseconds: number): string {
    const before = this.#before;
    const now = this.#states.counts();
    const updated = now.updated - before.updated;
    const seconds = milliseconds / 1000;
    const rate = formatCount(Math.round(updated / Math.max(0.001, seconds)));
    const counts = [
      [this.earlier, 'done in an earlier run'],
      [now.failed - before.failed, 'failed'],
      [now.invalid - before.invalid, 'invalid'],
      [this.#unknown, 'unknown'],
      [this.#open - this.#unknown, 'not sent'],
    ] as const;
    return [
      `${formatCount(updated)} of ${countOf(this.#plan.rows, 'row')} updated in ${seconds.toFixed(1)} s (${rate}/s)`,
      ...counts.flatMap(([count, text]) => (count > 0 ? [`${formatCount(count)} ${text}`] : [])),
    ].join(', ');
  }

  /** Undefined if every row was updated, and all requested output was written. */
  failure(ending: Ending): Failure | undefined {
    const { ended, interrupted } = ending;
    const { rows } = this.#plan;
    if (this.#failedOrInvalid === 0 && this.#open === 0) return this.#outputFailure(ending);
    const isUntouched = this.#open === rows && this.#unknown === 0;
    // A failure of the input, or of the undo log, says best what to do.
    if (isUntouched && ended?.code === 'usage' && !interrupted) return ended;
    const hint = this.#hints(ending).join('\n');
    const message =
      this.#open > 0 ? this.#openRows() : `${shareOf(this.#failedOrInvalid, rows, 'row', 'was')} not updated`;
    if (interrupted) return interruptedFailureWith(interrupted, message, hint);
    return new Failure(failureCodeOf(ended, this.#hasChanged), {
      message,
      why: ended?.sentence,
      hint,
      httpStatus: ended?.httpStatus,
      cause: ended,
    });
  }

  #hints(ending: Ending): readonly string[] {
    const unknown = this.#unknown > 0 ? this.#unknownHint() : [];
    return [unknown, remedyOf(ending.ended) ?? [], this.#nextSteps(ending)].flat();
  }

  /** One or two lines. */
  #nextSteps({ errorsCount, journalFailure }: Ending): string {
    const { errors } = this.#plan.flags;
    const { unreported } = this.#states;
    const open = this.#open;
    const newInvalid = this.#states.counts().invalid - this.#before.invalid;
    /** Invalid rows that this run did not reach. */
    const unreached = Math.min(open, this.#plan.newInvalid - newInvalid);
    const failedOrInvalid = this.#failedOrInvalid + unreached;
    const isListed = errors === undefined || errorsCount >= failedOrInvalid;
    if (open === 0 && unreported === 0 && isListed && !journalFailure)
      return errors === undefined
        ? 'Next time, add --errors FILE: it gets the rows that were not updated, to fix and send again.'
        : fixErrorsFileHint(errors, this.#context.world.process.platform);
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
    return `First r${resume}\nThen fix ${errors}, and send it with --from ${quoteForShell(errors, this.#context.world.process.platform)}. Now it has ${state}`;
  }

  /** Every row was updated; only a report of it is missing. */
  #outputFailure(ending: Ending): Failure | undefined {
    const { ended, resultsFailure, errorsFailure, journalFailure, isReaderGone, interrupted } = ending;
    const { unreported } = this.#states;
    const hint = allUpdatedHint(unreported, journalFailure !== undefined);
    if (interrupted && unreported > 0)
      return interruptedFailureWith(interrupted, 'the results were not read to the end', hint);
    const failure = resultsFailure ?? errorsFailure ?? journalFailure;
    if (failure) return failure.with({ hint });
    // A reader that closes its pipe early needs no more results; the journal still has them.
    if (isReaderGone || unreported === 0) return undefined;
    // The input could not be read again to list the results of an earlier run.
    return new Failure('other', {
      message: 'Not every result was listed',
      why: ended?.sentence,
      hint,
      cause: ended,
    });
  }

  #openRows(): string {
    const sent = this.#unknown;
    const notSent = this.#open - sent;
    const { rows } = this.#plan;
    const sentText = `sent and ${agree(sent, 'has')} no usable response`;
    if (notSent === 0) return `${shareOf(sent, rows, 'row', 'was')} ${sentText}`;
    const unknown = sent > 0 ? `, and ${formatCount(sent)} ${agree(sent, 'was')} ${sentText}` : '';
    return `${shareOf(notSent, rows, 'row', 'was')} not sent${unknown}`;
  }

  /** One or two lines. */
  #unknownHint(): readonly string[] {
    const listed = this.#unknownRows.map(formatRow);
    const more = this.#unknown - listed.length;
    const rest = more > 0 ? [listed.length > 0 ? `${formatCount(more)} more` : countOf(more, 'row')] : [];
    const them = agree(this.#unknown, 'it');
    const ids = new Set(this.#unknownRows.flatMap(({ id }) => id ?? []));
    return [
      `Sent, with an unknown outcome: ${[...listed, ...rest].join(', ')}. --resume sends ${them} again.`,
      ...(ids.size > 0 ? [`To check: ${formatCommandWith(this.#context, 'task get', [...ids])}`] : []),
    ];
  }
}

export function fixErrorsFileHint(errors: string, platform: NodeJS.Platform): string {
  return `${errors} has each with its reason: fix it, and send it with --from ${quoteForShell(errors, platform)}`;
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
