// npm run reference: builds the program, then writes docs/reference/ and the JSON Schema of an emulator's seed from the program's
// own description.

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describeProgram } from './reference/describe-program.mjs';
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
