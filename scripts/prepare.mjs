// Runs after `npm ci`. Where the build's tools are absent (npx installs a folder without them), it leaves things as they
// are and ends well: a failure here would leave a broken link behind that a later `npm ci` does not mend.

try {
  await import('esbuild');
} catch {
  process.exit(0);
}
// The package has a package.json of its own.
if (['pack', 'publish'].includes(process.env.npm_command)) {
  process.stderr.write('`npm run pack` writes the package. Publish that file.\n');
  process.exit(1);
}
await import('./build.mjs');
await import('./man.mjs');
