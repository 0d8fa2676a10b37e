// A mass action: the same update of many tasks, without events.

import { list, object, text } from '../../contract/schema.ts';
import { taskUpdateParameters } from '../../contract/task.ts';
import { updateStoredTask } from '../endpoints/tasks.ts';
import { ownRules, parseArguments } from '../http/arguments.ts';
import { notFound } from '../http/error-response.ts';
import type { ControlRequest } from './control-request.ts';

const anyValue = { ...text('parameters'), validate: (input: unknown) => input };
const massActionSchema = object('mass action', { taskIds: list(text('TaskId')), parameters: anyValue });

/** Acts as an administrator of each task's account. */
export function massActionEndpoint({ service, body }: ControlRequest) {
  const { store } = service;
  const { taskIds, parameters } = massActionSchema.validate(body);
  const given = Object.entries(Object(parameters)).map(([name, value]) => ({
    name,
    value,
    from: 'json' as const,
  }));
  const update = parseArguments(taskUpdateParameters, given, ownRules);
  // All tasks must exist before the first is changed.
  const found = taskIds.map((id) => {
    const account = store.accounts.get(store.tasks.get(id)?.accountId ?? '');
    const user = [...store.users.values()].find((one) => one.admin && one.accountId === account?.id);
    if (account === undefined || user === undefined) throw notFound('Task', id, 'emulator');
    return { id, user, account };
  });
  for (const { id, user, account } of found)
    updateStoredTask(service, { user, account }, id, update, { silent: true });
  return { tasks: taskIds.length };
}
