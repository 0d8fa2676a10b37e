// The result of one of the doctor's checks, with the remedy if something is wrong.

import { toFailure } from '#failure.ts';

export interface Finding {
  readonly check: string;
  readonly result: 'good' | 'notice' | 'bad';
  readonly found: string;
  readonly remedy?: string;
  readonly fix?: Fix;
}

/** What `wm doctor --fix` may do: nothing is lost by it. */
export interface Fix {
  /** For the question before it, and the line after: `take other users' access to PATH away`. */
  readonly does: string;
  run(): Promise<void>;
}

/** What a check threw, as its finding. */
export function toFinding(check: string, thrown: unknown): Finding {
  const { sentence, hint } = toFailure(thrown);
  return {
    check,
    result: 'bad',
    found: sentence,
    ...(hint ? { remedy: hint } : {}),
  };
}
