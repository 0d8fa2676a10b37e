// A process that runs the test files that its parent (run-files.mjs) names, in turn. Each has its own temporary folder and
// environment. Reports everything to the parent.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe } from 'node:test';
import { inspect } from 'node:util';
import { loadFile } from './node-test.mjs';

const send = (message) => process.send?.(message);

// Before the test runs, because it may never return to the event loop.
beforeEach(({ name }) => send({ kind: 'begins', name }));
afterEach(() => send({ kind: 'ends' }));

/** An error after the end of its test, for which Node only sets the exit status. */
let late;
process.on('uncaughtExceptionMonitor', (error) => {
  late = error;
});

const folder = process.cwd();
const environment = { ...process.env };
let restore = () => {};

process.once('disconnect', () => process.exit(1));
process.on('message', async (file) => {
  // Do not wait for the last timer: a test may simulate a killed process, whose timers continue.
  if (file === null) process.exit();
  const own = mkdtempSync(join(process.env.TEST_FOLDER, 'f'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = own;
  restore = () => {
    for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
    Object.assign(process.env, environment);
    process.chdir(folder);
    // A process that the file started may still be writing.
    try {
      rmSync(own, { recursive: true, force: true, maxRetries: 3 });
    } catch {}
  };
  const declarations = await loadFile(file.url);
  describe(file.name, () => {
    for (const declaration of declarations) declaration();
  });
});

/** The reporter. */
// biome-ignore lint/correctness/useYield: it reports to the parent
export default async function* report(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      names[data.nesting] = data.name;
    } else if (type === 'test:pass' || type === 'test:fail') {
      const isFile = data.nesting === 0;
      const message = { kind: isFile ? 'file' : data.details.type === 'suite' ? 'suite' : 'test' };
      const { error } = data.details;
      // Node reports a failed test again for each test that contains it.
      if (type === 'test:fail' && error.failureType !== 'subtestsFailed' && data.todo === undefined)
        message.failure = describeError(error);
      if (data.skip !== undefined)
        message.skip = data.skip === true || data.skip === '' ? `no reason, ${data.name}` : data.skip;
      // The tests inside it have been reported already.
      if (message.failure === undefined && error?.failureType === 'subtestsFailed') message.isParent = true;
      if (isFile) {
        restore();
        if (process.exitCode && type === 'test:pass')
          message.failure = `after its test had ended: ${inspect(late)}`;
        process.exitCode = undefined;
      }
      send({ ...message, name: names.slice(1, data.nesting + 1).join(' > '), ownName: data.name });
    }
  }
}

function describeError(error) {
  const { cause } = error;
  if (cause === undefined) return error.message;
  return typeof cause === 'string' ? cause : inspect(cause);
}
