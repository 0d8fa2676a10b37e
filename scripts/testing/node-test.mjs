// Stands in for `node:test` in built test files, so that many of them can share a process: what a file declares at its top
// level is collected as it loads, and becomes a suite of its own. Its hooks then reach only its own tests.

import * as node from 'node:test';
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

let declarations;

/** Loads a file and returns what it declared at its top level: call each in the file's suite. */
export async function loadFile(url) {
  const collected = [];
  declarations = collected;
  try {
    await import(url);
  } catch (error) {
    collected.push(() =>
      node.test('the file loads', () => {
        throw error;
      }),
    );
  } finally {
    declarations = undefined;
  }
  return collected;
}

const declare =
  (declaration) =>
  (...values) =>
    declarations ? void declarations.push(() => declaration(...values)) : declaration(...values);

export const test = declare(node.test);
export const describe = declare(node.describe);
export const before = declare(node.before);
export const after = declare(node.after);
export const beforeEach = declare(node.beforeEach);
export const afterEach = declare(node.afterEach);
