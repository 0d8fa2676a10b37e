// Turns an unresolved update into an update that can be sent: ids in place of names. Only names are looked up, and each list is
// read once.

import { toKebabCase } from '#cli/flags/flag.ts';
import { withFlagName } from '#cli/parse-values.ts';
import { isTitle, type LinkedKind } from '#cli/resolve/id-shape.ts';
import { ambiguousName, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { type TaskUpdate, taskUpdateParameters } from '#contract/task.ts';
import { omitUndefined } from '#omit-undefined.ts';
import {
  type CustomField,
  linkedParameters,
  linksIn,
  splitFields,
  type UnresolvedUpdate,
  type UserParameter,
  uniqueBy,
  userParameters,
} from '../input/unresolved-update.ts';
import { assertNoContradictions } from '../input/validate-update.ts';
import { resolveCustomField } from './custom-field.ts';
import { resolveCustomStatus } from './custom-status.ts';
import type { NameLists } from './name-lists.ts';
import { resolveUsers } from './user.ts';

/** `now` in milliseconds since 1970. Throws a usage failure for a name that is not found or not unique. */
export async function resolveNames(
  update: UnresolvedUpdate,
  lists: NameLists,
  now: number,
): Promise<TaskUpdate> {
  const {
    customStatus,
    customFields,
    addShareds,
    removeShareds,
    addResponsibles,
    removeResponsibles,
    addFollowers,
    ...rest
  } = update;
  const { withId, withTitle } = splitFields(customFields);
  const [status, fields, users, linked] = await Promise.all([
    typeof customStatus === 'object' ? resolveCustomStatus(lists, customStatus.name) : customStatus,
    Promise.all(withTitle.map((field) => resolveCustomField(lists, field, now))),
    resolveAllUsers(update, lists),
    resolveLinks(update, lists),
  ]);
  const resolved: TaskUpdate = {
    ...rest,
    ...linked,
    ...users,
    ...omitUndefined({ customStatus: status }),
    ...(customFields === undefined
      ? {}
      : { customFields: withTitle.length === 0 ? withId : mergeFields([...withId, ...fields]) }),
  };
  // A title and an id may stand for one field, an e-mail address and an id for one user.
  assertNoContradictions(resolved);
  return resolved;
}

async function resolveLinks(update: UnresolvedUpdate, lists: NameLists): Promise<Partial<TaskUpdate>> {
  const resolved = await Promise.all(
    linksIn(update).map(async (name) => {
      const value = update[name];
      const kind = linkedParameters[name];
      const idOf = (text: string) =>
        isTitle(text) ? idOfTitle(lists, toKebabCase(name), kind, text) : lists.byPermalink(kind, text);
      return [
        name,
        typeof value === 'string' ? await idOf(value) : await Promise.all((value ?? []).map(idOf)),
      ];
    }),
  );
  return Object.fromEntries(resolved);
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

async function resolveAllUsers(
  update: UnresolvedUpdate,
  lists: NameLists,
): Promise<{ readonly [K in UserParameter]?: readonly string[] }> {
  const resolved = await Promise.all(
    userParameters.map(async (parameter) => {
      const users = update[parameter];
      return users ? [[parameter, await resolveUsers(lists, toKebabCase(parameter), users)] as const] : [];
    }),
  );
  return Object.fromEntries(resolved.flat());
}

function mergeFields(fields: readonly CustomField[]): readonly CustomField[] {
  return withFlagName('custom-field', () =>
    taskUpdateParameters.customFields.schema.validate(uniqueBy(fields, ({ id, value }) => [id, value])),
  );
}
