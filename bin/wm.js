#!/usr/bin/env node
// The command. Runs what the build made; says what to do where there is no build, or where Node is too old for it.

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`wm needs Node 20.19 or later; this is ${process.version}.\n`);
  process.exitCode = 1;
} else {
  import('../dist/main.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    process.stderr.write('wm is not built yet. In its folder, run: npm ci\n');
    process.exitCode = 1;
  });
}
