// How far a bulk is, for whoever watches: rows, rate, time left. One line that changes on a terminal, a line now and then
// elsewhere.

import type { Pace, PauseReason } from '../../../bulk/pace.ts';
import type { Report } from '../../../terminal/report.ts';
import type { Clock, Output } from '../../../world/world.ts';
import { count } from './count.ts';
import { spokenTime } from './spoken-time.ts';

export interface Progress {
  step(): void;
  /** Clears the line, so that something else can be written. */
  end(): Promise<void>;
}

export interface ProgressOptions {
  readonly total: number;
  /** Answered by an earlier run. */
  readonly already: number;
  readonly quiet: boolean;
  /** How long nobody is let through, and why. */
  readonly pace: Pick<Pace, 'pausedMs' | 'pausedFor' | 'onLongWait'>;
  /** The longest wait for a rate limit, in milliseconds. */
  readonly maxWaitMs: number;
}

/** What stands before the time: a pause of our own is not laid at the service's door. */
const pauses: { readonly [R in PauseReason]: string } = {
  asked: 'the service asked to wait',
  limited: 'too many requests for the service: continuing in',
  trouble: 'nothing can be sent just now: retrying in',
};

/** What is said of a long wait at its beginning, whether or not anybody watches. */
const longWaits: { readonly [R in PauseReason]: string } = {
  asked: 'The service asks to wait',
  limited: 'The service says that these are too many requests: waiting',
  trouble: 'Nothing can be sent just now: waiting',
};

const terminalMs = 200;
const otherwiseMs = 10_000;

export function createProgress(
  clock: Clock,
  errors: Output,
  report: Pick<Report, 'info' | 'warn'>,
  { total, already, quiet, pace, maxWaitMs }: ProgressOptions,
): Progress {
  const started = clock.monotonic();
  let done = 0;
  let cancel = () => {};
  let shown = false;
  // On a terminal the line that changes says so all the time, unless there is none.
  if (quiet || !errors.isTerminal)
    pace.onLongWait((milliseconds, reason) => {
      const limit = `(up to ${spokenTime(maxWaitMs)}; change with --max-wait)`;
      void report.warn(`${longWaits[reason]} ${spokenTime(milliseconds)} ${limit}.`);
    });
  const line = (): string => {
    const seconds = Math.max(0.001, (clock.monotonic() - started) / 1000);
    const rate = done / seconds;
    const left = total - already - done;
    const paused = pace.pausedMs;
    const wait = paused > 500 ? `; ${pauses[pace.pausedFor]} ${spokenTime(paused)}` : '';
    const time = rate > 0 && left > 0 ? `, ${spokenTime((left / rate) * 1000)} left` : '';
    return `${count(already + done)} of ${count(total)} rows, ${count(Math.round(rate))}/s${time}${wait}`;
  };
  const tick = () => {
    if (errors.isTerminal) {
      shown = true;
      void errors.write(`\r\u001b[K${line()}`);
    } else void report.info(line());
    cancel = clock.after(errors.isTerminal ? terminalMs : otherwiseMs, tick);
  };
  if (!quiet) cancel = clock.after(errors.isTerminal ? terminalMs : otherwiseMs, tick);
  return {
    step() {
      done++;
    },
    async end() {
      cancel();
      if (shown) await errors.write('\r\u001b[K');
      shown = false;
    },
  };
}
