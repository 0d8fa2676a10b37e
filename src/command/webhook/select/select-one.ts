// The one webhook that a command acts on: the one that a text means, or the one that the user picks from a list.

import { usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { type PickOne, pickOneWebhook } from './pick.ts';
import { selectWebhooks } from './select-webhooks.ts';

/** Its argument; without it the user picks. */
export const oneWebhookArgument = {
  help: 'the id, label or URL of a webhook, or a part of its label or URL',
  optional: true,
  completes: 'webhook',
} as const;

/** For a command whose argument may be left out. Throws as {@link selectWebhooks}, and where nothing can be picked. */
export function chooseOneWebhook(context: Context, text: string | undefined, pick: PickOne): Promise<string> {
  return text === undefined ? pickOneWebhook(context, pick) : selectOneWebhook(context, text);
}

/** Its id. Looks nothing up if the text is an id. Throws as {@link selectWebhooks}. */
export async function selectOneWebhook(context: Context, text: string): Promise<string> {
  const { ids } = await selectWebhooks(context, [text], { only: true });
  const [id] = ids;
  if (id === undefined) throw usageError('No webhook was chosen', 'Choose one.');
  return id;
}
