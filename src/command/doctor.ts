// `wm doctor`: checks one by one what could keep wm from working, and prints a remedy for each problem.

import { Failure } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { command } from './command.ts';
import { accountCheck, storeCheck, tokenCheck } from './doctor/account.ts';
import { settingsCheck } from './doctor/config.ts';
import type { Finding } from './doctor/finding.ts';
import { networkChecks } from './doctor/network.ts';
import { stateCheck } from './doctor/state.ts';

const columns: readonly Column<Finding>[] = [
  {
    title: 'check',
    cell: (one) => one.check,
  },
  {
    title: 'result',
    cell: (one) => one.result,
    format: (one, style) => ({ good: style.good, bad: style.bad, notice: style.notice })[one.result],
  },
  { title: 'found', cell: (one) => one.found },
  { title: 'remedy', cell: (one) => one.remedy ?? '' },
];

export default command({
  changes: 'nothing',
  repairsSettings: true,
  examples: [
    { description: 'Find out why signing in does not work', command: 'wm doctor' },
    { description: 'In a script: exit status 10 means that a check failed', command: 'wm doctor --json' },
  ],
  details:
    'wm doctor refreshes an expired token, sends one read request, and writes a probe to the token store and removes it. It changes nothing else.',
  arguments: {},
  flags: {},
  async run(_input, context) {
    const findings: Finding[] = [];
    const isBad = () => findings.some(({ result }) => result === 'bad');
    for (const check of [settingsCheck, accountCheck, storeCheck]) findings.push(...(await check(context)));
    // What stands in the way of the token is found by now; each later check would only say it again.
    if (!isBad()) findings.push(...(await tokenCheck(context)));
    findings.push(...(await networkChecks(context, { hasToken: !isBad() })));
    findings.push(...(await stateCheck(context)));
    await context.report.list({ columns, records: findings, raw: findings });
    const bad = findings.filter(({ result }) => result === 'bad');
    if (bad.length > 0) {
      throw new Failure('check_failed', {
        message: `${bad.length} of ${findings.length} checks failed: ${bad.map(({ check }) => check).join(', ')}`,
        hint: bad[0]?.remedy,
      });
    }
  },
});
