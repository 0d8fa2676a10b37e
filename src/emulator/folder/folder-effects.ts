// The effect of each parameter of a folder update.

import type { ArgumentsOf } from '#contract/parameter.ts';
import type { ProjectUpdate } from '#contract/project.ts';
import { invalidChoice } from '#contract/schema.ts';
import type { folderUpdateParameters } from '#contract/task-create.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import { invalidParameter } from '../http/error-response.ts';
import { isInBin, outsideBin, withAncestors } from '../state/access.ts';
import type { Folder } from '../state/store.ts';
import {
  added,
  type Draft as DraftOf,
  type Effects,
  removed,
  type UpdateContext,
} from '../update/apply-effects.ts';
import { adds, type Requirement, setCustomFields, setMetadata } from '../update/record-effects.ts';
import * as references from '../update/references.ts';
import { standardWorkflowId } from './folder-record.ts';

export type FolderUpdate = ArgumentsOf<typeof folderUpdateParameters>;
type Draft = DraftOf<Folder>;

const reject = (parameter: string, why: string) => invalidParameter(parameter, why, 'change-folder');

const requireOtherFolders: Requirement = (context, parameter, ids, draft) => {
  for (const { id, parentIds } of references.requireParentFolders(context, parameter, ids))
    if (id === draft.id || withAncestors(context.store, parentIds).has(draft.id))
      throw reject(parameter, `${id} is the folder itself or one of those below it`);
};

/** The lists of a folder cannot become empty. */
const removesSome =
  (member: 'parentIds' | 'sharedIds', why: string) =>
  (draft: Draft, ids: readonly string[], _: unknown, __: unknown, parameter: string): void => {
    const rest = removed(draft[member], ids);
    if (rest.length === 0) throw reject(parameter, why);
    Object.assign(draft, { [member]: rest });
  };

/** Words for a project's status that are older than its custom status. */
const groupByWord: Readonly<Record<string, string>> = {
  Green: 'Active',
  Yellow: 'Active',
  Red: 'Active',
  OnHold: 'Deferred',
};

/** The custom status that a project gets: the one named by its id or by a word, its own one, or the first of the folder's workflow. */
function projectStatus(
  { workflowId, accountId }: Draft,
  { customStatusId, status }: ProjectUpdate,
  currentId: string | undefined,
  context: UpdateContext,
): { readonly id: string; readonly group: string } | undefined {
  if (customStatusId !== undefined) {
    if (status !== undefined) context.ignore('project.status');
    return references.requireStatus(context, 'project', customStatusId);
  }
  const { workflows } = context.store;
  const own = workflows.get(workflowId ?? standardWorkflowId(context.store, accountId) ?? '')?.statuses ?? [];
  const all = [...workflows.values()].flatMap(({ statuses }) => statuses);
  if (status === undefined) return all.find(({ id }) => id === currentId) ?? own[0];
  const group = Object.hasOwn(groupByWord, status) ? groupByWord[status] : status;
  const named = own.find(({ name }) => name === status) ?? own.find((custom) => custom.group === group);
  const choices = [own.map(({ name }) => name), own.map((row) => row.group), Object.keys(groupByWord)].flat();
  if (named === undefined) throw reject('project', invalidChoice(status, [...new Set(choices)]).message);
  // The record shows the custom status alone, and no color.
  if (group === 'Active' && status !== group && status !== named.name) context.ignore('project.status');
  return named;
}

function setProject(draft: Draft, update: ProjectUpdate | null, context: UpdateContext): void {
  if (draft.kind === 'space') throw reject('project', 'a space cannot be a project');
  if (update === null) {
    draft.kind = 'folder';
    delete draft.project;
    // As the contract says of plain folders.
    delete draft.customItemTypeId;
    return;
  }
  const { ownersAdd = [], ownersRemove = [], startDate, endDate, contractType, budget } = update;
  references.requireUsers(context, 'project', ownersAdd);
  references.requireFormerUsers(context, 'project', ownersRemove);
  if (budget !== undefined && !Number.isInteger(budget))
    throw reject('project', 'budget is not a whole number');
  const current: NonNullable<Folder['project']> = draft.project ?? {};
  const custom = projectStatus(draft, update, current.customStatusId, context);
  draft.kind = 'project';
  draft.project = omitUndefined({
    authorId: context.user.id,
    createdDate: draft.project === undefined ? context.timestamp : draft.createdDate,
    ...draft.project,
    ...omitUndefined({ contractType, budget }),
    ownerIds: removed(added(current.ownerIds ?? [], ownersAdd), ownersRemove),
    customStatusId: custom?.id,
    startDate: startDate === undefined ? current.startDate : (startDate ?? undefined),
    endDate: endDate === undefined ? current.endDate : (endDate ?? undefined),
    completedDate: custom?.group === 'Completed' ? (current.completedDate ?? context.timestamp) : undefined,
  });
}

/** Restoring comes first: the other parameters change the restored folder. */
export const folderEffects: Effects<Draft, Required<FolderUpdate>> = {
  restore(draft, restore, { store }) {
    if (!restore) return;
    if (!isInBin(store, draft))
      throw invalidParameter('restore', `folder ${draft.id} is not in the recycle bin`, 'already-deleted');
    const { parentIds, formerParentIds } = draft;
    draft.parentIds = outsideBin(store, draft.accountId, [...parentIds, ...formerParentIds]);
    draft.formerParentIds = [];
  },
  title(draft, title) {
    if (title !== '') draft.title = title;
  },
  description(draft, html, context) {
    if (html !== '') draft.description = sanitizeHtml(html, context);
  },
  addParents: adds('parentIds', requireOtherFolders),
  removeParents: removesSome('parentIds', 'the folder would be nowhere'),
  addShareds: adds('sharedIds', references.requireSharers),
  removeShareds: removesSome('sharedIds', 'no user would see the folder'),
  project: setProject,
  metadata: setMetadata,
  customFields: setCustomFields,
  customColumns(draft, ids, context) {
    for (const id of ids)
      references.requireOwned(context, 'customColumns', 'a custom field', context.store.customFields, id);
    draft.customColumnIds = ids;
  },
  fields: () => undefined,
};
