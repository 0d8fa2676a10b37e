// How much processor time processes take, as Linux counts it.

import { readFileSync } from 'node:fs';

/** Of a tick, in which /proc counts. */
const millisecondsOfTick = 10;

/** Milliseconds so far. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsOfTick;
}

/** Returns a function that says how many milliseconds each of them has taken since. */
export function watchProcessors(pids) {
  const before = pids.map(processorMs);
  return () => pids.map((pid, at) => processorMs(pid) - before[at]);
}
