// Validates and records labels. A label is one line of visible text that does not look like an id or a URL, since commands
// accept all three.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { invalidValue, ValidationError } from '#contract/schema.ts';
import type { Webhook } from '#contract/webhook.ts';
import { type CommandHint, commandHint, Failure, usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
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
  const local = await (await context.webhookRecords()).read();
  const changed = new Map([...labels].filter(([id, label]) => local.get(id)?.label !== label));
  if (changed.size === 0) return;
  try {
    let holders: Awaited<ReturnType<typeof changeLabels>>['holders'] = new Map();
    await (await context.history()).recordLocal('labelWebhook', [...changed.keys()], async () => {
      ({ holders } = await changeLabels(context, changed));
    });
    const count = changed.size - holders.size;
    if (count > 0) await report.info(`Recorded ${countOf(count, 'label')} on this machine.`);
    for (const [id, holder] of holders)
      await report.warn(
        `Webhook ${id} does not get the label '${labels.get(id)}': webhook ${holder.id} has it. ${howToRemove(context, holder.id).text}`,
      );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await report.warnOnce(`Cannot record the labels of the file: ${error.sentence}`);
  }
}

function howToRemove(context: Context, id: string): CommandHint {
  const command = formatCommandWith(context, 'webhook label', [id], '--remove');
  return commandHint('To remove it there: ', command);
}

/** Sets the label, or removes it (`undefined`), and returns the previous one. Throws if another webhook has the label. */
export async function changeLabel(
  context: Context,
  { id, accountId }: Pick<Webhook, 'id' | 'accountId'>,
  label: string | undefined,
): Promise<string | undefined> {
  const { before, holders } = await changeLabels(context, new Map([[id, label]]), accountId);
  const holder = holders.get(id);
  if (holder)
    throw usageError(
      `Webhook ${holder.id} already has the label '${holder.label}'`,
      howToRemove(context, holder.id),
    );
  return before.get(id);
}

/** By id. Returns the previous labels, and the other webhooks of the account that have a label, which is then not set. */
async function changeLabels(
  context: Context,
  labels: ReadonlyMap<string, string | undefined>,
  accountId?: string,
) {
  const before = new Map<string, string | undefined>();
  const holders = new Map<string, { readonly id: string; readonly label: string }>();
  const byLabel = new Map<string, { readonly id: string; readonly label: string }>();
  await (await context.webhookRecords()).change([...labels.keys()], (record, id, records) => {
    // Under the lock: two commands at once cannot give the same label to two webhooks.
    if (before.size === 0)
      for (const [otherId, { label }] of ofAccount(records, accountId))
        if (label !== undefined && !labels.has(otherId)) byLabel.set(foldCase(label), { id: otherId, label });
    const { label: last, ...rest } = record ?? {};
    before.set(id, last);
    const label = labels.get(id);
    if (label === undefined) return rest;
    const holder = byLabel.get(foldCase(label));
    if (!holder) return { ...rest, ...omitUndefined({ accountId }), label };
    holders.set(id, holder);
    return record;
  });
  return { before, holders };
}
