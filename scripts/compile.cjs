// Runs a few commands of the built program, and stores the code that V8 compiled for them and for the emulator. Uses its own
// process, because V8 compiles functions only as they run.

const { once } = require('node:events');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const vm = require('node:vm');

/** Has the program in bin/ and dist/. */
const folder = process.argv[2];
const program = join(folder, 'bin', 'wm.js');
const emulator = ['emulator.cjs', 'read-html.cjs'].map((name) => join(folder, 'dist', name));
const config = mkdtempSync(join(tmpdir(), 'wm-compile-'));
const rows = join(config, 'rows.ndjson');
const task = 'IEAAAAAQKQAB5BNG';
const update = ['task', 'update', task, '--title', 'x'];

/** This process responds to their requests. */
const requests = [update, ['webhook', 'list'], ['whoami']];
const commands = [
  ['--help'],
  ['webhook', 'list', '--help'],
  [...update, '--dry-run'],
  ['__complete', 'bash', 'wm task update --stat', '--stat', '9', '80'],
  ['task', 'update', '--from', rows, '--dry-run'],
];
/** An argument for Node. Ignores the response: only the emulator's code matters. */
const request = `
  const { WM_EMULATOR_URL, WM_TOKEN } = process.env;
  const headers = { Authorization: 'Bearer ' + WM_TOKEN };
  require('node:http').get(WM_EMULATOR_URL + '/api/v4/tasks/${task}', { headers, agent: false }, (one) => one.resume());
`;

/** What bin/wm.js runs: one script for each file, so that it has the functions of all commands. */
const scripts = new Map();
const { Script } = vm;
vm.Script = function KeptScript(code, { filename }) {
  if (!scripts.has(filename)) scripts.set(filename, new Script(code, { filename }));
  return scripts.get(filename);
};

async function run(words, environment) {
  process.argv = [process.execPath, program, ...words];
  process.env = { PATH: process.env.PATH, ...environment };
  delete require.cache[program];
  require(program);
  // Wait until all work is done, even work that Node does not wait for.
  setImmediate(() => {});
  await once(process, 'beforeExit');
}

function store(isChosen) {
  for (const [path, script] of scripts)
    if (isChosen(path)) writeFileSync(path.replace(/cjs$/, 'cache'), script.createCachedData());
}

async function compile() {
  writeFileSync(rows, `{"id":"${task}","title":"x"}\n`);
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
  const listening = once(server.listen(0, '127.0.0.1'), 'listening');
  // If no socket may be opened, only commands without requests are compiled.
  const mayListen = await listening.then(() => true).catch(() => false);
  server.unref();
  if (mayListen) {
    const sending = {
      WM_HOST: `127.0.0.1:${server.address().port}`,
      WM_TOKEN: 'token',
      WM_CONFIG_DIR: config,
    };
    for (const words of requests) await run(words, sending);
  }
  for (const words of commands) await run(words, { WM_HOST: 'api.example.com' });
  store((path) => !emulator.includes(path));
  // Stored separately: every other command would otherwise read the emulator's part too.
  if (mayListen) await run(['emulator', 'exec', '--', process.execPath, '-e', request], {});
  store((path) => emulator.includes(path));
}

process.on('exit', () => rmSync(config, { recursive: true, force: true }));
compile();
