// Tells the user of ignored parameters: once for each operation and name, and of so many only, since a client could send a
// new name with each request.

import { formatValue } from '#contract/schema.ts';

const maxReports = 100;

export function createIgnoredReport(
  log: (line: string) => void,
): (operation: string, parameter: string) => void {
  const reported = new Set<string>();
  return (operation, parameter) => {
    // As it is shown: a name may be as long as a request.
    const what = `the parameter ${formatValue(parameter)} of ${operation}`;
    if (reported.has(what) || reported.size >= maxReports) return;
    reported.add(what);
    log(`${what} was ignored: the contract does not show which parameters this request takes`);
    if (reported.size === maxReports) log('further ignored parameters are not reported');
  };
}
