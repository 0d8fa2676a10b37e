// Four webhooks in an emulator: two of an old host, one of a new one, and one of a folder.

import type { TestContext } from 'node:test';
import type { EmulatorOptions } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { call, query } from '#test/support/service/start-emulator.ts';

export const urls = {
  archive: 'https://old.example/archive',
  billing: 'https://hooks.example.com/billing',
  invoices: 'https://old.example/invoices',
  tasks: 'https://hooks.example.com/tasks',
};

export async function withOldAndNew(context: TestContext, options?: EmulatorOptions) {
  const service = await emulated(context, options);
  const create = async (parent: string, parameters: Record<string, unknown>): Promise<string> =>
    (await call(service.emulator, 'POST', `${parent}/webhooks?${query(parameters)}`)).body.data[0].id;
  const archive = await create('', { hookUrl: urls.archive });
  const billing = await create('', { hookUrl: urls.billing });
  const invoices = await create('', { hookUrl: urls.invoices });
  const tasks = await create(`/folders/${sample.folder}`, {
    hookUrl: urls.tasks,
    events: ['TaskCreated', 'TaskDeleted'],
  });
  const ids = { archive, billing, invoices, tasks };
  type Name = keyof typeof ids;
  const names: readonly Name[] = ['archive', 'billing', 'invoices', 'tasks'];
  /** The names of the suspended webhooks. */
  const suspended = async (): Promise<readonly Name[]> => {
    const { body } = await call(service.emulator, 'GET', '/webhooks');
    const list: { id: string; status: string }[] = body.data;
    return names.filter((name) => list.some(({ id, status }) => id === ids[name] && status === 'Suspended'));
  };
  const resumeAll = async () => {
    for (const id of Object.values(ids)) await call(service.emulator, 'PUT', `/webhooks/${id}?status=Active`);
  };
  const suspend = (id: string) => call(service.emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
  return { ...service, ids, suspended, resumeAll, suspend };
}
