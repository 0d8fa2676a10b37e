// The last command from this machine that changed webhooks, from the history: what `undo` puts back, and what `resume --all` goes by.

import type { Context } from '#cli/context.ts';
import { formatTimestamp } from '#contract/date.ts';
import type { WebhookChange } from '#local-records/history/history-log.ts';
import { type HistoryEntry, readHistory } from '#local-records/history/read-history.ts';
import { accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';

/** More than the changes of one command, and those of tasks after it. */
const limit = 20_000;

type ChangedWebhook = Partial<WebhookChange> & { readonly isDone: boolean };
export type LastCommand = NonNullable<ReturnType<Awaited<ReturnType<typeof readCommands>>>>;

/** Reads the history of this host's webhooks once. The function finds the command of the last change that `isMeant`. */
export async function readCommands(context: Context) {
  const host = await accountHost(context);
  const { entries: all, isTorn } = await readHistory(context.world, { ids: [], limit });
  // A label that was rejected changed nothing on this machine.
  const isRejected = (entry: HistoryEntry) => entry.begun.operation === 'labelWebhook' && hasFailed(entry);
  const entries = all.filter(
    (entry) => entry.begun.host === host && /webhook/i.test(entry.begun.operation) && !isRejected(entry),
  );
  return (isMeant: (entry: HistoryEntry) => boolean = () => true) => {
    const last = entries.findLast(isMeant);
    if (!last) return undefined;
    const { command, at, webhook } = last.begun;
    const isOfRun = (entry: HistoryEntry) =>
      entry === last || (webhook !== undefined && entry.begun.webhook?.run === webhook.run);
    /** By id: from before the first change of the webhook to after the last one. Empty if all failed. */
    const changes = new Map<string, ChangedWebhook>();
    const run = entries.filter(isOfRun);
    for (const { begun, ended } of run.filter((entry) => !hasFailed(entry)))
      for (const id of ended?.created ?? begun.ids)
        changes.set(id, {
          ...begun.webhook,
          ...omitUndefined({ before: (changes.get(id) ?? begun.webhook)?.before }),
          isDone: ended?.outcome === 'done',
        });
    const name = `wm ${command} of ${formatTimestamp(Date.parse(at))}`;
    // The torn line may be the end of a change without one. After others, it began a change.
    const began = run[0]?.begun.at ?? at;
    return { command, name, began, ...webhook, changes, isUncertain: isTorn && last.ended !== undefined };
  };
}

export const hasFailed = ({ ended }: HistoryEntry): boolean => ended?.outcome === 'failed';
