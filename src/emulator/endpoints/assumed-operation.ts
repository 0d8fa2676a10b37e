// Rows for operations that the contract mentions without showing their shape. Their parameters and records are assumed, in
// the smallest form that serves.

import type { AssumptionId } from '../../contract/assumption.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Parameters, requiredNames } from '../../contract/parameter.ts';
import { type Schema, text } from '../../contract/schema.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { requireTask } from '../state/access.ts';
import type { Store, StoredTask, User } from '../state/store.ts';

export const anyValue: Schema<unknown> = { ...text('any'), wireFormat: 'json', validate: (input) => input };

type Row<P extends Parameters> = Pick<Operation<P>, 'method' | 'path' | 'kind' | 'parameters' | 'scopes'> & {
  readonly assumption: AssumptionId;
} & Partial<Pick<Operation<P>, 'pathParameters'>>;

export function assumedOperation<P extends Parameters>(row: Row<P>): Operation<P> {
  const required = requiredNames(row.parameters);
  return { pathParameters: {}, parametersIn: 'form', record: anyValue, evidence: 'named', required, ...row };
}

/** The task with this id, unless it is in the recycle bin. Throws {@link ErrorResponse}. */
export function editableTask(store: Store, user: User, id: string): StoredTask {
  const task = requireTask(store, user, id);
  if (task.scope === 'RbTask')
    throw new ErrorResponse('access_forbidden', `Task ${id} is in the recycle bin`, {
      because: 'deleted-task-items',
    });
  return task;
}
