// Writes the man pages into man/ for the package, from `wm help --json`. Runs after the build, before npm packs.

import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatManPages } from './reference/format-man.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [`${root}bin/wm.js`, 'help', '--json'],
  // Leave out the user's own settings.
  { encoding: 'utf8', env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 },
);
if (status !== 0) throw new Error(`wm help --json failed: ${stderr}`);
await rm(`${root}man`, { recursive: true, force: true });
await mkdir(`${root}man`);
for (const [name, text] of formatManPages(JSON.parse(stdout))) await writeFile(`${root}man/${name}`, text);
