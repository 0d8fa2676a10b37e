// The software that the tests need besides npm packages. Run directly, it prints the Debian packages that are missing here, one per
// line, for .ci/run to install.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const uses = [
  // Shells for quoted hints, and a client for the transcripts. Without them, some tests of both suites are skipped.
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
  { find: 'test -x /usr/lib/wine/wine64', package: 'wine64', suites: ['test:windows'] },
  {
    find: 'command -v x86_64-w64-mingw32-ld',
    package: 'binutils-mingw-w64-x86-64',
    suites: ['test:windows'],
  },
  { find: 'command -v debootstrap', package: 'debootstrap', suites: ['test:executable'] },
  { find: 'command -v lintian', package: 'lintian', suites: ['test:executable'] },
];

/** Returns the missing Debian packages for the npm script `suite`, or without a suite all missing ones. */
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
