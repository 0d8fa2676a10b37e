// Runs after `npm ci`. Succeeds even if the build tools are missing, as when npx installs a folder: a failure would leave a broken
// link that a later `npm ci` does not repair.

import { fileURLToPath } from 'node:url';

try {
  await import('esbuild');
} catch {
  process.stderr.write(
    'wm is not built: the tools of its build are not installed (NODE_ENV=production, --omit=dev). Run: npm ci --include=dev\n',
  );
  process.exit(0);
}
// `npm run pack` writes another package.json.
if (['pack', 'publish'].includes(process.env.npm_command)) {
  process.stderr.write('`npm run pack` writes the package. Publish that file.\n');
  process.exit(1);
}
await import('./build.mjs');
// For a program that depends on this folder.
const { buildLibrary } = await import('./build-program.mjs');
await buildLibrary(fileURLToPath(new URL('..', import.meta.url)));
await import('./man.mjs');
