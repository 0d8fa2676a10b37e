// The topics of `wm task update --help`, each a page that is loaded when it is requested.

import type { Topic } from '#cli/command.ts';

export const updateTopics: Readonly<Record<string, Topic>> = {
  dates: { summary: 'Forms of start, due date and duration', load: () => import('./dates.ts') },
  people: { summary: 'Users: @me, e-mail address, name or id', load: () => import('./people.ts') },
  fields: { summary: 'Custom fields and custom statuses', load: () => import('./fields.ts') },
  html: { summary: 'HTML tags in a description', load: () => import('./html.ts') },
  json: { summary: 'Members of each JSON value', load: () => import('./json.ts') },
  limits: { summary: 'Limits of each value', load: () => import('./limits.ts') },
  files: { summary: 'Many tasks: --from, results, --resume', load: () => import('./files.ts') },
};
