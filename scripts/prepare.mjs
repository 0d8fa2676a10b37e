// Runs after `npm ci`. Where the build's tools are absent (npx installs a folder without them), it leaves things as they
// are and ends well: a failure here would leave a broken link behind that a later `npm ci` does not mend.

try {
  await import('esbuild');
} catch {
  process.exit(0);
}
// npm runs this before it packs as well, and after its own hook for that.
const isPacking = ['pack', 'publish'].includes(process.env.npm_command);
await import(isPacking ? './build-package.mjs' : './build.mjs');
await import('./man.mjs');
