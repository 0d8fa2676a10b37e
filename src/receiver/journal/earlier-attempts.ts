// The last attempt at each target of every unfinished delivery that has had one: a delivery for several targets must not go
// again to the one that took it, also after a restart.

import { parseJsonIfValid } from '../../contract/json.ts';
import type { Attempt, UnfinishedDelivery } from '../delivery-journal.ts';

type LastAttempts = UnfinishedDelivery['earlier'];

export class EarlierAttempts {
  readonly #found = new Map<number, LastAttempts>();

  of(sequence: number): LastAttempts {
    return this.#found.get(sequence) ?? [];
  }

  add({ sequence, target, attempt, verdict }: Attempt): void {
    const others = this.of(sequence).filter((one) => one.target !== target);
    this.#found.set(sequence, [...others, { target, attempt, verdict }]);
  }

  /** The delivery is finished. */
  forget(sequence: number): void {
    this.#found.delete(sequence);
  }

  toJson(): string {
    return JSON.stringify([...this.#found]);
  }

  /** What `toJson` returned. */
  static parse(text: string): EarlierAttempts {
    const parsed = parseJsonIfValid(text);
    const earlier = new EarlierAttempts();
    for (const entry of Array.isArray(parsed) ? parsed : []) if (isEntry(entry)) earlier.#found.set(...entry);
    return earlier;
  }
}

/** It was checksummed, so it is what we wrote. */
const isEntry = (value: unknown): value is readonly [number, LastAttempts] =>
  Array.isArray(value) && typeof value[0] === 'number' && Array.isArray(value[1]);
