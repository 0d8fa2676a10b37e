// Loaded into every Node process of a command under test (NODE_OPTIONS=--require). Each process writes down what anybody
// on the machine could see of it, its command line and its environment, at its start and at its end, and the programs
// that it starts: nobody has to catch it while it runs.

'use strict';
const { ChildProcess } = require('node:child_process');
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env['PROCESS_RECORD'];
const records = [];

function record(what, commandLine, environment) {
  records.push({ what, commandLine, environment });
  place(`${process.pid}.json`, JSON.stringify(records));
}

/** Whole, for whoever reads it at that moment. A helper may outlive its test, and the folder with it. */
function place(name, text) {
  const path = join(folder, name);
  try {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

/** As the system shows it, where it does so in a file. */
function own(name, otherwise) {
  const path = `/proc/self/${name}`;
  return existsSync(path) ? readFileSync(path, 'utf8').split('\0').filter(Boolean) : otherwise();
}

function recordOwn(what) {
  const commandLine = own('cmdline', () => [process.execPath, ...process.execArgv, ...process.argv.slice(1)]);
  const environment = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
  record(what, commandLine, environment);
}

recordOwn('start');
process.on('exit', () => recordOwn('end'));

const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  record('child', [options.file, ...(options.args ?? [])], options.envPairs ?? []);
  return spawn.call(this, options);
};
