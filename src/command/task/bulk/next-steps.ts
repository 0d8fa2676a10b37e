// What to do after a bulk that was not done in full. --resume comes before the file of --errors is fixed: it writes that
// file anew, over what was fixed, and with the rows that have been sent from it meanwhile.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { quoteForShell } from '../../shell-quote.ts';
import { formatCount } from './format-number.ts';

export interface Unfinished {
  /** Rows that --resume would send. */
  readonly toSend: number;
  /** Rows that failed or were invalid, and those that will be. */
  readonly failedOrInvalid: number;
  /** How many of these are in the file of --errors. */
  readonly errorsCount: number;
  /** Rows with a response that standard output does not have. */
  readonly unreported: number;
  /** Not every row has its response. */
  readonly isOpen: boolean;
  /** The file of --errors. */
  readonly errors: string | undefined;
  /** The journal lacks the end of this run: rows with a response may count as sent without one. */
  readonly journalLost: boolean;
  /** Of the shell that the commands are for. */
  readonly platform: NodeJS.Platform;
}

export function fixErrorsFileHint(errors: string, platform: NodeJS.Platform): string {
  return `${errors} has each with its reason: fix it, and send it with --from ${quoteForShell(errors, platform)}`;
}

/** `the 1 row that is`, `the 3 rows that are`. */
export function theRows(number: number, verb: 'is' | 'was' = 'is'): string {
  const many = verb === 'is' ? 'are' : 'were';
  return number === 1 ? `the 1 row that ${verb}` : `the ${formatCount(number)} rows that ${many}`;
}

/** Where the journal could not be written to its end. */
export const mayResendText =
  'The journal lacks the end of this run: --resume may send the last of them again.';

export function nextSteps(undone: Unfinished): string {
  const { failedOrInvalid, errorsCount, unreported, isOpen, errors, journalLost, platform } = undone;
  const isListed = errors === undefined || errorsCount >= failedOrInvalid;
  if (!isOpen && unreported === 0 && isListed && !journalLost) {
    return errors === undefined
      ? 'Next time, add --errors FILE: it gets the rows that were not updated, to be fixed and sent again.'
      : fixErrorsFileHint(errors, platform);
  }
  const does = resumeEffects(undone, isListed);
  const again = journalLost ? ` ${mayResendText}` : '';
  const run = `Run the same command with --resume${does === '' ? '.' : `: it ${does}.`}${again}`;
  if (failedOrInvalid === 0) return run;
  if (errors === undefined) {
    return `${run}
Add --errors FILE to have the rows that failed or were invalid in a file, to be fixed and sent again.`;
  }
  const has =
    errorsCount < failedOrInvalid
      ? `Now it has ${formatCount(errorsCount)} of ${formatCount(failedOrInvalid)} rows that failed or were invalid; --resume writes it anew, with all of them.`
      : `Now it has ${failedOrInvalid === 1 ? 'the 1 row' : `the ${formatCount(failedOrInvalid)} rows`} that failed or ${failedOrInvalid === 1 ? 'was' : 'were'} invalid; --resume writes it anew.`;
  return `First run the same command with --resume${does === '' ? '.' : `: it ${does}.`}${again}\nThen fix ${errors}, and send it with --from ${quoteForShell(errors, platform)}. ${has}`;
}

/** What --resume does. */
function resumeEffects(
  { toSend, unreported, isOpen, errors, journalLost }: Unfinished,
  isListed: boolean,
): string {
  const parts: string[] = [];
  if (toSend > 0) parts.push(`sends ${theRows(toSend)} left`);
  else if (!isOpen && !journalLost) parts.push('sends nothing again');
  if (unreported > 0) parts.push(`lists ${theRows(unreported, 'was')} not listed`);
  if (!isOpen && !isListed && errors !== undefined) parts.push(`writes ${errors}`);
  return joinWithAnd(parts);
}
