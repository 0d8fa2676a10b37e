// Marks the assumption that a test shows, and in which modes. rows.test.ts reads these calls, and the list in
// test/witness/assumption-tests.txt.

import type { AssumptionId, EmulatorMode } from '#contract/assumption.ts';

export function shows(..._row: readonly [AssumptionId, ...EmulatorMode[]]): void {
  // The call is the statement.
}
