// The meaning of each exit status, for help and a test of docs/exit-statuses.md. failure.ts has the status of each failure.

import { type ExitStatus, failureMeanings, isFailureCode } from '#failure.ts';

export const exitStatuses: Readonly<Record<ExitStatus, string>> = {
  0: 'done',
  1: 'any other failure; `internal` is a bug of `wm`',
  2: 'usage error, invalid value, or `--read-only`; nothing was changed',
  3: 'forbidden, or not in the licence',
  4: 'sign-in needed',
  5: 'not found',
  6: 'rate limited, after the retries',
  7: 'network error or failure of the service; it is certain that nothing changed',
  8: 'some rows or webhooks failed, or their outcome is unknown',
  9: 'unknown outcome: a change was sent, and no usable response came',
  10: 'a check found a problem',
  129: 'ended by SIGHUP: the terminal was closed',
  130: 'interrupted with Ctrl-C',
  143: 'ended by SIGTERM',
};

/** In ascending order. `codes`: the `code` in `--json`, unless the service sends its own error code. */
export function exitStatusRows() {
  const codes = Object.keys(failureMeanings).filter(isFailureCode);
  return Object.entries(exitStatuses).map(([status, meaning]) => ({
    status: Number(status),
    meaning,
    codes: codes.filter((code) => failureMeanings[code].exit === Number(status)).toSorted(),
  }));
}
