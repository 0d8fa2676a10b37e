#!/usr/bin/env node
// The command. Answers for the version, and otherwise runs what the build made, with the code that V8 compiled then.
// CommonJS, because Node starts it faster: docs/decisions/bundle.md.

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const main = join(root, 'dist', 'main.cjs');

const [major, minor] = process.versions.node.split('.').map(Number);
const typed = process.argv.slice(2);

if (major < 20 || (major === 20 && minor < 19)) {
  end(`wm needs Node 20.19 or later; this is ${process.version}. Install a newer one, then run it again.`);
} else if (typed.length === 1 && (typed[0] === '--version' || typed[0] === '-V')) {
  process.stdout.on('error', (error) => {
    // Whoever closed the pipe has read enough; Windows reports EOF.
    if (error.code !== 'EPIPE' && error.code !== 'EOF') end(`wm: Cannot write the version: ${error.message}`);
  });
  process.stdout.write(`${JSON.parse(read(join(root, 'package.json'))).version}\n`);
} else {
  const code = read(main);
  if (code === undefined) end(`wm is not built yet. Run: cd ${root} && npm ci`);
  else run(code.toString());
}

function run(code) {
  const { createRequire, wrap } = require('node:module');
  const { Script } = require('node:vm');
  // V8 itself looks whether the compiled code is of this version and these flags, and compiles anew where it is not.
  const script = new Script(wrap(code), {
    filename: main,
    cachedData: read(join(root, 'dist', 'main.cache')),
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(main), module, main, join(root, 'dist'));
}

function read(path) {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function end(message) {
  // There is nowhere left to report that.
  process.stderr.on('error', () => {});
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
