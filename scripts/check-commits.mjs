// npm run commits, a part of npm run check: checks the commit subjects since the rule began, or after BASE: node
// scripts/check-commits.mjs [BASE].

import { fileURLToPath } from 'node:url';
import { checkCommits } from './commit-subjects.mjs';

/** The last commit before the rule. */
const ruleBegins = '5511515e250dd104b17e6c93b53cc9224abdb598';

const root = fileURLToPath(new URL('..', import.meta.url));
const { isWell, lines } = checkCommits(root, process.argv[2] ?? ruleBegins);
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = isWell ? 0 : 1;
