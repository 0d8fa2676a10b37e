// Loaded first in every process of a coverage run. Counts blocks with V8, and writes the counts when the process ends by itself, by
// its own signal or by an error. NODE_V8_COVERAGE would miss processes that a test starts with their own environment.

'use strict';
const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

const root = join(__dirname, '..', '..');
const folder = join(root, 'build', 'counts');
const measured = [join(root, 'dist'), join(root, 'build', 'test')];
const name = join(folder, `${process.pid}-${process.hrtime.bigint()}`);
mkdirSync(folder, { recursive: true });

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

let written = 0;
function write() {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    const scripts = taken.result.flatMap(({ url, functions }) => {
      const path = url.startsWith('file:') ? fileURLToPath(url) : url;
      if (!measured.some((below) => path.startsWith(below))) return [];
      const blocks = functions.flatMap(({ ranges }) => ranges);
      return [
        { path, ranges: blocks.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]) },
      ];
    });
    // Whole or not at all: the process may be killed meanwhile.
    const path = `${name}-${written++}`;
    writeFileSync(`${path}.part`, JSON.stringify(scripts));
    renameSync(`${path}.part`, `${path}.json`);
  });
}

process.on('exit', write);
const { kill, abort } = process;
process.kill = (pid, signal) => {
  if (pid === process.pid && signal !== 0 && process.listenerCount(signal ?? 'SIGTERM') === 0) write();
  return kill.call(process, pid, signal);
};
process.abort = () => {
  write();
  abort.call(process);
};
