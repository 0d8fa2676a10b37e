// The effects that tasks and folders share: lists of ids, metadata and custom fields.

import type { TaskUpdate } from '#contract/task.ts';
import { validateParameter } from '../http/error-response.ts';
import { inheritedFolderIds, isTask, type Subject, withAncestors } from '../state/access.ts';
import type { Store, StoredTask } from '../state/store.ts';
import { added, type Draft, removed, type UpdateContext } from './apply-effects.ts';
import { validateCustomFieldValue } from './custom-field-value.ts';
import { isUser, requireOwned } from './references.ts';

/** A draft with a list of ids of this name. */
type WithList<M extends string> = { readonly id: string } & { [K in M]: readonly string[] };
export type Requirement = (
  context: UpdateContext,
  parameter: string,
  ids: readonly string[],
  draft: { readonly id: string },
) => void;

/** For parameters that add ids to a list of the record, or remove them. */
const changesList =
  (change: typeof added<string>) =>
  <M extends string>(member: M, requireAll: Requirement) =>
  (draft: WithList<M>, ids: readonly string[], context: UpdateContext, _: unknown, parameter: string) => {
    requireAll(context, parameter, ids, draft);
    const list: readonly string[] = draft[member];
    Object.assign(draft, { [member]: change(list, ids) });
  };
export const adds = changesList(added);
export const removes = changesList(removed);

export function setMetadata(
  draft: { metadata: StoredTask['metadata'] },
  entries: NonNullable<TaskUpdate['metadata']>,
): void {
  const values = new Map(draft.metadata.map(({ key, value }) => [key, value]));
  for (const { key, value } of entries) {
    if (value === null) values.delete(key);
    else values.set(key, value);
  }
  draft.metadata = [...values].map(([key, value]) => ({ key, value }));
}

function isInSpace(store: Store, subject: Subject, spaceId: string): boolean {
  const inherited = isTask(subject) ? inheritedFolderIds(store, subject) : [];
  return subject.id === spaceId || withAncestors(store, [...subject.parentIds, ...inherited]).has(spaceId);
}

export function setCustomFields(
  draft: Draft<Subject>,
  entries: NonNullable<TaskUpdate['customFields']>,
  context: UpdateContext,
): void {
  const values = new Map(draft.customFields.map(({ id, value }) => [id, value]));
  for (const { id, value } of entries) {
    const field = requireOwned(context, 'customFields', 'a custom field', context.store.customFields, id);
    if (value === null) {
      values.delete(id);
    } else if (field.spaceId !== undefined && !isInSpace(context.store, draft, field.spaceId)) {
      context.assume('field-of-other-space');
    } else {
      validateParameter('customFields', () =>
        validateCustomFieldValue(value, field, (userId) => isUser(context, userId)),
      );
      values.set(id, value);
    }
  }
  draft.customFields = [...values].map(([id, value]) => ({ id, value }));
}
