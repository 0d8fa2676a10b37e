// Offers to resume the webhook of this receiver if it is suspended: nothing else would say why no delivery comes.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { Failure } from '#failure.ts';
import { setStatusNow } from '#webhooks/change/change-status.ts';
import { describeHook, type Hook, readHook, statusOf } from '#webhooks/records/hook.ts';

/**
 * Asks before anything is started, because keys mean something else later. Returns false if there is no terminal to ask on.
 */
export async function askToResume(context: Context, webhook: Hook): Promise<boolean> {
  if (statusOf(webhook) !== 'Suspended') return false;
  if (context.common.yes) return true;
  if (!context.canPrompt) return false;
  const question = `${describeHook(webhook)} is suspended.${describeNote(webhook)} Resume it once its URL reaches this receiver?`;
  return context.prompt('--resume', (prompt) => prompt.confirm(question));
}

/** Once its URL reaches this receiver. Says what came of it; a {@link Failure} of the service is only a warning. */
export async function resumeIfWanted(context: Context, id: string, isWanted: boolean): Promise<void> {
  const { report } = context;
  try {
    const before = await readHook(context, id);
    if (statusOf(before) !== 'Suspended') return;
    if (!isWanted)
      return report.warn(
        `${describeHook(before)} is suspended, so nothing will be delivered.${describeNote(before)}\nTo resume it: ${formatCommandWith(context, 'webhook resume', [id])}`,
      );
    const effect = 'Events that occurred while it was suspended are not delivered.';
    await setStatusNow(context, before, { to: 'Active', effect });
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'internal') throw error;
    await report.warn(
      `Cannot ${isWanted ? 'resume' : 'read'} webhook ${id}: ${error.sentence}.\nTo look at it: ${formatCommandWith(context, 'webhook get', [id])}`,
    );
  }
}

function describeNote({ local }: Hook): string {
  return local?.note === undefined ? '' : ` It has a note by ${local.note.by}: ${local.note.text}.`;
}
