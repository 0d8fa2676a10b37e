// Puts ids in the place of the names that were said. Only what needs it is looked up, and each list once.

import { ValidationError } from '../../../contract/schema.ts';
import { type TaskUpdate, taskUpdateParameters } from '../../../contract/task.ts';
import { usageError } from '../../../failure.ts';
import { toKebabCase } from '../../flag.ts';
import type { UnresolvedUpdate, UserParameter } from '../input/build-update.ts';
import { assertNoContradictions, uniqueBy } from '../input/contradictions.ts';
import { resolveCustomField } from './custom-field.ts';
import { resolveCustomStatus } from './custom-status.ts';
import type { NameLists } from './name-lists.ts';
import { resolveUsers } from './user.ts';

/** `now` in milliseconds since 1970. Throws a usage failure for a name that is not found, or that several have. */
export async function resolveNames(
  said: UnresolvedUpdate,
  directory: NameLists,
  now: number,
): Promise<TaskUpdate> {
  const { update, titles, statusByName, usersByName } = said;
  const [status, fields, ...people] = await Promise.all([
    statusByName && update.customStatus !== undefined
      ? resolveCustomStatus(directory, update.customStatus)
      : update.customStatus,
    Promise.all(titles.map((field) => resolveCustomField(directory, field, now))),
    ...usersByName.map(
      async (name): Promise<[UserParameter, readonly string[]]> => [
        name,
        await resolveUsers(directory, toKebabCase(name), update[name] ?? []),
      ],
    ),
  ]);
  const resolved: TaskUpdate = {
    ...update,
    ...Object.fromEntries(people),
    ...(status === undefined ? {} : { customStatus: status }),
    ...(fields.length === 0
      ? {}
      : { customFields: mergeFields([...(update.customFields ?? []), ...fields]) }),
  };
  // A title and an id may mean one field, an address and an id one person.
  assertNoContradictions(resolved);
  return resolved;
}

type Fields = NonNullable<TaskUpdate['customFields']>;

function mergeFields(entries: Fields): Fields {
  try {
    return taskUpdateParameters.customFields.schema.validate(
      uniqueBy(entries, ({ id, value }) => [id, value]),
    );
  } catch (error) {
    if (error instanceof ValidationError) throw usageError(`--custom-field: ${error.message}`);
    throw error;
  }
}
