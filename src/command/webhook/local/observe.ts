// Records the status of each webhook whenever a command has read it, which is the only way to know since when it has it.

import type { Webhook } from '../../../contract/webhook.ts';
import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { LocalWebhook, LocalWebhooks, ObservedStatus } from './local-webhook.ts';
import { changeLocalWebhooks, readLocalWebhooks } from './local-webhooks.ts';

/** While nothing changes, a later look is recorded only after this time: a list that is read every second writes no file. */
const recordAgainMs = 5 * 60_000;

type Observed = Pick<Webhook, 'id' | 'status'>;

/**
 * Records the statuses that the service has just shown; `byWm` if this command has made them so; `read` if the records were read
 * already. Returns what is known about all webhooks then. Warns where that cannot be recorded: no command fails because of it.
 */
export async function observeWebhooks(
  context: Pick<Context, 'world' | 'account' | 'report'>,
  webhooks: readonly Observed[],
  byWm = false,
  read?: LocalWebhooks,
): Promise<LocalWebhooks> {
  const known = read ?? (await readLocalWebhooks(context));
  const at = context.world.clock.now();
  const news = webhooks.filter((one) => isNews(known.get(one.id)?.observed, one, at, byWm));
  if (news.length === 0) return known;
  const statuses = new Map(news.map((one) => [one.id, one]));
  const observed = (local: LocalWebhook | undefined, id: string): LocalWebhook | undefined => {
    const one = statuses.get(id);
    if (one?.status === undefined) return local;
    return { ...local, observed: observe(local?.observed, one.status, new Date(at).toISOString(), byWm) };
  };
  try {
    // A stopped wm may hold the lock, and a webhook is to be suspended now.
    await changeLocalWebhooks(context, statuses.keys(), observed, { isBrief: !byWm });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await context.report.warnOnce(`Cannot record the status of webhooks: ${error.sentence}`);
  }
  return new Map([...known, ...news.flatMap(({ id }) => entryOf(id, observed(known.get(id), id)))]);
}

function entryOf(id: string, local: LocalWebhook | undefined): readonly (readonly [string, LocalWebhook])[] {
  return local ? [[id, local]] : [];
}

function isNews(last: ObservedStatus | undefined, { status }: Observed, at: number, byWm: boolean): boolean {
  if (status === undefined) return false;
  if (byWm && !last?.byWm) return true;
  return last?.status !== status || Math.abs(at - Date.parse(last.seen)) >= recordAgainMs;
}

function observe(
  last: ObservedStatus | undefined,
  status: string,
  now: string,
  byWm: boolean,
): ObservedStatus {
  // Another process may have seen the change before the one that made it could record it.
  if (last?.status === status) return { ...last, seen: now, ...(byWm ? { byWm } : {}) };
  return {
    status,
    since: now,
    ...(last ? { before: last.seen } : {}),
    seen: now,
    ...(byWm ? { byWm } : {}),
  };
}

/** Since when it has its status, as far as known: `3 hours ago, by wm`; `3 hours ago or earlier`. Empty if nothing is known. */
export function describeSince(
  observed: ObservedStatus | undefined,
  status: string | undefined,
  formatTime: (at: number) => string,
): string {
  if (observed === undefined || observed.status !== status) return '';
  const { byWm, before, since } = observed;
  const from = formatTime(Date.parse(since));
  if (byWm) return `${from}, by wm`;
  if (before === undefined) return `${from} or earlier`;
  return `between ${formatTime(Date.parse(before))} and ${from}`;
}
