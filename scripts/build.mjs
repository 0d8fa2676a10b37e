// Builds dist/: one small entry, and a chunk for each part that is loaded on demand. Not minified: that made the start
// slower, and a stack trace unreadable.

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { options } from './esbuild-options.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
await rm(`${root}dist`, { recursive: true, force: true });
await build({
  ...(await options(root)),
  entryPoints: [`${root}src/main.ts`],
  outdir: `${root}dist`,
  chunkNames: 'part-[name]-[hash]',
});
