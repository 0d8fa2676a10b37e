// npm run build: builds dist/ of this clone.

import { fileURLToPath } from 'node:url';
import { buildProgram } from './build-program.mjs';

await buildProgram(fileURLToPath(new URL('..', import.meta.url)));
