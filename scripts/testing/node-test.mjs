// Replaces `node:test` in built test files, so that many can share a process. Collects what a file declares at its top level into
// its own suite, whose hooks reach only its own tests.

import * as node from 'node:test';
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });

let declarations;

/** Loads a file and returns its top-level declarations. Call each of them in the file's suite. */
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
