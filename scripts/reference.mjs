// npm run reference: builds the program, then writes docs/reference/, the JSON Schema of a seed of the emulator and the names of the man pages in package.json from
// what the program says of itself. (npm links no man pages but those that package.json names one by one.)

import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeProgram } from './reference/describe-program.mjs';
import { formatManPages } from './reference/format-man.mjs';
import { formatReference } from './reference/format-markdown.mjs';
import { replaceFolder } from './reference/replace-folder.mjs';
import './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = describeProgram(root);
await replaceFolder(`${root}docs/reference/`, formatReference(program));

const { stdout } = spawnSync(process.execPath, [`${root}bin/wm.js`, 'emulator', 'snapshot', '--schema'], {
  encoding: 'utf8',
});
await writeFile(`${root}docs/emulator-seed.schema.json`, stdout);

const manifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
manifest.man = [...formatManPages(program).keys()].map((name) => `man/${name}`);
await writeFile(`${root}package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
