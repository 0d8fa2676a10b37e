// Stands in for `node:test` in built test files, so that many files can share a process. An error that nothing catches fails the tests
// that run then: to find the one that caused it, node:test follows every promise, which takes a fifth of the processor time.

import { inspect } from 'node:util';
import fc from 'fast-check';

export { mock } from 'node:test';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

/** Where declarations go: to the file that loads, or a `describe` in it. */
let suite;

function createSuite(name, { concurrency = 1 } = {}) {
  return {
    name,
    concurrency: concurrency === true ? Number.POSITIVE_INFINITY : concurrency,
    entries: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };
}

const hook = (kind) => (run) => void suite[kind].push(run);
export const before = hook('before');
export const after = hook('after');
export const beforeEach = hook('beforeEach');
export const afterEach = hook('afterEach');

export function test(name, ...rest) {
  const run = rest.pop();
  suite.entries.push({ name, run, ...rest[0] });
}

export function describe(name, ...rest) {
  const declare = rest.pop();
  const outer = suite;
  suite = createSuite(name, rest[0]);
  outer.entries.push(suite);
  try {
    declare();
  } finally {
    suite = outer;
  }
}

/**
 * Runs the tests of a file, or those whose names match a regular expression. `report` gets `begins` with a name, and `test` with a name
 * and its `failure` or reason to `skip`.
 */
export async function runFile({ url, namePattern = '' }, report) {
  const file = createSuite();
  suite = file;
  try {
    await import(url);
  } catch (error) {
    file.entries = [{ name: 'the file loads', run: () => Promise.reject(error) }];
  }
  suite = undefined;
  /** Fail the tests that run. */
  const running = new Set();
  let late;
  const onError = (error) => {
    if (running.size === 0) late ??= error;
    for (const fail of running) fail(error);
  };
  process.on('uncaughtException', onError);
  await runSuite(file, [], { report, running, wanted: new RegExp(namePattern) });
  process.off('uncaughtException', onError);
  if (late !== undefined) report({ kind: 'test', name: 'the file', failure: inspect(late) });
}

async function runSuite(own, outer, state) {
  const suites = [...outer, own];
  const runHooks = async (hooks) => {
    try {
      for (const run of hooks) await run();
      return true;
    } catch (error) {
      state.report({ kind: 'test', name: nameIn(suites, 'its hooks'), failure: inspect(error) });
      return false;
    }
  };
  const entries = (await runHooks(own.before)) ? [...own.entries] : [];
  const runNext = async () => {
    for (let entry = entries.shift(); entry !== undefined; entry = entries.shift())
      await (entry.entries === undefined ? runTest(entry, suites, state) : runSuite(entry, suites, state));
  };
  await Promise.all(Array.from({ length: Math.min(own.concurrency, entries.length) }, runNext));
  await runHooks(own.after);
}

async function runTest({ name: ownName, run, skip = false, timeout }, suites, { report, running, wanted }) {
  const name = nameIn(suites, ownName);
  if (!wanted.test(name)) return;
  report({ kind: 'begins', name });
  const notes = [];
  const afters = [];
  const ending = new AbortController();
  let skipped = skip;
  let fail;
  const failed = new Promise((_, reject) => {
    fail = reject;
  });
  running.add(fail);
  const timer = timeout && setTimeout(() => fail(new Error(`took longer than ${timeout} ms`)), timeout);
  const context = {
    signal: ending.signal,
    after: (run) => void afters.push(run),
    diagnostic: (note) => void notes.push(note),
    skip(why = true) {
      skipped = why;
    },
  };
  let failure;
  const attempt = (job) =>
    Promise.race([job(), failed]).catch((error) => {
      failure ??= [inspect(error), ...notes].join('\n');
    });
  if (!skip) {
    await attempt(async () => {
      for (const prepare of suites.flatMap(({ beforeEach }) => beforeEach)) await prepare(context);
      await run(context);
    });
    for (const run of [...suites.flatMap(({ afterEach }) => afterEach), ...afters])
      await attempt(async () => run(context));
  }
  clearTimeout(timer);
  ending.abort();
  running.delete(fail);
  report({
    kind: 'test',
    name,
    ownName,
    failure,
    skip: skipped === true ? `no reason, ${ownName}` : skipped || undefined,
  });
}

function nameIn(suites, name) {
  return [...suites.flatMap((suite) => suite.name ?? []), name].join(' > ');
}
