// Reads `wm help --json` from the built program. The reference and the man pages use only this description, which every program can
// read.

import { spawnSync } from 'node:child_process';

/** `root`: the folder of the clone, with a slash at its end. */
export function describeProgram(root) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`${root}bin/wm.js`, 'help', '--json'],
    // Leave out the user's own settings.
    { encoding: 'utf8', env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 },
  );
  if (status !== 0) throw new Error(`wm help --json failed: ${stderr}`);
  return JSON.parse(stdout);
}
