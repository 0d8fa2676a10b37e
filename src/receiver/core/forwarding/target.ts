// Declares a target of deliveries: a URL, a command or standard output. A target makes one attempt; the forwarder decides about retries.

import type { StoredDelivery } from '../intake/delivery-journal.ts';

export interface Target {
  /** Names it in the journal and to the user, without credentials or a query: `http://127.0.0.1:3000/hook`, `exec`, `print`. */
  readonly name: string;
  /**
   * Makes one attempt; `attempt`: its number, from 1. Never rejects. The signal ends it early. `mayRepeat`: another process may have sent
   * the delivery without recording it.
   */
  send(
    delivery: StoredDelivery,
    attempt: number,
    signal: AbortSignal,
    mayRepeat?: boolean,
  ): Promise<AttemptResult>;
}

export const maxDetailCharacters = 1000;

/** The beginning of a detail in one line, as the journal keeps it. */
export function excerptOf(detail = ''): string {
  return detail.replace(/\s+/g, ' ').trim().slice(0, 200).toWellFormed();
}

export interface AttemptResult {
  /** `retry`: this delivery failed. `dead`: it would always fail. `unavailable`: the target was not reached. */
  readonly verdict: 'forwarded' | 'retry' | 'dead' | 'unavailable';
  /** {@link Attempt.outcome} */
  readonly outcome: string;
  readonly milliseconds: number;
  /** The target's response, or the error: hostile text, at most {@link maxDetailCharacters}. */
  readonly detail?: string;
  /** How long the target asks wm to wait before the next attempt (`Retry-After`). */
  readonly retryAfterMs?: number;
}
