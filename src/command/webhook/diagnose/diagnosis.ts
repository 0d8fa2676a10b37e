// Everything that is known about why a webhook is suspended: the service's record, what this machine recorded, what wm changed,
// and what its receiver does now. The service itself gives no reason.

import type { EventName } from '../../../contract/event.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { toHistoryJson } from '../../history/history-columns.ts';
import { type HistoryEntry, readHistory } from '../../history/read-history.ts';
import { type LocalWebhook, toShownLocal } from '../local/local-webhook.ts';
import { observeWebhooks } from '../local/observe.ts';
import { type ReadWebhook, readWebhook } from '../select/read-webhook.ts';
import type { CheckResult } from '../verify/check-result.ts';
import type { VerifyOptions } from '../verify/receiver-target.ts';
import { withEvents } from '../verify/sample-events.ts';
import { verifyReceiver } from '../verify/verify-receiver.ts';
import { toTarget } from '../verify/webhook-target.ts';

export interface Diagnosis {
  readonly webhook: ReadWebhook;
  readonly local: LocalWebhook | undefined;
  /** What wm changed from this machine, the newest last. */
  readonly history: readonly HistoryEntry[];
  readonly checks: readonly CheckResult[];
}

const mostEntries = 20;

export async function diagnose(
  context: Context,
  id: string,
  {
    secret,
    events,
    options,
  }: {
    readonly secret: string | undefined;
    /** Those that the user named. */
    readonly events: readonly EventName[] | undefined;
    readonly options: VerifyOptions;
  },
): Promise<Diagnosis> {
  const webhook = await readWebhook(context, id);
  const local = (await observeWebhooks(context, [webhook.record])).get(id);
  const history = await readChanges(context, id);
  const checks =
    webhook.record.hookUrl === undefined
      ? []
      : await verifyReceiver(context, withEvents(toTarget(webhook, local, secret), events), options);
  return { webhook, local, history, checks };
}

/** None, after a warning, where the history cannot be read: the rest still helps. */
async function readChanges({ world, report }: Context, id: string): Promise<readonly HistoryEntry[]> {
  try {
    const always = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
    const found = await readHistory(world, { ids: [id], command: undefined, limit: mostEntries, ...always });
    return found.entries;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await report.warn(`Cannot read the history: ${error.sentence}`);
    return [];
  }
}

/** For a program, or a ticket. */
export function toDiagnosisJson({
  webhook,
  local,
  history,
  checks,
}: Diagnosis): Readonly<Record<string, unknown>> {
  return {
    webhook: webhook.raw,
    ...(local === undefined ? {} : { local: toShownLocal(local) }),
    history: history.map(toHistoryJson),
    checks,
  };
}
