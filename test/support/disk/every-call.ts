// As SQLite tests itself: in the first run the first call to the disk fails, in the second the second, and so on until a run
// makes fewer calls. The scenario says how each run ended, and throws where something was lost or an untrue thing was said.

import { createFaultySystem, type Fault, type FaultySystem, faults } from './faulty-system.ts';

export interface Counts {
  runs: number;
  /** Runs in which a call really failed. */
  struck: number;
  /** What was lost or said and is not so, by the call that failed. */
  readonly violations: string[];
  /** How the runs ended, by the words of the scenario. */
  readonly ended: Record<string, number>;
}

export interface Extent {
  readonly faults?: readonly Fault[];
  /** Every so many calls; 1 for each. */
  readonly step?: number;
  /** The call to begin with; a later one for each further kind of fault. */
  readonly first?: number;
}

/** `scenario` gives one word for how it ended. */
export async function everyCall(
  scenario: (faulty: FaultySystem) => Promise<string>,
  { faults: kinds = faults, step = 1, first = 0 }: Extent = {},
): Promise<Counts> {
  const counts: Counts = { runs: 0, struck: 0, violations: [], ended: {} };
  for (const [kind, fault] of kinds.entries()) {
    for (let index = first + (kind % step); ; index += step) {
      const faulty = createFaultySystem({ at: index, fault });
      const where = () => `${fault} at call ${index}: ${faulty.struck[0] ?? 'none'}`;
      let word = 'something was lost, or an untrue thing said';
      try {
        word = await scenario(faulty);
      } catch (error) {
        counts.violations.push(`${where()}\n${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await faulty.close();
      }
      counts.runs++;
      if (faulty.struck.length > 0) {
        counts.struck++;
        counts.ended[word] = (counts.ended[word] ?? 0) + 1;
      }
      if (faulty.calls.length <= index) break;
    }
  }
  return counts;
}

/** Trouble with the disk is told as that: never as a fault of ours, and with what the system said. */
export function tellsOfDisk(errors: string): boolean {
  return !/bug in wm|internal/.test(errors) && /ENOSPC|EIO/.test(errors);
}
