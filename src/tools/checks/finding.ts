// A finding of the doctor: the result of one check, with the remedy for a problem.

import { toFailure } from '#failure.ts';

export interface Outcome {
  readonly result: 'good' | 'notice' | 'bad';
  readonly found: string;
  readonly remedy?: string;
  readonly fix?: Fix;
}

export interface Finding extends Outcome {
  readonly check: string;
}

/** What `wm doctor --fix` may do. It never loses data. */
export interface Fix {
  /** For the prompt and the message afterwards: `remove other users' access to PATH`. */
  readonly does: string;
  run(): Promise<void>;
}

/** Turns a check's error into its outcome. */
export function toOutcome(thrown: unknown): Outcome {
  const { sentence, hint } = toFailure(thrown);
  return { result: 'bad', found: sentence, ...(hint ? { remedy: hint } : {}) };
}
