// Validates and records labels. A label is one line of visible text that does not look like an id or a URL, since commands
// accept all three.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import type { Webhook } from '#contract/webhook.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import type { LocalWebhook } from '#local-records/local-webhook.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { ofAccount } from './hook.ts';

const mostCharacters = 100;

/** Trims the text. Throws a {@link ValidationError}. */
export function parseLabel(text: string): string {
  const label = text.trim().normalize('NFC');
  const invalid = (why: string) => invalidValue(label, why);
  if (label === '') throw invalid('is empty');
  if ([...label].length > mostCharacters) throw invalid(`is longer than ${mostCharacters} characters`);
  if (/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(label)) throw invalid('has a character that cannot be seen');
  if (isIdShaped(label)) throw invalid('looks like an id');
  if (/^https?:/i.test(label)) throw invalid('looks like a URL');
  return label;
}

/** By id. Only warns about a label that cannot be recorded: the webhooks themselves are fine. */
export async function recordLabels(context: Context, labels: ReadonlyMap<string, string>): Promise<void> {
  const { report } = context;
  if (labels.size === 0) return;
  const records = await context.webhookRecords();
  const local = await records.read();
  const changedIds = [...labels].flatMap(([id, label]) => (local.get(id)?.label === label ? [] : [id]));
  if (changedIds.length === 0) return;
  const holders = new Map<string, string>();
  let byLabel: ReadonlyMap<string, string> | undefined;
  try {
    await records.change(changedIds, (record, id, current) => {
      const label = labels.get(id) ?? '';
      byLabel ??= namesOf(current, labels);
      const holder = byLabel.get(foldCase(label));
      if (holder === undefined) return { ...record, label };
      holders.set(id, holder);
      return record;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return report.warnOnce(`Cannot record the labels of the file: ${error.sentence}`);
  }
  const count = changedIds.length - holders.size;
  await (await context.history()).recordLocal('labelWebhook', changedIds);
  if (count > 0) await report.info(`Recorded ${countOf(count, 'label')} on this machine.`);
  for (const [id, holder] of holders)
    await report.warn(
      `Webhook ${id} does not get the label '${labels.get(id)}': webhook ${holder} has it. To remove it there: ${formatCommandWith(context, 'webhook label', [holder], '--remove')}`,
    );
}

/** The labels of webhooks without a label in the file, with their ids. */
function namesOf(records: ReadonlyMap<string, LocalWebhook>, labels: ReadonlyMap<string, string>) {
  return new Map(
    [...records].flatMap(([id, { label }]) =>
      label === undefined || labels.has(id) ? [] : [[foldCase(label), id] as const],
    ),
  );
}

/** Sets the label, or removes it (`undefined`), and returns the previous one. Throws if another webhook has the label. */
export async function changeLabel(
  context: Context,
  { id, accountId }: Pick<Webhook, 'id' | 'accountId'>,
  label: string | undefined,
): Promise<string | undefined> {
  let before: string | undefined;
  await (await context.webhookRecords()).change([id], (record, _id, records) => {
    const { label: last, ...rest } = record ?? {};
    before = last;
    if (label === undefined) return rest;
    // Under the lock: two commands at once cannot give the same label to two webhooks.
    const holder = [...ofAccount(records, accountId)].find(
      ([otherId, local]) =>
        otherId !== id && local.label !== undefined && foldCase(local.label) === foldCase(label),
    );
    if (holder)
      throw usageError(
        `Webhook ${holder[0]} already has the label '${holder[1].label}'`,
        commandHint(
          'To remove it there: ',
          formatCommandWith(context, 'webhook label', [holder[0]], '--remove'),
        ),
      );
    return { ...rest, ...(accountId === undefined ? {} : { accountId }), label };
  });
  return before;
}
