// Says since when webhooks were suspended before they were resumed: the events since then were never delivered.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { formatTimestamp } from '#contract/date.ts';
import type { ObservedStatus } from '#local-records/local-webhook.ts';
import type { Hook } from '../records/hook.ts';

export async function showMissed(context: Context, resumed: readonly Hook[]): Promise<void> {
  const suspensions = resumed.flatMap(({ local }) => local?.observed ?? []).map(suspendedSince);
  const [first] = suspensions.toSorted((a, b) => a.at - b.at);
  if (first === undefined) return;
  const since = formatTimestamp(first.at);
  const subject = resumed.length === 1 ? 'It was' : 'The first of them was';
  const command = formatCommandWith(context, 'task list', [], '--updated-since', since);
  await context.report.info(
    `${subject} suspended ${first.format(since)}: events since then were not delivered.\nTo list the tasks changed since: ${command}`,
  );
}

function suspendedSince({ status, since, before, seen, byWm }: ObservedStatus) {
  if (status !== 'Suspended')
    return { at: Date.parse(seen), format: (at: string) => `some time after ${at}` };
  if (byWm) return { at: Date.parse(since), format: (at: string) => `since ${at}` };
  return before === undefined
    ? { at: Date.parse(since), format: (at: string) => `since ${at} or earlier` }
    : { at: Date.parse(before), format: (at: string) => `some time after ${at}` };
}
