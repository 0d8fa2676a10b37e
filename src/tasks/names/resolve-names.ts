// Turns an unresolved update into an update that can be sent: ids in place of names. Only names are looked up, and each list is
// read once.

import { toKebabCase } from '#cli/flags/flag.ts';
import { withFlagName } from '#cli/parse-values.ts';
import { isTitle, type LinkedKind } from '#cli/resolve/id-shape.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { type TaskUpdate, taskUpdateParameters } from '#contract/task.ts';
import {
  type CustomField,
  type FoundText,
  namesIn,
  splitFields,
  type UnresolvedUpdate,
  uniqueBy,
  withIds,
} from '../input/unresolved-update.ts';
import { assertNoContradictions } from '../input/validate-update.ts';
import { resolveCustomField } from './custom-field.ts';
import { resolveCustomStatus } from './custom-status.ts';
import type { NameLists } from './name-lists.ts';
import { resolveUser } from './user.ts';

/** `now` in milliseconds since 1970. Throws a usage failure for a name that is not found or not unique. */
export async function resolveNames(
  update: UnresolvedUpdate,
  lists: NameLists,
  now: number,
): Promise<TaskUpdate> {
  const { customFields, ...rest } = update;
  const { withId, withTitle } = splitFields(customFields);
  const [ids, fields] = await Promise.all([
    Promise.all(namesIn(update).map(async (found) => ({ ...found, id: await idOfName(lists, found) }))),
    Promise.all(withTitle.map((field) => resolveCustomField(lists, field, now))),
  ]);
  const resolved: TaskUpdate = {
    ...rest,
    ...withIds(update, ids),
    ...(customFields === undefined
      ? {}
      : { customFields: withTitle.length === 0 ? withId : mergeFields([...withId, ...fields]) }),
  };
  // A title and an id may stand for one field, an e-mail address and an id for one user.
  assertNoContradictions(resolved);
  return resolved;
}

async function idOfName(lists: NameLists, { name, kind, text }: FoundText): Promise<string> {
  const flag = toKebabCase(name);
  if (kind === 'customStatus') return resolveCustomStatus(lists, text);
  if (kind === 'user') return resolveUser(lists, flag, text);
  return isTitle(text) ? idOfTitle(lists, flag, kind, text) : lists.byPermalink(kind, text);
}

/** Throws a usage failure if no record, or more than one, has the title. */
export async function idOfTitle(
  lists: NameLists,
  flag: string,
  kind: LinkedKind,
  text: string,
): Promise<string> {
  const records = await lists.byTitle(kind, text);
  const matches = findByName(records, text, ({ title }) => title);
  const ids = matches.map(({ id }) => id);
  if (ids.length > 1) throw ambiguousName(flag, text, `${kind}s`, ids);
  const [id] = ids;
  if (id !== undefined) return id;
  const titles = records.flatMap(({ title }) => title ?? []);
  throw nameNotFound(flag, text, `the title of a ${kind}`, titles, {
    listCommand: lists.listCommand?.(`${kind} list`, 'title'),
  });
}

function mergeFields(fields: readonly CustomField[]): readonly CustomField[] {
  return withFlagName('custom-field', () =>
    taskUpdateParameters.customFields.schema.validate(uniqueBy(fields, ({ id, value }) => [id, value])),
  );
}
