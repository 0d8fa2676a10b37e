// What a response says about itself beside the contract's fields: the rows of the assumptions that it depends on, and the
// parameters that were ignored. Both are headers, in every mode, and are there only where there is something to say.

import type { AssumptionId } from '../../contract/assumption.ts';

export const assumptionHeader = 'Emulator-Assumption';
export const ignoredParametersHeader = 'Emulator-Ignored-Parameters';

/** A header must stay far below the 16 KB that clients read. */
const maxNames = 20;
const maxNameCharacters = 100;

export class ResponseNotes {
  #assumptions: Set<AssumptionId> | undefined;
  readonly #ignored: string[] = [];

  /** The response depends on this row. */
  readonly assume = (id: AssumptionId): void => {
    this.#assumptions ??= new Set();
    this.#assumptions.add(id);
  };

  readonly ignore = (parameter: string): void => {
    if (!this.#ignored.includes(parameter)) this.#ignored.push(parameter);
  };

  get ignored(): readonly string[] {
    return this.#ignored;
  }

  /** Undefined where there is nothing to say. */
  get headers(): Readonly<Record<string, string>> | undefined {
    if (this.#assumptions === undefined) return undefined;
    return { [assumptionHeader]: [...this.#assumptions].join(', '), ...this.ignoredHeader };
  }

  /** Percent-encoded: a header cannot contain other characters than those of ASCII. */
  get ignoredHeader(): Readonly<Record<string, string>> {
    if (this.#ignored.length === 0) return {};
    const names = this.#ignored
      .slice(0, maxNames)
      .map((name) => encodeURIComponent(name.slice(0, maxNameCharacters).toWellFormed()));
    return { [ignoredParametersHeader]: names.join(', ') };
  }
}
