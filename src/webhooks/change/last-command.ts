// The last command from this machine that changed webhooks, from the history: what `undo` puts back, and what `resume --all` goes by.

import type { Context } from '#cli/context.ts';
import type { WebhookChange } from '#cli/history/history-log.ts';
import { type HistoryEntry, readHistory } from '#cli/history/read-history.ts';
import { formatTimestamp } from '#contract/date.ts';
import { accountHost } from '#login/select-account.ts';
import { omitUndefined } from '#omit-undefined.ts';

/** More than the changes of one command, and those of tasks after it. */
const limit = 20_000;

type ChangedWebhook = Partial<WebhookChange> & { readonly isDone: boolean };
export type LastCommand = NonNullable<Awaited<ReturnType<typeof readLastCommand>>>;

/** The command of the last change that `isMeant`. Ignores failed changes, other hosts, and changes of tasks. */
export async function readLastCommand(
  context: Context,
  isMeant: (webhook: Partial<WebhookChange>) => boolean = () => true,
) {
  const host = await accountHost(context);
  const { entries: all } = await readHistory(context.world, { ids: [], limit });
  const entries = all.filter(
    ({ begun, ended }) =>
      begun.host === host && /webhook/i.test(begun.operation) && ended?.outcome !== 'failed',
  );
  const last = entries.findLast(({ begun }) => isMeant(begun.webhook ?? {}));
  if (!last) return undefined;
  const { command, at, webhook } = last.begun;
  const isOfRun = (entry: HistoryEntry) =>
    entry === last || (webhook !== undefined && entry.begun.webhook?.run === webhook.run);
  /** By id: from before the first change of the webhook to after the last one. */
  const changes = new Map<string, ChangedWebhook>();
  for (const { begun, ended } of entries.filter(isOfRun))
    for (const id of ended?.created ?? begun.ids)
      changes.set(id, {
        ...begun.webhook,
        ...omitUndefined({ before: (changes.get(id) ?? begun.webhook)?.before }),
        isDone: ended?.outcome === 'done',
      });
  return { command, time: formatTimestamp(Date.parse(at)), ...webhook, changes };
}
