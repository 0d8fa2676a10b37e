// A process that runs the test files that its parent (run-files.mjs) names, in turn. Each has its own temporary folder and
// environment. Reports everything to the parent.

import { subscribe } from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runFile } from './node-test.mjs';

const folder = process.cwd();
const environment = { ...process.env };
// Synchronous, because a test may never return to the event loop.
const report = (event) => process.send?.(event);

/** With which the file ran wm, for typed-flags.mjs. Usage errors show no effect of a flag. */
let commandLines = [];
subscribe('wm', ({ argv, status }) => {
  if (status !== 2) commandLines.push(argv);
});
subscribe('child_process', ({ process: child }) => {
  const own = commandLines;
  child.once('exit', (status) => {
    const at = child.spawnargs.findIndex((word) => /\bbin[/\\]wm\.js$/.test(word));
    if (at >= 0 && status !== 2) own.push(child.spawnargs.slice(at + 1));
  });
});

// Each world that a test makes listens for errors of these streams until the process ends.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0);

process.once('disconnect', () => process.exit(1));
process.on('message', async (file) => {
  // Do not wait for the last timer: a test may simulate a killed process, whose timers continue.
  if (file === null) process.exit();
  const own = mkdtempSync(join(process.env.TEST_FOLDER, 'f'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = own;
  await runFile(file, report);
  process.exitCode = undefined;
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
  // A process that the file started may still be writing.
  try {
    rmSync(own, { recursive: true, force: true, maxRetries: 3 });
  } catch {}
  report({ kind: 'file', commandLines });
  commandLines = [];
});
