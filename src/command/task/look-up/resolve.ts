// Puts ids in the place of the names that were said. Only what needs it is looked up, and each list once.

import { ValidationError } from '../../../contract/schema.ts';
import { type TaskUpdate, taskUpdateParameters } from '../../../contract/task.ts';
import { usage } from '../../../failure.ts';
import { kebab } from '../../flag.ts';
import { eachOnce, refuseContradictions } from '../contradictions.ts';
import type { PeopleParameter, Said } from '../to-update.ts';
import { customFieldEntryOf } from './custom-field.ts';
import { customStatusId } from './custom-status.ts';
import type { Directory } from './directory.ts';
import { personIds } from './person.ts';

/** `now` in milliseconds since 1970. Throws a usage failure for a name that is not found, or that several have. */
export async function resolve(said: Said, directory: Directory, now: number): Promise<TaskUpdate> {
  const { update, titles, statusByName, peopleByName } = said;
  const [status, fields, ...people] = await Promise.all([
    statusByName && update.customStatus !== undefined
      ? customStatusId(directory, update.customStatus)
      : update.customStatus,
    Promise.all(titles.map((field) => customFieldEntryOf(directory, field, now))),
    ...peopleByName.map(
      async (name): Promise<[PeopleParameter, readonly string[]]> => [
        name,
        await personIds(directory, kebab(name), update[name] ?? []),
      ],
    ),
  ]);
  const resolved: TaskUpdate = {
    ...update,
    ...Object.fromEntries(people),
    ...(status === undefined ? {} : { customStatus: status }),
    ...(fields.length === 0 ? {} : { customFields: together([...(update.customFields ?? []), ...fields]) }),
  };
  // A title and an id may mean one field, an address and an id one person.
  refuseContradictions(resolved);
  return resolved;
}

type Fields = NonNullable<TaskUpdate['customFields']>;

function together(entries: Fields): Fields {
  try {
    return taskUpdateParameters.customFields.schema.validate(
      eachOnce(entries, ({ id, value }) => [id, value]),
    );
  } catch (error) {
    if (error instanceof ValidationError) throw usage(`--custom-field: ${error.message}`);
    throw error;
  }
}
