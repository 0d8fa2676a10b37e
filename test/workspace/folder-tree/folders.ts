// Folders as the service returns them, for tests of the tree.

import type { Folder } from '#contract/read-only-records.ts';

export const read = (record: Folder) => ({ record, raw: { ...record } });
export const folder = (id: string, childIds: readonly string[] = [], more: Partial<Folder> = {}) =>
  read({ id, title: `T ${id}`, childIds: [...childIds], ...more });
