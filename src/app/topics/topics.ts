// The topics of `wm help`, each loaded on demand. Their facts come from the tables that the program itself uses.

import type { Topic } from '#cli/command.ts';

const pages: Readonly<Record<string, Topic>> = {
  'exit-codes': { summary: 'Exit statuses and error codes', load: () => import('./exit-codes.ts') },
  environment: { summary: 'Environment variables', load: () => import('./environment.ts') },
  output: { summary: 'Tables, tab-separated lines and JSON', load: () => import('./output.ts') },
  dates: { summary: 'Forms of dates and durations', load: () => import('#tasks/help/dates.ts') },
  webhooks: { summary: 'Events, deliveries and signatures', load: () => import('./webhooks.ts') },
  scripting: { summary: 'Use in scripts, in CI and by agents', load: () => import('./scripting.ts') },
};

export const helpTopics: Readonly<Record<string, Topic>> = {
  ...pages,
  topics: {
    summary: 'List the topics',
    load: async () => ({
      default: {
        parts: [{ rows: Object.entries(pages).map(([name, { summary }]) => [name, summary] as const) }],
        examples: { 'Show the page of a topic': 'wm help dates' },
      },
    }),
  },
};
