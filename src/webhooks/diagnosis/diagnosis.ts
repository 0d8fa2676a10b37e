// Collects the evidence for why a webhook is suspended: the service's record, this machine's records, the changes that wm
// made, and how the receiver responds now. The service itself gives no reason.

import type { Context } from '#cli/context.ts';
import { toHistoryJson } from '#cli/history-columns.ts';
import type { EventName } from '#contract/event.ts';
import { toFailure } from '#failure.ts';
import { type HistoryEntry, readHistory } from '#local-records/history/read-history.ts';
import { toShownLocal } from '#local-records/local-webhook.ts';
import { readOtherWebhooks } from '../matching/other-webhooks.ts';
import { readHook } from '../records/hook.ts';
import { notChecked } from '../verification/check-result.ts';
import { toTarget, type VerifyOptions } from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';

export type Diagnosis = Awaited<ReturnType<typeof diagnose>>;

const mostEntries = 20;

/** `others`: of the same URL. `history`: the changes that wm made from this machine, the newest last. */
export async function diagnose(
  context: Context,
  id: string,
  secret: string | undefined,
  flags: VerifyOptions & { readonly events?: readonly EventName[] },
) {
  const hook = await readHook(context, id);
  const records = await context.webhookRecords();
  const local = (await records.observe([hook])).get(id);
  const webhook = { ...hook, local };
  const history = await readChanges(context, id);
  const others = (await readOtherWebhooks(context, [webhook]))?.sameUrl ?? [];
  const checks =
    webhook.record.hookUrl === undefined
      ? []
      : ((await readOnlyCheck(context)) ??
        (await verifyReceiver(context, toTarget(webhook, secret, flags.events), flags)));
  return { webhook, others, history, checks };
}

/** A receiver acts on samples, so with --read-only it gets none. Undefined if it may get them. */
async function readOnlyCheck(context: Context) {
  try {
    await context.assertMayChange();
    return undefined;
  } catch (error) {
    const { code, why, hint } = toFailure(error);
    if (code !== 'read_only' || why === undefined) throw error;
    return [notChecked('events', why, hint)];
  }
}

export async function readHistoryOf(world: Context['world'], id: string, limit: number) {
  return (await readHistory(world, { ids: [id], limit })).entries;
}

/** Warns and returns none if the history cannot be read: the rest still helps. */
async function readChanges({ world, report }: Context, id: string): Promise<readonly HistoryEntry[]> {
  try {
    return await readHistoryOf(world, id, mostEntries);
  } catch (error) {
    const { code, sentence } = toFailure(error);
    if (code === 'internal') throw error;
    await report.warn(`Cannot read the history: ${sentence}`);
    return [];
  }
}

export function toDiagnosisJson({ webhook, others, history, checks }: Diagnosis) {
  return {
    webhook: webhook.raw,
    local: webhook.local && toShownLocal(webhook.local),
    sameUrl: others.map((hook) => ({ id: hook.record.id, status: hook.record.status })),
    history: history.map(toHistoryJson),
    checks,
  };
}
