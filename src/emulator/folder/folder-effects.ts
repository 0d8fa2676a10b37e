// The effect of each parameter of a folder update.

import type { ArgumentsOf } from '#contract/parameter.ts';
import type { folderUpdateParameters } from '#contract/task-create.ts';
import { sanitizeHtml } from '../html/sanitize.ts';
import { invalidParameter } from '../http/error-response.ts';
import { withAncestors } from '../state/access.ts';
import type { Folder } from '../state/store.ts';
import type { Effects } from '../update/apply-effects.ts';
import { type Draft as DraftOf, removed } from '../update/draft.ts';
import { adds, type Requirement } from '../update/record-effects.ts';
import { requireParentFolders, requireUsers } from '../update/references.ts';

export type FolderUpdate = ArgumentsOf<typeof folderUpdateParameters>;
type Draft = DraftOf<Folder>;

const reject = (parameter: string, why: string) => invalidParameter(parameter, why, 'change-folder');

const requireOtherFolders: Requirement = (context, parameter, ids, draft) => {
  for (const { id, parentIds } of requireParentFolders(context, parameter, ids))
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

export const folderEffects: Effects<Draft, Required<FolderUpdate>> = {
  title(draft, title) {
    draft.title = title;
  },
  description(draft, html, context) {
    draft.description = sanitizeHtml(html, context);
  },
  addParents: adds('parentIds', requireOtherFolders),
  removeParents: removesSome('parentIds', 'the folder would be nowhere'),
  addShareds: adds('sharedIds', requireUsers),
  removeShareds: removesSome('sharedIds', 'no user would see the folder'),
};
