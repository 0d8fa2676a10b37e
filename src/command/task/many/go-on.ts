// What to do after a bulk that was not done in full. --resume comes before the file of --errors is mended: it writes that
// file anew, over what was mended, and with the rows that have been sent from it meanwhile.

import { count } from './count.ts';

export interface Undone {
  /** Rows that --resume would send. */
  readonly toSend: number;
  /** Rows that failed or were refused, and those that will be. */
  readonly wrong: number;
  /** How many of these are in the file of --errors. */
  readonly listed: number;
  /** Not every row has its answer. */
  readonly isOpen: boolean;
  /** The file of --errors. */
  readonly errors: string | undefined;
}

export function mendAndSend(errors: string): string {
  return `${errors} has each with its reason: mend it, and send it with --from ${errors}`;
}

export function goOn({ toSend, wrong, listed, isOpen, errors }: Undone): string {
  if (!isOpen) {
    return errors === undefined
      ? 'With --errors FILE they would be in a file, to be mended and sent again.'
      : mendAndSend(errors);
  }
  const sends =
    toSend === 0
      ? '.'
      : `: it sends the ${toSend === 1 ? '1 row that is' : `${count(toSend)} rows that are`} left.`;
  if (wrong === 0) return `Go on with the same command and --resume${sends}`;
  if (errors === undefined) {
    return `Go on with the same command and --resume${sends}
With --errors FILE as well, those that failed or were refused are written there, to be mended and sent again.`;
  }
  const has =
    listed < wrong
      ? `Now it has ${count(listed)} of ${count(wrong)} rows that failed or were refused; --resume writes it anew, with all of them.`
      : `Now it has ${wrong === 1 ? 'the 1 row' : `the ${count(wrong)} rows`} that failed or ${wrong === 1 ? 'was' : 'were'} refused; --resume writes it anew.`;
  return `First go on with the same command and --resume${sends}\nThen mend ${errors}, and send it with --from ${errors}. ${has}`;
}
