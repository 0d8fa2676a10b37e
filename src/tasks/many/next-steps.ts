// What to do after a bulk run that did not update every row. --resume comes before fixing the errors file, since it writes that
// file again: fixes would be lost, and rows that were sent from it meanwhile would come back.

import { quoteForShell } from '#cli/shell-quote.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { conjugate, formatCount } from './format-quantity.ts';

export interface Unfinished {
  /** Rows that --resume would send. */
  readonly toSend: number;
  /** Rows that failed or are invalid, including invalid rows that the run did not reach. */
  readonly failedOrInvalid: number;
  /** How many of these are in the errors file. */
  readonly errorsCount: number;
  /** Rows with an outcome that standard output does not have. */
  readonly unreported: number;
  /** Not every row has an outcome. */
  readonly isOpen: boolean;
  /** The errors file. */
  readonly errors: string | undefined;
  /** The journal lacks the end of this run: rows with a response may count as sent without one. */
  readonly isJournalIncomplete: boolean;
  /** Decides how the commands are quoted. */
  readonly platform: NodeJS.Platform;
}

export function fixErrorsFileHint(errors: string, platform: NodeJS.Platform): string {
  return `${errors} has each with its reason: fix it, and send it with --from ${quoteForShell(errors, platform)}`;
}

/** `the 1 row that is`, `the 3 rows that are`. */
export function formatRowsThat(number: number, verb: 'is' | 'was'): string {
  return `${formatTheRows(number)} that ${conjugate(number, verb)}`;
}

function formatTheRows(number: number): string {
  return number === 1 ? 'the 1 row' : `the ${formatCount(number)} rows`;
}

/** For a journal that could not be written to its end. */
export const mayResendText =
  'The journal lacks the end of this run: --resume may send the last rows of it again.';

/** One or two lines. */
export function nextSteps(unfinished: Unfinished): string {
  const { failedOrInvalid, errorsCount, unreported, isOpen, errors, isJournalIncomplete, platform } =
    unfinished;
  const isListed = errors === undefined || errorsCount >= failedOrInvalid;
  if (!isOpen && unreported === 0 && isListed && !isJournalIncomplete) {
    return errors === undefined
      ? 'Next time, add --errors FILE: it gets the rows that were not updated, to fix and send again.'
      : fixErrorsFileHint(errors, platform);
  }
  const effects = resumeEffects(unfinished, isListed);
  const resume = `un the same command with --resume${effects === '' ? '.' : `: it ${effects}.`}${isJournalIncomplete ? ` ${mayResendText}` : ''}`;
  if (failedOrInvalid === 0) return `R${resume}`;
  if (errors === undefined)
    return `R${resume}\nAdd --errors FILE to get the rows that failed or are invalid in a file, to fix and send again.`;
  return `First r${resume}\nThen fix ${errors}, and send it with --from ${quoteForShell(errors, platform)}. ${errorsFileState(unfinished)}`;
}

function errorsFileState({ failedOrInvalid, errorsCount }: Unfinished): string {
  return errorsCount < failedOrInvalid
    ? `Now it has ${formatCount(errorsCount)} of ${formatCount(failedOrInvalid)} rows that failed or are invalid; --resume writes it again, with all of them.`
    : `Now it has ${formatTheRows(failedOrInvalid)} that failed or ${conjugate(failedOrInvalid, 'is')} invalid; --resume writes it again.`;
}

/** What --resume does: `sends the 3 rows that are left and lists the 1 row that was not listed`. */
function resumeEffects(
  { toSend, unreported, isOpen, errors, isJournalIncomplete }: Unfinished,
  isListed: boolean,
): string {
  const effects: string[] = [];
  if (toSend > 0) effects.push(`sends ${formatRowsThat(toSend, 'is')} left`);
  else if (!isOpen && !isJournalIncomplete) effects.push('sends nothing again');
  if (unreported > 0) effects.push(`lists ${formatRowsThat(unreported, 'was')} not listed`);
  if (!isOpen && !isListed && errors !== undefined) effects.push(`writes ${errors}`);
  return joinWithAnd(effects);
}
