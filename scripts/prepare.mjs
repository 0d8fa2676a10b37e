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
const root = fileURLToPath(new URL('..', import.meta.url));
if (process.env.npm_command === 'publish') {
  // It writes another package.json.
  process.stderr.write('`npm run pack` writes the package. Publish that file.\n');
  process.exit(1);
}
if (process.env.npm_command === 'pack') {
  const { buildPackage } = await import('./build-package.mjs');
  await buildPackage(root, `${root}dist`);
} else {
  await import('./build.mjs');
  // For a program that depends on this folder.
  const { buildLibrary } = await import('./build-program.mjs');
  await buildLibrary(root);
}
await import('./man.mjs');
