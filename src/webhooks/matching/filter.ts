// Filters webhooks by --status, --url, --folder and --event, from the service's records and this machine's.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { parseEventName } from '#cli/event-name.ts';
import { type Flag, lastOf, type ParsedFlags, textFlag, valueFlag } from '#cli/flags/flag.ts';
import type { EventName } from '#contract/event.ts';
import { webhookStatus } from '#contract/webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { eventsOf, settingsOf } from '../coverage.ts';
import { groupBy, type Hook } from '../records/hook.ts';

export const filterFlags = {
  status: valueFlag(
    webhookStatus,
    'STATUS',
    `Select webhooks with this status: ${webhookStatus.choices.join(' or ')}`,
  ),
  url: textFlag(
    'TEXT',
    "Select webhooks with this text in their URL; with *, the whole URL, as in 'https://old.example/*'",
  ),
  folder: textFlag('ID', 'Select webhooks of this folder, project or space: its id or title', 'place'),
  event: {
    help: 'Select webhooks that deliver this event',
    placeholder: 'EVENT',
    completes: 'event',
    parse: (texts) => parseEventName(lastOf(texts), '--event: '),
  } satisfies Flag<EventName>,
};

export type WebhookFilter = ParsedFlags<typeof filterFlags>;

/** Looks up the folder or space if the filter has its title. `unknown`: how many were left out, for their events or space are. */
export async function filterWebhooks(context: Context, hooks: readonly Hook[], flags: WebhookFilter) {
  const filter = { ...flags, ...omitUndefined({ folder: await folderId(context, flags.folder, hooks) }) };
  const byVerdict = groupBy(hooks, (hook) => passes(hook, filter));
  return { hooks: byVerdict.get(true) ?? [], unknown: byVerdict.get(undefined)?.length ?? 0 };
}

async function folderId(context: Context, text: string | undefined, hooks: readonly Hook[]) {
  if (text === undefined || hooks.some(({ record }) => record.folderId === text)) return text;
  const { resolvePlace } = await import('#cli/resolve/resolve-place.ts');
  return resolvePlace(context, text, 'folder', ['folder', 'space']);
}

export async function warnOfUnknown({ report }: Pick<Context, 'report'>, unknown: number): Promise<void> {
  if (unknown === 0) return;
  await report.warn(
    `Left out ${countOf(unknown, 'webhook')}: the service does not show the events or the space, and this machine has no record.`,
  );
}

/** `undefined` if unknown. */
function passes(hook: Hook, { status, url, folder, event }: WebhookFilter): boolean | undefined {
  if (status !== undefined && hook.record.status !== status) return false;
  if (url !== undefined && !matchesUrl(url, hook.record.hookUrl ?? '')) return false;
  const settings = settingsOf(hook);
  const { scope } = settings;
  const named = eventsOf(settings);
  const answers = [
    folder === undefined || (scope && (scope.folderId ?? scope.spaceId) === folder),
    event === undefined || named === 'all' || named?.includes(event),
  ];
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** Ignores case. Matches a part of the URL; with a `*`, which stands for any text, the whole URL. */
export function matchesUrl(pattern: string, url: string): boolean {
  const [first = '', ...others] = foldCase(pattern).split('*');
  const last = others.pop();
  const folded = foldCase(url);
  if (last === undefined) return folded.includes(first);
  let from = first.length;
  for (const part of others) {
    const index = folded.indexOf(part, from);
    if (index === -1) return false;
    from = index + part.length;
  }
  return folded.startsWith(first) && folded.endsWith(last) && from + last.length <= folded.length;
}
