// Writes the man pages into man/ for the package, from `wm help --json`. Runs after the build, before npm packs.

import { execFileSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { formatManPages } from './reference/format-man.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
// Leave out the user's own settings.
const options = { env: { PATH: process.env.PATH }, maxBuffer: 2 ** 26 };
const help = JSON.parse(execFileSync(process.execPath, [`${root}bin/wm.js`, 'help', '--json'], options));
await rm(`${root}man`, { recursive: true, force: true });
await mkdir(`${root}man`);
for (const [name, text] of formatManPages(help)) await writeFile(`${root}man/${name}`, text);
