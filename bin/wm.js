#!/usr/bin/env node
// The command. Answers for the version, and otherwise runs what the build made, with the code that V8 compiled then.
// CommonJS, because Node starts it faster: docs/decisions/bundle.md.

const { closeSync, fstatSync, openSync, readFileSync, readSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const main = join(root, 'dist', 'main.cjs');

/** The build needs its tools, which NODE_ENV=production leaves out, and runs as a script of npm. */
const thatBuilds = '--include=dev --ignore-scripts=false';

const [major, minor] = process.versions.node.split('.').map(Number);
const typed = process.argv.slice(2);

if (major < 20 || (major === 20 && minor < 19)) {
  end(`wm needs Node 20.19 or later; this is ${process.version}. Install a newer one, then run it again.`);
} else if (typed.length === 1 && (typed[0] === '--version' || typed[0] === '-V')) {
  process.stdout.on('error', (error) => {
    // Whoever closed the pipe has read enough; Windows reports EOF.
    if (error.code !== 'EPIPE' && error.code !== 'EOF') end(`wm: Cannot write the version: ${error.message}`);
  });
  process.stdout.write(`${JSON.parse(readFileSync(join(root, 'package.json'))).version}\n`);
} else {
  const code = readWrapped(main);
  if (code === undefined) end(`wm is not built yet. Run: cd ${root} && npm ci ${thatBuilds}`);
  else run(code);
}

function run(code) {
  const load = require('node:module').createRequire(main);
  const loaded = new Map();
  const loadFile = (path, text) => {
    const exported = evaluate(path, text, readCompiled(path), requireFrom);
    loaded.set(path, exported);
    return exported;
  };
  /** `./tasks.cjs#command/task/list.ts` is a module of a part of the program, as scripts/program-parts.mjs writes it. */
  const requireFrom = (id) => {
    if (!id.startsWith('./')) return load(id);
    const [file, module] = id.split('#');
    const path = join(root, 'dist', file);
    const exported = loaded.get(path) ?? loadFile(path, readWrapped(path));
    return module === undefined ? exported : exported.modules[module]();
  };
  loadFile(main, code);
}

function readCompiled(path) {
  return orUndefined(() => readFileSync(path.replace(/cjs$/, 'cache')));
}

/** What a CommonJS file exports. */
function evaluate(path, wrapped, cachedData, load) {
  const { Script } = require('node:vm');
  // V8 itself looks whether the compiled code is of this version and these flags, and compiles anew where it is not.
  const script = new Script(wrapped, { filename: path, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, path, join(root, 'dist'));
  return module.exports;
}

/**
 * A CommonJS file as the function that Node would make of it. The build writes nothing but ASCII, and V8 takes a text of one
 * byte for each character as it is: decoding and wrapping it would be two more copies of 2 MB.
 */
function readWrapped(path) {
  const [head, tail] = require('node:module').wrapper;
  const file = orUndefined(() => openSync(path));
  if (file === undefined) return undefined;
  const { size } = fstatSync(file);
  const bytes = Buffer.allocUnsafeSlow(head.length + size + tail.length);
  bytes.latin1Write(head);
  for (let at = 0, more = 1; more > 0; at += more) more = readSync(file, bytes, head.length + at, size - at);
  closeSync(file);
  bytes.latin1Write(tail, head.length + size);
  return bytes.latin1Slice();
}

/** What `read` gives, or undefined for a file that does not exist. */
function orUndefined(read) {
  try {
    return read();
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
