// The count of a bulk, and what is said at its end: how many rows were updated, which were not, and how to go on.

import type { RecordedError } from '../../../bulk/journal.ts';
import { type RowStates, rowState } from '../../../bulk/row-states.ts';
import { Failure } from '../../../failure.ts';
import type { Interruption } from '../../../world/world.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import { formatCount } from './format-number.ts';
import { mayResendText, nextSteps, theRows } from './next-steps.ts';
import { type RowOutcome, rowOutcome, type TaskResult } from './results.ts';

export interface Ending {
  /** What ended it early. */
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
  /** Standard output could not be written. */
  readonly resultsFailure: Failure | undefined;
  /** The file of --errors could not be written. */
  readonly errorsFailure: Failure | undefined;
  /** The journal could not be written to its end. */
  readonly journalFailure: Failure | undefined;
  /** The reader of standard output has gone. */
  readonly isReaderGone: boolean;
  /** The file of --errors, and how many rows were written to it. */
  readonly errors: string | undefined;
  readonly errorsCount: number;
}

export interface Summary {
  /** Done by an earlier run. */
  readonly earlier: number;
  /** Every row has its response. */
  readonly isComplete: boolean;
  add(result: TaskResult): void;
  /** `milliseconds`: how long it took. */
  line(milliseconds: number): string;
  /** Nothing where every row was updated, and all was written that was asked for. */
  failure(ending: Ending): Failure | undefined;
}

export interface SummaryOptions {
  readonly rows: number;
  /** How many invalid rows no earlier run came to. */
  readonly newInvalid: number;
  readonly reasons: ReadonlyMap<number, RecordedError>;
  /** Of the shell that the commands in hints are for. */
  readonly platform: NodeJS.Platform;
}

const maxUnknownListed = 50;

const were = (number: number) => (number === 1 ? 'was' : 'were');

