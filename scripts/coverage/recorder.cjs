// Loaded first in every process of a coverage run: has V8 count how often each block of the built program and of the
// tests runs, and writes the counts down where the process ends by itself, by a signal of its own, or by an error. Node's
// NODE_V8_COVERAGE would not reach processes that a test gives an environment of its own. A process that another kills
// writes nothing; it leaves its mark, by which such processes are counted.

'use strict';
const { mkdirSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector');
const { join } = require('node:path');
const { fileURLToPath } = require('node:url');

const root = join(__dirname, '..', '..');
const folder = join(root, 'build', 'counts');
const measured = [join(root, 'dist'), join(root, 'build', 'test')];

mkdirSync(folder, { recursive: true });
const name = `${process.pid}-${process.hrtime.bigint()}`;
const mark = join(folder, `${name}.started`);
writeFileSync(mark, process.argv.slice(1).join(' '));

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
      const ranges = functions.flatMap((one) =>
        one.ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count]),
      );
      return [{ path: path.slice(root.length + 1), ranges }];
    });
    // Whole or not at all: the process may be killed meanwhile.
    const path = join(folder, `${name}-${written++}`);
    writeFileSync(`${path}.part`, JSON.stringify(scripts));
    renameSync(`${path}.part`, `${path}.json`);
    rmSync(mark, { force: true });
  });
}

process.on('exit', write);
for (const [owner, method, ends] of [
  [
    process,
    'kill',
    (pid, signal) => pid === process.pid && signal !== 0 && process.listenerCount(signal ?? 'SIGTERM') === 0,
  ],
  [process, 'abort', () => true],
]) {
  const original = owner[method];
  owner[method] = function (...values) {
    if (ends(...values)) write();
    return original.apply(this, values);
  };
}
