// Offers to resume the webhook of this receiver if it is suspended: nothing else would say why no delivery comes.

import { Failure } from '../../../../failure.ts';
import type { Context } from '../../../context.ts';
import { formatCommandWith } from '../../../format-command.ts';
import { makeChange } from '../../change/change-status.ts';
import { describeWebhook } from '../../change/confirm.ts';
import { recordStatuses } from '../../change/record-changes.ts';
import type { LocalWebhook } from '../../local/local-webhook.ts';
import { readLocalWebhooks } from '../../local/local-webhooks.ts';
import { type ReadWebhook, readWebhook, statusOf } from '../../select/read-webhook.ts';

/**
 * Asks before anything is started, because keys mean something else later. Returns false if there is no terminal to ask on.
 */
export async function askToResume(context: Context, webhook: ReadWebhook): Promise<boolean> {
  if (statusOf(webhook) !== 'Suspended') return false;
  if (context.common.yes) return true;
  if (!context.canPrompt) return false;
  const { record } = webhook;
  const local = (await readLocalWebhooks(context)).get(record.id);
  const name = describeWebhook({ id: record.id, record, local });
  return context.prompt('--resume', (prompt) =>
    prompt.confirm(
      `${name} is suspended.${describeNote(local)} Resume it once its URL reaches this receiver?`,
    ),
  );
}

/** Once its URL reaches this receiver. Says what came of it; a {@link Failure} of the service is only a warning. */
export async function resumeIfWanted(context: Context, id: string, isWanted: boolean): Promise<void> {
  const { report } = context;
  try {
    const before = await readWebhook(context, id);
    if (statusOf(before) !== 'Suspended') return;
    const local = await readLocalWebhooks(context);
    const name = describeWebhook({ id, record: before.record, local: local.get(id) });
    if (!isWanted)
      return report.warn(
        `${name} is suspended, so nothing will be delivered.${describeNote(local.get(id))}\nTo resume it: ${formatCommandWith(context, 'webhook resume', [id])}`,
      );
    const after = await makeChange(context, id, before.record, {
      to: 'Active',
      verb: 'resume',
      done: 'resumed',
      effect: 'Events that occurred while it was suspended are not delivered.',
      asks: false,
      local,
    });
    await recordStatuses(context, [{ webhook: after, changed: true }], undefined, local);
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'internal') throw error;
    await report.warn(
      `Cannot ${isWanted ? 'resume' : 'read'} webhook ${id}: ${error.sentence}.\nTo look at it: ${formatCommandWith(context, 'webhook get', [id])}`,
    );
  }
}

function describeNote(local: LocalWebhook | undefined): string {
  return local?.note === undefined ? '' : ` It has a note by ${local.note.by}: ${local.note.text}.`;
}
