// Runs the built program on three commands: one that shows a request, one that sends it, and one that starts the emulator and
// sends it a request. Keeps the code that V8 compiled for them: of the program, what the first two ran; of the emulator, the
// third. A process of its own, since the functions that a run needs are compiled only as it runs.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire, wrap } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = process.argv[2];
const load = createRequire(join(folder, 'main.cjs'));
const main = read('main');
const emulator = read('emulator');
const task = 'IEAAAAAQKQAB5BNG';
const update = ['task', 'update', task, '--title', 'x'];
/** For Node, as an argument. Looks at no response: it is the emulator whose code is wanted. */
const request = `
  const { WM_EMULATOR_URL, WM_TOKEN } = process.env;
  const headers = { Authorization: 'Bearer ' + WM_TOKEN };
  require('node:http').get(WM_EMULATOR_URL + '/api/v4/tasks/${task}', { headers, agent: false }, (one) => one.resume());
`;

function read(name) {
  const path = join(folder, `${name}.cjs`);
  const script = new Script(wrap(readFileSync(path, 'utf8')), { filename: path });
  const evaluate = (require_) => {
    const module_ = { exports: {} };
    script.runInThisContext()(module_.exports, require_, module_, path, folder);
    return module_.exports;
  };
  const keep = () => writeFileSync(join(folder, `${name}.cache`), script.createCachedData());
  return { evaluate, keep };
}

function run(words, environment) {
  process.argv = [process.execPath, join(folder, 'main.cjs'), ...words];
  process.env = { PATH: process.env.PATH, ...environment };
  const loadPart = (id) => (id === './emulator.cjs' ? emulator.evaluate(load) : load(id));
  main.evaluate(Object.assign(loadPart, load));
}

const config = mkdtempSync(join(tmpdir(), 'wm-compile-'));
let mayListen = false;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Connection', 'close');
    response.end(JSON.stringify({ kind: 'tasks', data: [{ id: task, title: 'x' }] }));
    server.close();
  });
});
// Where no socket may be opened, only the command that sends nothing is compiled.
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => {
  mayListen = true;
  run(update, { WM_HOST: `127.0.0.1:${server.address().port}`, WM_TOKEN: 'token', WM_CONFIG_DIR: config });
});
process.once('beforeExit', () => {
  run([...update, '--dry-run'], { WM_HOST: 'api.example.com' });
  process.once('beforeExit', () => {
    // Before the emulator starts: what only that needs of the program would make every other command read more.
    main.keep();
    if (mayListen) run(['emulator', 'exec', '--', process.execPath, '-e', request], {});
    else emulator.evaluate(load);
  });
});
process.on('exit', () => {
  emulator.keep();
  rmSync(config, { recursive: true, force: true });
});
