// Records labels that a file gives to webhooks; as everywhere, no two webhooks of a host have the same.

import { Failure } from '../../../failure.ts';
import { foldCase } from '../../../terminal/picker/fold-case.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import type { LocalWebhook } from '../../webhook-records/local-webhook.ts';

/** By id. Warns of those that cannot be recorded: a label changes nothing at the service. */
export async function recordLabels(context: Context, labels: ReadonlyMap<string, string>): Promise<void> {
  const { report } = context;
  if (labels.size === 0) return;
  const records = await context.webhookRecords();
  const local = await records.read();
  const news = [...labels].flatMap(([id, label]) => (local.get(id)?.label === label ? [] : [id]));
  if (news.length === 0) return;
  const holders = new Map<string, string>();
  let byLabel: ReadonlyMap<string, string> | undefined;
  try {
    await records.change(news, (known, id, all) => {
      const label = labels.get(id) ?? '';
      byLabel ??= namesOf(all, labels);
      const holder = byLabel.get(foldCase(label));
      if (holder === undefined) return { ...known, label };
      holders.set(id, holder);
      return known;
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return report.warnOnce(`Cannot record the labels of the file: ${error.sentence}`);
  }
  const count = news.length - holders.size;
  if (count > 0)
    await report.info(
      `Recorded the ${count === 1 ? 'label of 1 webhook' : `labels of ${count} webhooks`} here.`,
    );
  for (const [id, holder] of holders)
    await report.warn(
      `Webhook ${id} does not get the label '${labels.get(id)}': webhook ${holder} has it. To remove it there: ${formatCommandWith(context, 'webhook label', [holder], '--remove')}`,
    );
}

/** The labels of the webhooks to which the file gives none, with their ids. */
function namesOf(
  all: ReadonlyMap<string, LocalWebhook>,
  labels: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map(
    [...all].flatMap(([id, { label }]) =>
      label === undefined || labels.has(id) ? [] : [[foldCase(label), id] as const],
    ),
  );
}
