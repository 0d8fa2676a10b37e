// Writes the man pages into man/ for the package. Runs after the build, before npm packs.

import { fileURLToPath } from 'node:url';
import { describeProgram } from './reference/describe-program.mjs';
import { formatManPages } from './reference/format-man.mjs';
import { replaceFolder } from './reference/replace-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await replaceFolder(`${root}man/`, formatManPages(describeProgram(root)));
