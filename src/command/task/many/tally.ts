// The count of a bulk, and what is said at its end: how many rows were updated, which were not, and how to go on.

import { type RowStates, state } from '../../../bulk/past.ts';
import { Failure } from '../../../failure.ts';
import type { Interruption } from '../../../world/world.ts';
import { interruptedWith } from '../../interrupt.ts';
import { count } from './count.ts';
import { goOn } from './go-on.ts';
import { outcomeOf, type RowOutcome, type TaskResult } from './results.ts';

export interface Ending {
  /** What ended it before its time. */
  readonly ended: Failure | undefined;
  readonly interrupted: Interruption | undefined;
  /** The file of --errors, and how many rows were written to it. */
  readonly errors: string | undefined;
  readonly listed: number;
}

export interface Tally {
  /** Answered by an earlier run. */
  readonly before: number;
  add(result: TaskResult): void;
  /** `milliseconds`: how long it took. */
  sentence(milliseconds: number): string;
  /** Nothing where every row was updated. */
  failure(ending: Ending): Failure | undefined;
}

const shownUnknown = 50;

const were = (number: number) => (number === 1 ? 'was' : 'were');

/** `toRefuse`: how many of the rows that no earlier run came to are to be refused. */
export function createTally(states: RowStates, rows: number, toRefuse: number): Tally {
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
    add(result) {
      const outcome = outcomeOf(result);
      counts[outcome]++;
      if (outcome === 'unknown') unknown.push(`line ${result.item.line} (${result.item.id ?? ''})`);
    },
    sentence(milliseconds) {
      const seconds = milliseconds / 1000;
      const rate = count(Math.round(counts.updated / Math.max(0.001, seconds)));
      const parts = [
        `${count(counts.updated)} of ${count(rows)} rows updated in ${seconds.toFixed(1)} s (${rate}/s)`,
      ];
      if (before > 0) parts.push(`${count(before)} answered before`);
      if (counts.failed > 0) parts.push(`${count(counts.failed)} failed`);
      if (counts.refused > 0) parts.push(`${count(counts.refused)} refused`);
      if (inDoubt() > 0) parts.push(`${count(inDoubt())} of unknown outcome`);
      if (open() - inDoubt() > 0) parts.push(`${count(open() - inDoubt())} not sent`);
      return parts.join(', ');
    },
    failure({ ended, interrupted, errors, listed }) {
      const left = open();
      if (wrong() === 0 && left === 0) return undefined;
      const unreached = Math.min(left, toRefuse - counts.refused);
      const next = goOn({
        toSend: left - unreached,
        wrong: wrong() + unreached,
        listed,
        isOpen: left > 0,
        errors,
      });
      const hint = inDoubt() > 0 ? `${unknownRows(unknown)}\n${next}` : next;
      const what = left > 0 ? openRows(left - inDoubt(), inDoubt()) : `${ofAll(wrong())} not updated`;
      if (interrupted) return interruptedWith(interrupted, what, hint);
      const why = ended ? (ended.why ? `${ended.message}: ${ended.why}` : ended.message) : undefined;
      return new Failure(codeOf(ended, left === rows && inDoubt() === 0), {
        what,
        why,
        hint,
        httpStatus: ended?.httpStatus,
        cause: ended,
      });
    },
  };

  function ofAll(some: number): string {
    return `${count(some)} of ${count(rows)} rows ${were(some)}`;
  }

  function openRows(unsent: number, doubtful: number): string {
    const noAnswer = `sent and ${doubtful === 1 ? 'has' : 'have'} no answer`;
    if (unsent === 0) return `${ofAll(doubtful)} ${noAnswer}`;
    const others = doubtful > 0 ? `, and ${count(doubtful)} ${were(doubtful)} ${noAnswer}` : '';
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
  if (!ended) return 'part_failed';
  if (nothingDone || ended.code === 'sign_in_needed' || ended.code === 'rate_limited') return ended.code;
  return 'part_failed';
}
