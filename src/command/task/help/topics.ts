// The topics of `wm task update --help`, each a page of its own that is loaded when somebody asks for it.

import type { Topic } from '../../command.ts';

export const updateTopics: Readonly<Record<string, Topic>> = {
  dates: { summary: 'Start, due date and duration, and how to write them', load: () => import('./dates.ts') },
  people: { summary: 'How to say who: @me, e-mail address, name, id', load: () => import('./people.ts') },
  fields: { summary: 'Custom fields and custom statuses', load: () => import('./fields.ts') },
  html: { summary: 'What a description may contain', load: () => import('./html.ts') },
  json: { summary: 'The members of each JSON value', load: () => import('./json.ts') },
  limits: { summary: 'The limits of each value', load: () => import('./limits.ts') },
  files: { summary: 'Many tasks: --from, its results, --resume', load: () => import('./files.ts') },
};
