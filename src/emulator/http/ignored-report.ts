// Reports ignored parameters to the user, once for each operation and name. The number is limited: a client could send a new name with
// each request.

import { formatValue } from '#contract/schema.ts';

const maxReports = 100;

export function createIgnoredReport(
  log: (line: string) => void,
): (operation: string, parameter: string) => void {
  const reported = new Set<string>();
  return (operation, parameter) => {
    // formatValue shortens the name, which may be as long as a request.
    const subject = `the parameter ${formatValue(parameter)} of ${operation}`;
    if (reported.has(subject) || reported.size >= maxReports) return;
    reported.add(subject);
    log(`${subject} was ignored: the contract does not show which parameters this request takes`);
    if (reported.size === maxReports) log('further ignored parameters are not reported');
  };
}
