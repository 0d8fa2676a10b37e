// What CI runs on macOS, Windows and Alpine instead of .ci/run: only Node, without bash. Continues after a failed step to show
// all failures, and then ends with 1. Arguments choose test files, as for `npm test`.

import { spawnSync } from 'node:child_process';
import { arch, release } from 'node:os';
import { fileURLToPath } from 'node:url';

const chosen = process.argv.slice(2);
const steps = [
  'npm ci',
  'npm run check',
  // The keychain of this system.
  'npm test -- test/platform/',
  ...(chosen.length > 0 ? [`npm test -- ${chosen.join(' ')}`] : ['npm test', 'npm run test:deep']),
];

process.stdout.write(`${process.platform} ${release()} ${arch()}, Node ${process.version}\n`);
const outcomes = steps.map((step) => {
  process.stdout.write(`\n== ${step}\n`);
  // npm is a batch file on Windows, which needs a shell. These words are safe in any shell.
  const { status, signal } = spawnSync(step, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    shell: true,
    stdio: 'inherit',
  });
  return status === 0 ? 'passed' : `failed with ${signal ?? status}`;
});
process.stdout.write(`\n${steps.map((step, at) => `${step}: ${outcomes[at]}`).join('\n')}\n`);
process.exitCode = outcomes.every((outcome) => outcome === 'passed') ? 0 : 1;
