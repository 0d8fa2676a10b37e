// The context of a command whose messages are shown where the view of a receiver shows its lines: anything else would be written into
// the midst of a screen that is redrawn.

import type { Context } from '../../context.ts';
import type { ListenView } from './listen-view.ts';

export function showIn(context: Context, view: Pick<ListenView, 'message' | 'warn'>): Context {
  const warned = new Set<string>();
  return {
    ...context,
    report: {
      ...context.report,
      info: async (text) => view.message(text),
      warn: async (text) => view.warn(text),
      async warnOnce(text) {
        if (!warned.has(text)) view.warn(text);
        warned.add(text);
      },
    },
  };
}
