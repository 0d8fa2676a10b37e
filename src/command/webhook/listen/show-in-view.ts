// A context whose messages appear among the lines of a receiver's view. Written directly, they would end up in the middle of a screen
// that is redrawn.

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
