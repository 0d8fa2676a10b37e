// Runs the built program once, on a command that sends nothing, and keeps the code that V8 compiled for it. A process of
// its own, since the functions that a run needs are compiled only as it runs.

const { readFileSync, writeFileSync } = require('node:fs');
const { createRequire, wrap } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const folder = process.argv[2];
const main = join(folder, 'main.cjs');
const script = new Script(wrap(readFileSync(main, 'utf8')), {
  filename: main,
});

process.argv = [process.execPath, main, 'task', 'update', 'IEAAAAAQKQAB5BNG', '--title', 'x', '--dry-run'];
process.env = { WM_HOST: 'api.example.com', PATH: process.env.PATH };
process.on('exit', () => writeFileSync(join(folder, 'main.cache'), script.createCachedData()));

const module_ = { exports: {} };
script.runInThisContext()(module_.exports, createRequire(main), module_, main, folder);
