// The software that the tests use and npm does not bring. Run by itself, it prints the Debian packages that this machine lacks, one
// on each line, for .ci/run to install.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const uses = [
  // Shells that hints are quoted for, and a client that the transcripts compare with: without them, tests of the two suites are skipped.
  { find: 'command -v zsh', package: 'zsh', suites: ['test', 'test:deep'] },
  { find: 'command -v fish', package: 'fish', suites: ['test', 'test:deep'] },
  { find: 'command -v curl', package: 'curl', suites: ['test', 'test:deep'] },
  { find: 'command -v chromium', package: 'chromium', suites: ['test:system', 'test:sink'] },
  { find: 'command -v dbus-run-session', package: 'dbus', suites: ['test:system'] },
  { find: 'command -v gnome-keyring-daemon', package: 'gnome-keyring', suites: ['test:system'] },
  { find: 'command -v Xvfb', package: 'xvfb', suites: ['test:system'] },
  { find: 'command -v man', package: 'man-db', suites: ['test:system'] },
  { find: 'command -v groff', package: 'groff', suites: ['test:system'] },
  { find: 'command -v strace', package: 'strace', suites: ['test:system'] },
  { find: '/usr/bin/python3 -m pytest --version', package: 'python3-pytest', suites: ['test:package'] },
  { find: 'command -v debootstrap', package: 'debootstrap', suites: [] },
];

/** The Debian packages that the npm script `suite` needs and this machine lacks; without a suite, all that are lacking. */
export function lackingPackages(suite) {
  return uses
    .filter(({ suites }) => suite === undefined || suites.includes(suite))
    .filter(({ find }) => spawnSync('sh', ['-c', find], { stdio: 'ignore' }).status !== 0)
    .map((use) => use.package);
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(
    lackingPackages()
      .map((name) => `${name}\n`)
      .join(''),
  );
