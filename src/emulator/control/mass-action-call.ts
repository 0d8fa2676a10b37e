// A mass action: the same update of many tasks, of which no webhook is told.

import { taskUpdateParameters } from '../../contract/task.ts';
import { list, record, text } from '../../contract/value.ts';
import { argumentsFrom } from '../arguments.ts';
import { applyUpdate } from '../calls/tasks.ts';
import { notFound } from '../refusal.ts';
import type { ControlCall } from './control-call.ts';

const anything = { ...text('parameters'), check: (input: unknown) => input };
const row = record('mass action', { taskIds: list(text('TaskId')), parameters: anything });

/** In the name of an administrator of each task's account. */
export function massActionCall({ service, body }: ControlCall) {
  const { store } = service;
  const { taskIds, parameters } = row.check(body);
  const given = Object.entries(Object(parameters)).map(([name, value]) => ({
    name,
    value,
    from: 'json' as const,
  }));
  const update = argumentsFrom(taskUpdateParameters, given);
  // All of them are found before the first is changed.
  const found = taskIds.map((id) => {
    const account = store.accounts.get(store.tasks.get(id)?.accountId ?? '');
    const user = [...store.users.values()].find((one) => one.admin && one.accountId === account?.id);
    if (account === undefined || user === undefined) throw notFound('Task', id);
    return { id, user, account };
  });
  for (const { id, user, account } of found) applyUpdate(service, { user, account }, id, update, true);
  return { tasks: taskIds.length };
}
