// Collects the mistakes in a seed with their places, so that the user can correct them all at once.

import { ValidationError } from '#contract/schema.ts';

/** Names of members, and places in lists from 0: `['tasks', 3, 'title']`. */
export type SeedPath = readonly (string | number)[];

export interface SeedProblem {
  readonly path: SeedPath;
  /** A sentence that says what to do, where that is not plain. */
  readonly message: string;
}

/** A seed that is none. */
export class SeedError extends Error {
  readonly problems: readonly SeedProblem[];

  constructor(problems: readonly SeedProblem[]) {
    super(problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
    this.name = 'SeedError';
    this.problems = problems;
  }
}

export class SeedProblems {
  readonly #all: SeedProblem[] = [];

  add(path: SeedPath, message: string): undefined {
    this.#all.push({ path, message });
  }

  /** What `validate` returns. A {@link ValidationError} is a problem. */
  check<T>(path: SeedPath, validate: () => T): T | undefined {
    try {
      return validate();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const member = path.findLast((step) => typeof step === 'string');
      return this.add(path, member === undefined ? error.message : `${member}: ${error.message}`);
    }
  }

  /** Throws a {@link SeedError} if there are any. */
  throwIfAny(): void {
    if (this.#all.length > 0) throw new SeedError(this.#all);
  }
}
