// Offers to resume the webhook of this receiver if it is suspended: nothing else would say why no delivery comes.

import { Failure } from '../../../../failure.ts';
import type { Context } from '../../../context.ts';
import { formatCommandWith } from '../../../format-command.ts';
import { makeChange } from '../../change/change-status.ts';
import { describeWebhook } from '../../change/confirm.ts';
import { recordStatuses } from '../../change/record-changes.ts';
import { readLocalWebhooks } from '../../local/local-webhooks.ts';
import { readWebhook, statusOf } from '../../select/read-webhook.ts';

export interface ResumeOffer {
  readonly id: string;
  /** --resume: nobody is asked. */
  readonly resume: boolean;
  /** False while something else reads the keys. */
  readonly mayPrompt: boolean;
}

/** Says what came of it; a {@link Failure} of the service is only a warning. */
export async function offerResume(context: Context, { id, resume, mayPrompt }: ResumeOffer): Promise<void> {
  const { report } = context;
  const command = formatCommandWith(context, 'webhook resume', [id]);
  try {
    const before = await readWebhook(context, id);
    if (statusOf(before) !== 'Suspended') return;
    const local = await readLocalWebhooks(context);
    const name = describeWebhook({ id, record: before.record, local: local.get(id) });
    const note = local.get(id)?.note;
    const because = note === undefined ? '' : ` It has a note by ${note.by}: ${note.text}`;
    const isWanted = resume || context.common.yes === true || (await ask());
    if (!isWanted)
      return report.warn(
        `${name} is suspended, so nothing will be delivered.${because}\nTo resume it: ${command}`,
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

    function ask(): Promise<boolean> {
      if (!mayPrompt || !context.canPrompt) return Promise.resolve(false);
      return context.prompt('--resume', (prompt) =>
        prompt.confirm(`${name} is suspended.${because} Its URL leads here. Resume it?`),
      );
    }
  } catch (error) {
    // Ctrl-C at the prompt ends the command.
    if (!(error instanceof Failure) || error.meaning.concerns === 'command') throw error;
    await report.warn(
      `Cannot see whether webhook ${id} is suspended: ${error.sentence}.\nTo look: ${formatCommandWith(context, 'webhook get', [id])}`,
    );
  }
}
