// The main script of a single executable, as bin/wm.js is elsewhere: runs the program's parts, which are assets, and unpacks a
// native library before it loads it, because the system loads only files. The build defines the constants in capitals.

const fs = require('node:fs');
const { dirname, isAbsolute, join } = require('node:path');
const { getRawAsset } = require('node:sea');
const { Script } = require('node:vm');

// Elsewhere this is the script. Here it would be the command as typed.
process.argv[1] = process.execPath;

const isWindows = process.platform === 'win32';
const loaded = new Map();

const once = (name, evaluate) => {
  if (!loaded.has(name)) loaded.set(name, evaluate(name));
  return loaded.get(name);
};

function load(id) {
  if (Object.hasOwn(NATIVE_FILES, id)) return once(NATIVE_FILES[id], loadNative);
  if (id === 'fs-native-extensions') return once('fs-native-extensions.cjs', evaluatePart);
  if (!id.startsWith('./')) return require(id);
  const [file, module] = id.slice(2).split('#');
  const exported = once(file, evaluatePart);
  return module === undefined ? exported : exported.modules[module]();
}

/** What a part exports. The build wrapped it as the function that Node would make of it. */
function evaluatePart(file) {
  const cache = file.replace(/cjs$/, 'cache');
  const script = new Script(Buffer.from(getRawAsset(file)).latin1Slice(), {
    filename: file,
    cachedData: COMPILED_FILES.includes(cache) ? Buffer.from(getRawAsset(cache)) : undefined,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, load, module, file, '');
  return module.exports;
}

function loadNative(file) {
  const folder = cacheFolder();
  try {
    const path = join(folder, file);
    const bytes = Buffer.from(getRawAsset(file));
    makePrivate(folder);
    if (!isUnpacked(path, bytes)) unpack(path, bytes);
    const module = { exports: {} };
    process.dlopen(module, path);
    return module.exports;
  } catch (error) {
    // src/failure.ts says what to do.
    throw Object.assign(new Error(`${folder}: ${error.message}`), { name: 'UnloadableLibrary' });
  }
}

function cacheFolder() {
  const { homedir } = require('node:os');
  const [named, ...below] = isWindows
    ? [process.env.LOCALAPPDATA, 'AppData', 'Local']
    : [process.env.XDG_CACHE_HOME, '.cache'];
  const parent = named && isAbsolute(named) ? named : join(homedir(), ...below);
  return isWindows ? join(parent, 'wm', 'cache') : join(parent, 'wm');
}

/** Windows keeps what is below a user's folders from others; elsewhere another user could have made this one. */
function makePrivate(folder) {
  makeFolder(folder);
  if (isWindows) return;
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid())
    throw new Error(`${folder} is not a folder of yours`);
  if (found.mode & 0o077) fs.chmodSync(folder, 0o700);
}

/** Not `recursive`: Node tries without end where a folder exists in which none can be made, as in /proc. */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error.code === 'EEXIST') return;
    if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder));
    fs.mkdirSync(folder, { mode: 0o700 });
  }
}

/** Compares all bytes each time: what is in the file will run. */
function isUnpacked(path, bytes) {
  const { constants } = fs;
  let file;
  try {
    file = fs.openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const found = fs.fstatSync(file);
    const isPrivate = isWindows || (found.uid === process.getuid() && !(found.mode & 0o077));
    return isPrivate && found.size === bytes.length && fs.readFileSync(file).equals(bytes);
  } catch {
    return false;
  } finally {
    if (file !== undefined) fs.closeSync(file);
  }
}

function unpack(path, bytes) {
  const part = `${path}.${process.pid}.${require('node:crypto').randomUUID()}`;
  try {
    fs.writeFileSync(part, bytes, { flag: 'wx', mode: 0o600 });
    fs.renameSync(part, path);
  } catch (error) {
    fs.rmSync(part, { force: true });
    // Another process was first, and has it open on Windows.
    if (!isUnpacked(path, bytes)) throw error;
  }
}

const typed = process.argv.slice(2);
if (typed.length === 1 && (typed[0] === '--version' || typed[0] === '-V')) {
  process.stdout.on('error', (error) => {
    // What closed the pipe has read enough; Windows reports EOF.
    if (error.code === 'EPIPE' || error.code === 'EOF') return;
    process.stderr.on('error', () => {}).write(`wm: Cannot write the version: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stdout.write(`${WM_VERSION}\n`);
} else load('./main.cjs');
