// Stores and removes the label of a webhook; no two webhooks of a host have the same.

import { commandHint, usageError } from '../../../failure.ts';
import { foldCase } from '../../../terminal/picker/fold-case.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';

/**
 * The label that the webhook had before. `label` is `undefined` to remove it.
 * @throws {Failure} `usage` if another webhook has the label; `other` if it cannot be stored.
 */
export async function changeLabel(
  context: Context,
  id: string,
  label: string | undefined,
): Promise<string | undefined> {
  let before: string | undefined;
  await (await context.webhookRecords()).change([id], (known, _id, all) => {
    const { label: last, ...rest } = known ?? {};
    before = last;
    if (label === undefined) return rest;
    // Under the lock: two commands at once cannot give the same label to two webhooks.
    const holder = [...all].find(
      ([other, local]) =>
        other !== id && local.label !== undefined && foldCase(local.label) === foldCase(label),
    );
    if (holder)
      throw usageError(
        `Webhook ${holder[0]} already has the label '${holder[1].label}'`,
        commandHint(
          'To remove it there: ',
          formatCommandWith(context, 'webhook label', [holder[0]], '--remove'),
        ),
      );
    return { ...rest, label };
  });
  return before;
}
