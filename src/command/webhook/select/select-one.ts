// The one webhook that a text means, for commands that act on a single one.

import { usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { selectWebhooks } from './select-webhooks.ts';

/** Its id. Looks nothing up if the text is an id. Throws as {@link selectWebhooks}. */
export async function selectOneWebhook(context: Context, text: string): Promise<string> {
  const { ids } = await selectWebhooks(context, [text]);
  const [id, ...more] = ids;
  if (id !== undefined && more.length === 0) return id;
  throw usageError(`${ids.length} webhooks were chosen`, 'Choose one.');
}
