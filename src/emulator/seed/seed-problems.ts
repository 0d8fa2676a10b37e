// Collects the problems of a seed with their paths, so that the user can correct them all at once.

import { ValidationError } from '#contract/schema.ts';

/** Names of members, and indexes in lists: `['tasks', 3, 'title']`. */
export type SeedPath = readonly (string | number)[];

export interface SeedProblem {
  readonly path: SeedPath;
  /** The problem, and what to do if that is not obvious. */
  readonly message: string;
}

/** Thrown if there are any. */
export class SeedProblems extends Error {
  readonly problems: SeedProblem[] = [];

  add(path: SeedPath, message: string): undefined {
    this.problems.push({ path, message });
  }

  /** Returns what `validate` returns, or undefined after adding its {@link ValidationError} as a problem. */
  check<T>(path: SeedPath, validate: () => T): T | undefined {
    try {
      return validate();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const member = path.findLast((step) => typeof step === 'string');
      return this.add(path, member === undefined ? error.message : `${member}: ${error.message}`);
    }
  }

  throwIfAny(): void {
    if (this.problems.length > 0) throw this;
  }
}
