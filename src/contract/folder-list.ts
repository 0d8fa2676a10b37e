// The filters of the requests that list folders. They are assumed.

import { boolean, text } from './schema.ts';

export const folderFilters = {
  descendants: { schema: boolean, meaning: 'Include nested folders' },
  project: { schema: boolean, meaning: 'Only projects, or only other folders' },
  permalink: { schema: text('permalink', { notEmpty: true }), meaning: 'By its link in the web workspace' },
} as const;
