// Loaded into a Node process under test (NODE_OPTIONS=--require): when it was stopped and runs again, it writes a file of
// its number into RUNS_AGAIN, once the timers that are late have run.

'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

process.on('SIGCONT', () => {
  // Timers run in the order of their times.
  setTimeout(() => writeFileSync(join(process.env['RUNS_AGAIN'], String(process.pid)), ''), 0);
});
