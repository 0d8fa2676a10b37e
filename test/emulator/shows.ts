// Marks, in a test, the row of `wm emulator assumptions` that it shows, and in which modes. scripts/rows.mjs reads these calls
// from the sources, beside the list in test/witness/assumption-tests.ts.

import type { AssumptionId, EmulatorMode } from '#contract/assumption.ts';

export function shows(..._row: readonly [AssumptionId, ...EmulatorMode[]]): void {
  // The call is the statement.
}
