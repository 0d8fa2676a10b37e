// The filters of the requests that list folders. The contract shows none: they are an assumption.

import { boolean, text } from './schema.ts';

export const folderFilters = {
  descendants: { schema: boolean, meaning: 'Also the folders below those' },
  project: { schema: boolean, meaning: 'Only projects, or only what is none' },
  permalink: { schema: text('permalink', { notEmpty: true }), meaning: 'By its link in the web workspace' },
} as const;
