// Runs a few commands of the built program, and stores the code that V8 compiled for them and for the emulator. Uses its own
// process, because V8 compiles functions only as they run.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire, wrap } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = process.argv[2];
const load = createRequire(join(folder, 'main.cjs'));
const task = 'IEAAAAAQKQAB5BNG';
const update = ['task', 'update', task, '--title', 'x'];
/** An argument for Node. Ignores the response: only the emulator's code matters. */
const request = `
  const { WM_EMULATOR_URL, WM_TOKEN } = process.env;
  const headers = { Authorization: 'Bearer ' + WM_TOKEN };
  require('node:http').get(WM_EMULATOR_URL + '/api/v4/tasks/${task}', { headers, agent: false }, (one) => one.resume());
`;

/** Run in turn. This process responds to their requests. */
const commands = [
  ['--help'],
  ['webhook', 'list', '--help'],
  [...update, '--dry-run'],
  ['__complete', 'bash', 'wm task update --stat', '--stat', '9', '80'],
];
const requests = [update, ['webhook', 'list'], ['whoami']];
/** A bulk run of this file. */
const rows = `{"id":"${task}","title":"x"}\n`;

const scripts = new Map();
function scriptOf(path) {
  const script = scripts.get(path) ?? new Script(wrap(readFileSync(path, 'latin1')), { filename: path });
  scripts.set(path, script);
  return script;
}

const keep = (files) => {
  for (const [path, script] of scripts) {
    if (files(path)) writeFileSync(path.replace(/cjs$/, 'cache'), script.createCachedData());
  }
};

/** Runs it like bin/wm.js. */
function run(words, environment) {
  process.argv = [process.execPath, join(folder, 'main.cjs'), ...words];
  process.env = { PATH: process.env.PATH, ...environment };
  const loaded = new Map();
  const requireFrom = (id) => {
    if (!id.startsWith('./')) return load(id);
    const [file, module] = id.split('#');
    const path = join(folder, file);
    if (!loaded.has(path)) {
      const module_ = { exports: {} };
      scriptOf(path).runInThisContext()(module_.exports, requireFrom, module_, path, folder);
      loaded.set(path, module_.exports);
    }
    const exported = loaded.get(path);
    return module === undefined ? exported : exported.modules[module]();
  };
  requireFrom('./main.cjs');
}

const config = mkdtempSync(join(tmpdir(), 'wm-compile-'));
writeFileSync(join(config, 'rows.ndjson'), rows);
commands.push(['task', 'update', '--from', join(config, 'rows.ndjson'), '--dry-run']);
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Connection', 'close');
    const [, , , kind] = request.url.split(/[/?]/);
    const id = { account: 'IEAAAAAQ', contacts: 'KUAABENQ' }[kind] ?? task;
    const data = [{ id, title: 'x' }];
    response.end(JSON.stringify({ kind: kind === 'account' ? 'accounts' : kind, data }));
  });
});
const waiting = commands.map((words) => () => run(words, { WM_HOST: 'api.example.com' }));
const emulator = join(folder, 'emulator.cjs');
const isProgram = (path) => path !== emulator;
let mayListen = false;
// If no socket may be opened, only commands without requests are compiled.
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => {
  mayListen = true;
  server.unref();
  const host = `127.0.0.1:${server.address().port}`;
  const sending = { WM_HOST: host, WM_TOKEN: 'token', WM_CONFIG_DIR: config };
  waiting.unshift(...requests.map((words) => () => run(words, sending)));
});
/** Compiled last and stored separately: every other command would otherwise read the emulator's part too. */
function compileEmulator() {
  keep(isProgram);
  if (mayListen) run(['emulator', 'exec', '--', process.execPath, '-e', request], {});
  else scriptOf(emulator).runInThisContext()({}, load, { exports: {} }, emulator, folder);
}
waiting.push(compileEmulator);

process.on('beforeExit', () => {
  const next = waiting.shift();
  if (next === undefined) return;
  next();
  // Wait until all work is done, even work that Node does not wait for.
  setImmediate(() => {});
});
process.on('exit', () => {
  keep((path) => !isProgram(path));
  rmSync(config, { recursive: true, force: true });
});
