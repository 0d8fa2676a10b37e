// Reports each result once the journal that holds it is on the disk, or cannot get there: whatever fails, each row that had
// a response is reported.

import type { Journal } from './journal.ts';
import type { RowResult } from './result.ts';

export interface Reporter<U, R> {
  /** A promise where so many results wait that the caller must, too. */
  add(result: RowResult<U, R>): Promise<void> | undefined;
  /** Resolves once every result was reported. */
  drain(): Promise<void>;
}

export interface ReporterOptions<U, R> {
  readonly journal: Pick<Journal, 'sync'>;
  /** Called for each result, one after the other. Its promise is waited for, so that a slow reader slows all down. */
  report(result: RowResult<U, R>): Promise<void> | undefined;
  /** Once aborted, no reader is waited for. */
  readonly abandon: AbortSignal;
  /** Called with what `report` and `sync` throw; the other results are reported all the same. */
  onError(error: unknown): void;
}

/** Results that wait for the disk or for their reader. */
const maxUnreported = 2048;

export function createReporter<U, R>({
  journal,
  report,
  abandon,
  onError,
}: ReporterOptions<U, R>): Reporter<U, R> {
  /** In the order of their responses. */
  const unreported: RowResult<U, R>[] = [];
  let reporting: Promise<void> | undefined;
  let stopWaiting = () => {};
  abandon.addEventListener('abort', () => stopWaiting(), { once: true });
  /** Not a `Promise.race` with one promise of `abandon`, which would hold on to every race until the run ends. */
  const unlessAbandoned = (taken: Promise<void>): Promise<void> =>
    new Promise((resolve) => {
      stopWaiting = resolve;
      if (abandon.aborted) resolve();
      void taken.then(resolve);
    });
  const reportOne = (result: RowResult<U, R>): Promise<void> | undefined => {
    try {
      return report(result)?.catch(onError);
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
  const reportAll = async (): Promise<void> => {
    while (unreported.length > 0) {
      // Responses that come during this sync wait for the next one.
      const count = unreported.length;
      await journal.sync().catch(onError);
      for (const result of unreported.splice(0, count)) {
        const taken = reportOne(result);
        if (taken) await unlessAbandoned(taken);
      }
    }
    reporting = undefined;
  };
  return {
    add(result) {
      unreported.push(result);
      reporting ??= reportAll();
      return unreported.length > maxUnreported ? reporting : undefined;
    },
    async drain() {
      await reporting;
    },
  };
}
