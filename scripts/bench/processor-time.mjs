// Measures the processor time of processes, as Linux counts it.

import { readFileSync } from 'node:fs';

/** /proc counts in ticks of this length. */
const millisecondsOfTick = 10;

/** Returns the milliseconds so far. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsOfTick;
}

/** Returns a function that says how many milliseconds each process has taken since. */
export function watchProcessors(pids) {
  const before = pids.map(processorMs);
  return () => pids.map((pid, at) => processorMs(pid) - before[at]);
}
