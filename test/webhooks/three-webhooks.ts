// `wm` with three webhooks in its emulator, for the tests that suspend them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { emulated } from '../app/emulated.ts';

export async function withHooks(context: TestContext) {
  const { wm, control, environment } = await emulated(context);
  const ids: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const made = await wm(['webhook', 'create', `http://hooks.example.com/${name}`, '--json']);
    assert.equal(made.status, 0, made.errors);
    ids.push(JSON.parse(made.output).id);
  }
  const [one = '', two = '', three = ''] = ids;
  const statuses = async () => {
    const { output } = await wm(['webhook', 'get', one, two, three]);
    return output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[1]);
  };
  /** As prompts and results name them. */
  const names = ['one', 'two', 'three'].map(
    (name, index) => `http://hooks.example.com/${name} (${ids[index]})`,
  );
  const [nameOne = '', nameTwo = '', nameThree = ''] = names;
  return { wm, control, environment, one, two, three, nameOne, nameTwo, nameThree, statuses };
}

/** The output of a command that takes `ID...`, with --json: one webhook per line. */
export function jsonLines(output: string): { readonly id: string; readonly status: string }[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
