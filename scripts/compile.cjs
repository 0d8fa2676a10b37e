// Runs the built program on two commands, one that shows a request and one that sends it, and keeps the code that V8 compiled
// for them. A process of its own, since the functions that a run needs are compiled only as it runs.

const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { createServer } = require('node:http');
const { createRequire, wrap } = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = process.argv[2];
const main = join(folder, 'main.cjs');
const script = new Script(wrap(readFileSync(main, 'utf8')), {
  filename: main,
});
const update = ['task', 'update', 'IEAAAAAQKQAB5BNG', '--title', 'x'];

function run(words, environment) {
  process.argv = [process.execPath, main, ...words];
  process.env = { PATH: process.env.PATH, ...environment };
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, createRequire(main), module_, main, folder);
}

const config = mkdtempSync(join(tmpdir(), 'wm-compile-'));
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Connection', 'close');
    response.end(JSON.stringify({ kind: 'tasks', data: [{ id: 'IEAAAAAQKQAB5BNG', title: 'x' }] }));
    server.close();
  });
});
// Where no socket may be opened, only the command that sends nothing is compiled.
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => {
  run(update, { WM_HOST: `127.0.0.1:${server.address().port}`, WM_TOKEN: 'token', WM_CONFIG_DIR: config });
});
process.once('beforeExit', () => run([...update, '--dry-run'], { WM_HOST: 'api.example.com' }));
process.on('exit', () => {
  writeFileSync(join(folder, 'main.cache'), script.createCachedData());
  rmSync(config, { recursive: true, force: true });
});
