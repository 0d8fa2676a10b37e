// Forwards deliveries to standard output, one line for each, for a program that reads a pipe.

import { errorMessage } from '#failure.ts';
import type { World } from '#world/world.ts';
import { type DeliveredEvent, eventsOf } from '../intake/read-events.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { maxDetailCharacters, type Target } from './target.ts';

export interface PrintTargetOptions {
  /**
   * Prints a delivery as a line. Resolves once the system has the bytes, or to why this delivery can never be printed; rejects if the
   * system cannot take them (a full disk). `events`: the ones to print among the first 10,000.
   */
  print(delivery: StoredDelivery, events: readonly DeliveredEvent[]): Promise<string | undefined>;
  /** True once the reader of the output has gone: the last lines may be lost. */
  isReaderGone(): boolean;
  /** Called once, when the reader has gone. */
  onReaderGone(): void;
  /** Chooses the events to print. A delivery without a chosen event is finished without a line. */
  isPrinted(event: DeliveredEvent): boolean;
}

export function createPrintTarget(
  { clock }: Pick<World, 'clock'>,
  { print, isReaderGone, onReaderGone, isPrinted }: PrintTargetOptions,
): Target {
  let isGone = false;
  return {
    name: 'print',
    async send(delivery, _attempt, signal) {
      const delivered = eventsOf(delivery);
      const events = delivered.events.filter(isPrinted);
      // A body that cannot be read to its end cannot be filtered, and must not be lost.
      if (delivered.count > 0 && delivered.count === delivered.events.length && events.length === 0)
        return { verdict: 'forwarded', outcome: 'not printed', milliseconds: 0 };
      const started = clock.monotonic();
      const elapsed = () => Math.round(clock.monotonic() - started);
      try {
        const problem = await untilAborted(print(delivery, events), signal);
        // The reader is not reading. The line may still get out, and the next run prints it again.
        if (problem === aborted)
          return { verdict: 'unavailable', outcome: 'aborted', milliseconds: elapsed() };
        if (problem !== undefined)
          return {
            verdict: 'dead',
            outcome: 'not-printable',
            milliseconds: elapsed(),
            detail: problem.slice(0, maxDetailCharacters),
          };
      } catch (error) {
        // The output is at fault, not the delivery.
        return {
          verdict: 'unavailable',
          outcome: 'not-written',
          milliseconds: elapsed(),
          detail: errorMessage(error),
        };
      }
      if (!isReaderGone()) return { verdict: 'forwarded', outcome: 'printed', milliseconds: elapsed() };
      if (!isGone) onReaderGone();
      isGone = true;
      return { verdict: 'unavailable', outcome: 'closed', milliseconds: elapsed() };
    },
  };
}

const aborted = Symbol('aborted');

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof aborted> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(aborted);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
