// Runs one test file of a copy of the clone, and reads which of its tests failed while it still runs.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { testEnvironment } from '../build-tests.mjs';

/**
 * `stopAtFailure`: the first test that fails ends the file. `limitMs`: then everything that it started is killed.
 * `isNice`: at a low priority. Gives `passed`, `failed` or `timed-out`, the names of the failed tests and the time taken.
 */
export async function runTestFile(
  { tree, recorder, built },
  { limitMs, stopAtFailure = false, environment = {} } = {},
) {
  const begins = performance.now();
  const folder = await mkdtemp(join(tmpdir(), 'wm-t-'));
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', '--require', `${tree}${recorder}`, '--test-reporter=tap', built],
    {
      cwd: tree,
      // A group of its own, so that what it started ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...testEnvironment(), TMPDIR: folder, ...environment },
    },
  );
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  };
  const failed = [];
  let last = '';
  let isTimedOut = false;
  child.stderr.on('data', (text) => {
    last = `${last}${text}`.slice(-2000);
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const name = /^\s*not ok \d+ - (?!.*# (?:TODO|SKIP)\b)(.*)$/.exec(line)?.[1];
    if (name === undefined) return;
    failed.push(name);
    if (stopAtFailure) end();
  });
  const timer = setTimeout(() => {
    isTimedOut = true;
    end();
  }, limitMs);
  const [status, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    // Not `close`: a process that outlives the file may hold its pipes.
    child.once('exit', (...how) => setImmediate(() => resolve(how)));
  });
  clearTimeout(timer);
  end();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  const milliseconds = performance.now() - begins;
  if (isTimedOut) return { outcome: 'timed-out', failed, milliseconds };
  if (status === 0 && failed.length === 0) return { outcome: 'passed', failed, milliseconds };
  if (failed.length === 0)
    failed.push(`ended with ${signal ?? status}: ${last.trim().split('\n').at(-1) ?? ''}`);
  return { outcome: 'failed', failed, milliseconds };
}
