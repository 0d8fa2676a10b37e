// npm run test:all: runs the quick and the deep suite, then each other suite whose software is installed. Says which it left out,
// and how to get what they need. Ends with 1 if a suite failed.

import { spawnSync } from 'node:child_process';
import { hasNatsServer } from './nats-server.mjs';
import { lackingPackages } from './system-software.mjs';

/** These suites themselves skip tests whose software is missing, and say so. */
const always = ['test', 'test:deep'];
const results = [];
const others = ['system', 'sink', 'package', 'openapi', 'windows', 'executable'].map(
  (name) => `test:${name}`,
);
for (const suite of [...always, ...others]) {
  const lacking = lackingPackages(suite);
  if (lacking.length > 0 && !always.includes(suite)) {
    results.push({ suite, outcome: `left out. It needs: apt-get install ${lacking.join(' ')}` });
    continue;
  }
  if (suite === 'test:sink' && !hasNatsServer()) {
    results.push({ suite, outcome: 'left out. It needs: node scripts/nats-server.mjs' });
    continue;
  }
  process.stdout.write(`\n== npm run ${suite}\n`);
  // npm is a batch file on Windows, which needs a shell.
  const { status } = spawnSync(`npm run --silent ${suite}`, { shell: true, stdio: 'inherit' });
  const skips = lacking.length === 0 ? '' : `, without the tests that need ${lacking.join(', ')}`;
  results.push({ suite, outcome: `${status === 0 ? 'passed' : 'failed'}${skips}`, isFailed: status !== 0 });
}
process.stdout.write(`\n${results.map(({ suite, outcome }) => `${suite}: ${outcome}`).join('\n')}\n`);
process.exitCode = results.some(({ isFailed }) => isFailed) ? 1 : 0;
