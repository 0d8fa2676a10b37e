// `wm` with three webhooks in its emulator, for the tests that suspend them.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { emulated } from './emulated.ts';

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
    const { output } = await wm(['webhook', 'get', one, two, three, '--json']);
    return JSON.parse(output).map(({ status }: { status: string }) => status);
  };
  return { wm, control, environment, one, two, three, statuses };
}
