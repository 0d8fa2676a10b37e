// Marks, in a test, the rows of `wm emulator assumptions` that it shows, and in which modes. assumption-rows.test.ts reads
// these calls from the sources: every row must be shown by default, and in each mode in which it differs.

import type { AssumptionId, EmulatorMode } from '../../src/contract/assumption.ts';

export function shows(..._rows: readonly [AssumptionId, ...EmulatorMode[]]): void {
  // The call is the statement.
}
