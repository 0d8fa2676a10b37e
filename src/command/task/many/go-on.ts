// What to do after a bulk that was not done in full. --resume comes before the file of --errors is fixed: it writes that
// file anew, over what was fixed, and with the rows that have been sent from it meanwhile.

import { quoteForShell } from '../../shell-quote.ts';
import { count } from './count.ts';

export interface Undone {
  /** Rows that --resume would send. */
  readonly toSend: number;
  /** Rows that failed or were invalid, and those that will be. */
  readonly wrong: number;
  /** How many of these are in the file of --errors. */
  readonly listed: number;
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

export function fixAndSend(errors: string, platform: NodeJS.Platform): string {
  return `${errors} has each with its reason: fix it, and send it with --from ${quoteForShell(errors, platform)}`;
}

/** `the 1 row that is`, `the 3 rows that are`. */
export function theRows(number: number, verb: 'is' | 'was' = 'is'): string {
  const many = verb === 'is' ? 'are' : 'were';
  return number === 1 ? `the 1 row that ${verb}` : `the ${count(number)} rows that ${many}`;
}

/** Where the journal could not be written to its end. */
export const mayRepeat = 'The journal lacks the end of this run: --resume may send the last of them again.';

export function goOn(undone: Undone): string {
  const { wrong, listed, unreported, isOpen, errors, journalLost, platform } = undone;
  const isListed = errors === undefined || listed >= wrong;
  if (!isOpen && unreported === 0 && isListed && !journalLost) {
    return errors === undefined
      ? 'Next time, add --errors FILE: it gets the rows that were not updated, to be fixed and sent again.'
      : fixAndSend(errors, platform);
  }
  const does = whatItDoes(undone, isListed);
  const again = journalLost ? ` ${mayRepeat}` : '';
  const run = `Run the same command with --resume${does === '' ? '.' : `: it ${does}.`}${again}`;
  if (wrong === 0) return run;
  if (errors === undefined) {
    return `${run}
Add --errors FILE to have the rows that failed or were invalid in a file, to be fixed and sent again.`;
  }
  const has =
    listed < wrong
      ? `Now it has ${count(listed)} of ${count(wrong)} rows that failed or were invalid; --resume writes it anew, with all of them.`
      : `Now it has ${wrong === 1 ? 'the 1 row' : `the ${count(wrong)} rows`} that failed or ${wrong === 1 ? 'was' : 'were'} invalid; --resume writes it anew.`;
  return `First run the same command with --resume${does === '' ? '.' : `: it ${does}.`}${again}\nThen fix ${errors}, and send it with --from ${quoteForShell(errors, platform)}. ${has}`;
}

/** What --resume does. */
function whatItDoes({ toSend, unreported, isOpen, errors, journalLost }: Undone, isListed: boolean): string {
  const parts: string[] = [];
  if (toSend > 0) parts.push(`sends ${theRows(toSend)} left`);
  else if (!isOpen && !journalLost) parts.push('sends nothing again');
  if (unreported > 0) parts.push(`lists ${theRows(unreported, 'was')} not listed`);
  if (!isOpen && !isListed && errors !== undefined) parts.push(`writes ${errors}`);
  const last = parts.pop();
  return parts.length === 0 ? (last ?? '') : `${parts.join(', ')} and ${last}`;
}
