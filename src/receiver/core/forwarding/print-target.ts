// Forwards deliveries to standard output, one line for each, for a program that reads a pipe.

import { errorMessage } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { unlessAborted } from '#within-limit.ts';
import type { Output, World } from '#world/world.ts';
import type { StoredDelivery } from '../intake/delivery-journal.ts';
import { eventsOf } from '../intake/read-events.ts';
import { type AttemptResult, maxDetailCharacters, type Target } from './target.ts';

export interface PrintTargetOptions {
  /**
   * Prints a delivery as a line. Resolves once the system has the bytes. Rejects with FilterFailed if this delivery can never be printed,
   * and otherwise if the system cannot take the bytes (a full disk).
   */
  print(delivery: StoredDelivery): Promise<void>;
  readonly output: Pick<Output, 'isReaderGone'>;
  /** Called after each delivery that has no reader. */
  onReaderGone(): void;
  /** The types of the events to print; `undefined` for all. A delivery without such an event is finished without a line. */
  readonly events: readonly string[] | undefined;
}

export function createPrintTarget(
  { clock }: Pick<World, 'clock'>,
  { print, output, onReaderGone, events }: PrintTargetOptions,
): Target {
  return {
    name: 'print',
    async send(delivery, _attempt, signal) {
      const started = clock.monotonic();
      type Verdict = AttemptResult['verdict'];
      const result = (verdict: Verdict, outcome: string, detail?: string): AttemptResult => ({
        verdict,
        outcome,
        milliseconds: Math.round(clock.monotonic() - started),
        ...omitUndefined({ detail: detail?.slice(0, maxDetailCharacters) }),
      });
      const delivered = eventsOf(delivery);
      // A body that cannot be read to its end cannot be filtered, and must not be lost.
      const isWhole = delivered.count > 0 && delivered.count === delivered.events.length;
      if (events && isWhole && !delivered.events.some(({ eventType }) => events.includes(eventType)))
        return result('forwarded', 'not printed');
      try {
        // The reader is not reading. The line may still get out, and the next run prints it again.
        if ((await unlessAborted(print(delivery), signal)) === 'aborted')
          return result('unavailable', 'aborted');
      } catch (error) {
        if (error instanceof Error && error.name === 'FilterFailed')
          return result('dead', 'not-printable', error.message);
        // The output is at fault, not the delivery.
        return result('unavailable', 'not-written', errorMessage(error));
      }
      // The last lines may be lost.
      if (!output.isReaderGone) return result('forwarded', 'printed');
      onReaderGone();
      return result('unavailable', 'closed');
    },
  };
}
