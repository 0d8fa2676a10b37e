// The types of progress.mjs, for the test that imports it.

import type { TestEvent } from './run-files.mjs';

export function createProgress(options: {
  readonly output: { write(text: string): boolean };
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly files: number;
  readonly expected?: number;
  now(): number;
}): {
  on(event: TestEvent): void;
  end(): { readonly tests: number; readonly failed: number };
};
