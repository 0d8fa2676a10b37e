// Reports the suspension that a resume ends: its note, which the resume removes, and since when events were lost.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import type { ObservedStatus } from '#cli/local-webhook.ts';
import { formatTimestamp } from '#contract/date.ts';
import { noteOf } from '../columns.ts';
import { type Hook, hookSubject } from '../records/hook.ts';

/** Prints the note before it is removed, and records it in the history. */
export async function keepNote(context: Context, hook: Hook): Promise<void> {
  const note = noteOf(hook);
  const history = await context.history();
  const kept = context.world.secrets.redactCredentials(`resumed although it had a note: ${note}`);
  history.setNote(note === '' ? undefined : kept);
  if (note !== '') await context.report.warnOnce(`${hookSubject(hook)} has a note: ${note}.`);
}

/** Says since when events were not delivered, if this machine knows. */
export async function showMissed(context: Context, resumed: readonly Hook[]): Promise<void> {
  const known = resumed.flatMap(({ local }) => local?.observed ?? []).map(suspendedSince);
  const [first] = known.toSorted((one, other) => one.at - other.at);
  if (first === undefined) return;
  const since = formatTimestamp(first.at);
  const whose = resumed.length === 1 ? 'It was' : 'The first of them was';
  const command = formatCommandWith(context, 'task list', [], '--updated-since', since);
  await context.report.info(
    `${whose} suspended ${first.format(since)}: events since then were not delivered.\nTo list the tasks changed since: ${command}`,
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
