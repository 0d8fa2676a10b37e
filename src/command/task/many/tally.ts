// The count of a bulk, and what is said at its end: how many rows were updated, which were not, and how to go on.

import type { Reason } from '../../../bulk/journal.ts';
import { type RowStates, state } from '../../../bulk/states.ts';
import { Failure } from '../../../failure.ts';
import type { Interruption } from '../../../world/world.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import { count } from './count.ts';
import { goOn, mayRepeat, theRows } from './go-on.ts';
import { outcomeOf, type RowOutcome, type TaskResult } from './results.ts';

export interface Ending {
  /** What ended it early. */
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
  /** Standard output could not be written. */
  readonly results: Failure | undefined;
  /** The file of --errors could not be written. */
  readonly errorsLost: Failure | undefined;
  /** The journal could not be written to its end. */
  readonly journalLost: Failure | undefined;
  /** The reader of standard output has gone. */
  readonly isGone: boolean;
  /** The file of --errors, and how many rows were written to it. */
  readonly errors: string | undefined;
  readonly listed: number;
}

export interface Tally {
  /** Done by an earlier run. */
  readonly before: number;
  /** Every row has its response. */
  readonly isComplete: boolean;
  add(result: TaskResult): void;
  /** `milliseconds`: how long it took. */
  sentence(milliseconds: number): string;
  /** Nothing where every row was updated, and all was written that was asked for. */
  failure(ending: Ending): Failure | undefined;
}

export interface TallyOptions {
  readonly rows: number;
  /** How many invalid rows no earlier run came to. */
  readonly toRefuse: number;
  readonly reasons: ReadonlyMap<number, Reason>;
  /** Of the shell that the commands in hints are for. */
  readonly platform: NodeJS.Platform;
}

const shownUnknown = 50;

const were = (number: number) => (number === 1 ? 'was' : 'were');

export function createTally(states: RowStates, { rows, toRefuse, reasons, platform }: TallyOptions): Tally {
  const failedBefore = states.count(state.failed);
  const before = states.count(state.done) + failedBefore;
  const counts: Record<RowOutcome, number> = { updated: 0, failed: 0, refused: 0, unknown: 0, unsent: 0 };
  const unknown: string[] = [];
  const wrong = () => counts.failed + counts.refused + failedBefore;
  const open = () => rows - states.count(state.done) - states.count(state.failed);
  /** Also those that nobody waits for any more. */
  const inDoubt = () => states.count(state.sent);
  return {
    before,
    get isComplete() {
      return open() === 0;
    },
    add(result) {
      const outcome = outcomeOf(result, reasons);
      counts[outcome]++;
      if (outcome === 'unknown' && unknown.length < shownUnknown)
        unknown.push(`line ${result.item.line} (${result.item.id ?? ''})`);
    },
    sentence(milliseconds) {
      const seconds = milliseconds / 1000;
      const rate = count(Math.round(counts.updated / Math.max(0.001, seconds)));
      const parts = [
        `${count(counts.updated)} of ${count(rows)} ${rows === 1 ? 'row' : 'rows'} updated in ${seconds.toFixed(1)} s (${rate}/s)`,
      ];
      if (before > 0) parts.push(`${count(before)} done in an earlier run`);
      if (counts.failed > 0) parts.push(`${count(counts.failed)} failed`);
      if (counts.refused > 0) parts.push(`${count(counts.refused)} invalid`);
      if (inDoubt() > 0) parts.push(`${count(inDoubt())} of unknown outcome`);
      if (open() - inDoubt() > 0) parts.push(`${count(open() - inDoubt())} not sent`);
      return parts.join(', ');
    },
    failure(ending) {
      const { ended, interrupted, errors, listed } = ending;
      const left = open();
      if (wrong() === 0 && left === 0) return outputLost(ending);
      const unreached = Math.min(left, toRefuse - counts.refused);
      const next = goOn({
        toSend: left - unreached,
        wrong: wrong() + unreached,
        listed,
        unreported: states.unreported,
        isOpen: left > 0,
        errors,
        journalLost: ending.journalLost !== undefined,
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
      const why = ended ? (ended.why ? `${ended.message}: ${ended.why}` : ended.message) : undefined;
      return new Failure(codeOf(ended, nothingDone), {
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
    const { results, errorsLost, journalLost, isGone, interrupted } = ending;
    const lost = results ?? errorsLost ?? journalLost;
    if (interrupted && states.unreported > 0)
      return interruptedFailureWith(
        interrupted,
        'nobody took the results',
        afterLoss(journalLost !== undefined),
      );
    if (lost) return lost.withHint(afterLoss(journalLost !== undefined));
    // Who closes a pipe wanted no more, and can still have it.
    if (isGone || states.unreported === 0) return undefined;
    return new Failure('other', {
      message: 'Not every result was taken',
      hint: afterLoss(journalLost !== undefined),
    });
  }

  function afterLoss(isJournal: boolean): string {
    const all = `Every row was updated.`;
    const missing = states.unreported;
    if (missing > 0 && isJournal)
      return `${all} Run the same command with --resume: it lists ${theRows(missing, 'was')} not listed. ${mayRepeat}`;
    if (missing > 0)
      return `${all} Run the same command with --resume: it sends nothing again and lists ${theRows(missing, 'was')} not listed.`;
    return isJournal
      ? `${all} Each was listed. --resume may send the last of them again.`
      : `${all} No row is missing in it, since none failed.`;
  }

  function ofAll(some: number): string {
    return some === 1 && rows > 1
      ? `1 row of ${count(rows)} was`
      : `${count(some)} of ${count(rows)} ${rows === 1 ? 'row' : 'rows'} ${were(some)}`;
  }

  function openRows(unsent: number, doubtful: number): string {
    const noResponse = `sent and ${doubtful === 1 ? 'has' : 'have'} no response`;
    if (unsent === 0) return `${ofAll(doubtful)} ${noResponse}`;
    const others = doubtful > 0 ? `, and ${count(doubtful)} ${were(doubtful)} ${noResponse}` : '';
    return `${ofAll(unsent)} not sent${others}`;
  }

  function unknownRows(all: readonly string[]): string {
    const named = all.slice(0, shownUnknown);
    const more = inDoubt() - named.length;
    const others = more > 0 ? [`${count(more)}${named.length > 0 ? ' more' : ' rows'}`] : [];
    return `Sent, and the outcome is unknown: ${[...named, ...others].join(', ')}. --resume sends them again.`;
  }
}

/** Part of it failed; but where nothing at all was done, and for what only a person can mend, the cause says it better. */
function codeOf(ended: Failure | undefined, nothingDone: boolean): Failure['code'] {
  // What cannot be written is said as why; rows were to be sent, and were not.
  if (!ended || ended.code === 'other' || ended.code === 'usage') return 'part_failed';
  if (nothingDone || ended.code === 'sign_in_needed' || ended.code === 'rate_limited') return ended.code;
  return 'part_failed';
}
