// What `wm help --json` prints, read from the built program: the reference and the man pages are made of what every program
// can read.

import { spawnSync } from 'node:child_process';

/** `root` is the folder of the clone, with a slash at its end. */
export function describeProgram(root) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}bin/wm.js`, 'help', '--json'],
    // What the user has set is no part of the reference.
    { encoding: 'utf8', env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`wm help --json failed: ${stderr}`);
  return JSON.parse(stdout);
}
