// Loaded into every process of `npm test` that runs a test file: notes on the disk which tests are running, since when. So a
// test that hangs can be named and ended, even one in an endless loop: Node names none before version 24, and from then on
// does not end their files.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'node:test';

const running = [];
const note = join(process.env.TEST_RUNNING, `${process.pid}.json`);
const write = () =>
  writeFileSync(
    note,
    JSON.stringify({ pid: process.pid, file: process.argv[1], tests: running, since: Date.now() }),
  );

// Before the first test, too: a file may hang as it loads.
write();
process.on('exit', () => rmSync(note, { force: true }));
beforeEach(({ name }) => {
  running.push(name);
  write();
});
afterEach(({ name }) => {
  running.splice(running.lastIndexOf(name), 1);
  write();
});