export function createSummary(
  states: RowStates,
  { rows, newInvalid, reasons, platform }: SummaryOptions,
): Summary {
  const failedBefore = states.count(rowState.failed);
  const before = states.count(rowState.updated) + failedBefore;
  const counts: Record<RowOutcome, number> = { updated: 0, failed: 0, refused: 0, unknown: 0, unsent: 0 };
  const unknown: string[] = [];
  const wrong = () => counts.failed + counts.refused + failedBefore;
  const open = () => rows - states.count(rowState.updated) - states.count(rowState.failed);
  /** Also those that nobody waits for any more. */
  const inDoubt = () => states.count(rowState.sent);
  return {
    earlier: before,
    get isComplete() {
      return open() === 0;
    },
    add(result) {
      const outcome = rowOutcome(result, reasons);
      counts[outcome]++;
      if (outcome === 'unknown' && unknown.length < maxUnknownListed)
        unknown.push(`line ${result.item.line} (${result.item.id ?? ''})`);
    },
    line(milliseconds) {
      const seconds = milliseconds / 1000;
      const rate = formatCount(Math.round(counts.updated / Math.max(0.001, seconds)));
      const parts = [
        `${formatCount(counts.updated)} of ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} updated in ${seconds.toFixed(1)} s (${rate}/s)`,
      ];
      if (before > 0) parts.push(`${formatCount(before)} done in an earlier run`);
      if (counts.failed > 0) parts.push(`${formatCount(counts.failed)} failed`);
      if (counts.refused > 0) parts.push(`${formatCount(counts.refused)} invalid`);
      if (inDoubt() > 0) parts.push(`${formatCount(inDoubt())} of unknown outcome`);
      if (open() - inDoubt() > 0) parts.push(`${formatCount(open() - inDoubt())} not sent`);
      return parts.join(', ');
    },
    failure(ending) {
      const { ended, interrupted, errors, errorsCount: listed } = ending;
      const left = open();
      if (wrong() === 0 && left === 0) return outputLost(ending);
      const unreached = Math.min(left, newInvalid - counts.refused);
      const next = nextSteps({
        toSend: left - unreached,
        failedOrInvalid: wrong() + unreached,
        errorsCount: listed,
        unreported: states.unreported,
        isOpen: left > 0,
        errors,
        journalLost: ending.journalFailure !== undefined,
        platform,
      });
      const nothingDone = left === rows && inDoubt() === 0;
      // Of the input, or of the undo log: it says best what to do.
      if (nothingDone && ended?.code === 'usage' && !interrupted) return ended;
      const hints = [ended?.code === 'usage' ? ended.hint : undefined, next];
      if (inDoubt() > 0) hints.unshift(unknownRows(unknown));
      const hint = hints.filter(Boolean).join('\n');
      const what = left > 0 ? openRows(left - inDoubt(), inDoubt()) : `${ofAll(wrong())} not updated`;
      if (interrupted) return interruptedFailureWith(interrupted, what, hint);
      const why = ended ? ended.sentence : undefined;
      return new Failure(failureCodeOf(ended, nothingDone), {
        message: what,
        why,
        hint,
        httpStatus: ended?.httpStatus,
        cause: ended,
      });
    },
  };

  /** Every row was updated: it is only what was to be written of it that is missing. */
  function outputLost(ending: Ending): Failure | undefined {
    const { resultsFailure, errorsFailure, journalFailure, isReaderGone, interrupted } = ending;
    const lost = resultsFailure ?? errorsFailure ?? journalFailure;
    if (interrupted && states.unreported > 0)
      return interruptedFailureWith(
        interrupted,
        'nobody took the results',
        afterLoss(journalFailure !== undefined),
      );
    if (lost) return lost.with({ hint: afterLoss(journalFailure !== undefined) });
    // Who closes a pipe wanted no more, and can still have it.
    if (isReaderGone || states.unreported === 0) return undefined;
    return new Failure('other', {
      message: 'Not every result was taken',
      hint: afterLoss(journalFailure !== undefined),
    });
  }

  function afterLoss(isJournal: boolean): string {
    const all = `Every row was updated.`;
    const missing = states.unreported;
    if (missing > 0 && isJournal)
      return `${all} Run the same command with --resume: it lists ${theRows(missing, 'was')} not listed. ${mayResendText}`;
    if (missing > 0)
      return `${all} Run the same command with --resume: it sends nothing again and lists ${theRows(missing, 'was')} not listed.`;
    return isJournal
      ? `${all} Each was listed. --resume may send the last of them again.`
      : `${all} No row is missing in it, since none failed.`;
  }

  function ofAll(some: number): string {
    return some === 1 && rows > 1
      ? `1 row of ${formatCount(rows)} was`
      : `${formatCount(some)} of ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'} ${were(some)}`;
  }

  function openRows(unsent: number, doubtful: number): string {
    const noResponse = `sent and ${doubtful === 1 ? 'has' : 'have'} no response`;
    if (unsent === 0) return `${ofAll(doubtful)} ${noResponse}`;
    const others = doubtful > 0 ? `, and ${formatCount(doubtful)} ${were(doubtful)} ${noResponse}` : '';
    return `${ofAll(unsent)} not sent${others}`;
  }

  function unknownRows(all: readonly string[]): string {
    const named = all.slice(0, maxUnknownListed);
    const more = inDoubt() - named.length;
    const others = more > 0 ? [`${formatCount(more)}${named.length > 0 ? ' more' : ' rows'}`] : [];
    return `Sent, and the outcome is unknown: ${[...named, ...others].join(', ')}. --resume sends them again.`;
  }
}

/** Part of it failed; but where nothing at all was done, and for what only a person can mend, the cause says it better. */
function failureCodeOf(ended: Failure | undefined, nothingDone: boolean): Failure['code'] {
  // What cannot be written is said as why; rows were to be sent, and were not.
  if (!ended || ended.code === 'other' || ended.code === 'usage') return 'part_failed';
  if (nothingDone || ended.code === 'sign_in_needed' || ended.code === 'rate_limited') return ended.code;
  return 'part_failed';
}
