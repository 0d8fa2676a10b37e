// `wm` with three webhooks in its emulator, which this machine has recorded, for the tests that suspend them.

import type { TestContext } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { seedOf } from '../emulator/seed/any-seed.ts';
import { writeLocal } from './local-records.ts';

export async function withHooks(context: TestContext) {
  const names = ['one', 'two', 'three'];
  const webhooks = names.map((name) => ({ hookUrl: `http://hooks.example.com/${name}` }));
  const { wm, control, environment, emulator } = await emulated(context, {
    seed: seedOf({ version: 1, webhooks }),
  });
  const { body } = await call(emulator, 'GET', '/webhooks');
  const ids: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
  const at = '2026-01-02T03:04:05.000Z';
  const records = ids.map((id, index) => [
    id,
    { created: { at, hookUrl: webhooks[index]?.hookUrl ?? '', signed: false } },
  ]);
  await writeLocal(environment, Object.fromEntries(records));
  const [one = '', two = '', three = ''] = ids;
  const statuses = async () => {
    const { output } = await wm(['webhook', 'get', one, two, three]);
    return output.match(/(?<=^\w+\t)\w+/gm);
  };
  /** As prompts and results name them. */
  const shown = names.map((name, index) => `http://hooks.example.com/${name} (${ids[index]})`);
  const [nameOne = '', nameTwo = '', nameThree = ''] = shown;
  return { wm, control, environment, one, two, three, nameOne, nameTwo, nameThree, statuses };
}
