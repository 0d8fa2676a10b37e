// Shows other webhooks that deliver to the same URLs. An integration often has several, and a rotation has two; suspending
// one of them does not stop the deliveries, so commands say so before and after.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { groupByUrl, type Hook, hostOf, listAllHooks, urlKeyOf } from '../records/hook.ts';

/** The change must not wait longer for this: the service may be in trouble. */
const withinMs = 10_000;
const mostNamed = 10;

export type OtherWebhooks = ReturnType<typeof findOtherWebhooks>;

export const isActive = (hook: Hook): boolean => hook.record.status !== 'Suspended';

/** Warns and returns undefined if the list cannot be read: the change goes ahead. `all`: the webhooks, if they were just listed. */
export async function readOtherWebhooks(context: Context, targets: readonly Hook[], all?: readonly Hook[]) {
  // Without a URL there is nothing to compare, and the service is in trouble.
  if (targets.every(({ record }) => record.hookUrl === undefined)) return undefined;
  const listed = all ?? (await listQuickly(context));
  if (listed) return findOtherWebhooks(listed, targets);
  for (const { record, local } of targets)
    if (local?.rotation?.successor !== undefined)
      await context.report.warn(
        `Webhook ${local.rotation.successor}, the successor of ${record.id}, may deliver to the same URL.`,
      );
  return undefined;
}

async function listQuickly(context: Context): Promise<readonly Hook[] | undefined> {
  try {
    const timeoutMs = Math.min(withinMs, context.timeoutMs);
    return await listAllHooks(context, undefined, { timeoutMs, isToAct: true });
  } catch (error) {
    return warnUnlessFatal(context, 'Cannot list the other webhooks of the URL', error);
  }
}

/** `sameUrl`: also suspended webhooks. `sameHost`: how many active webhooks deliver to other URLs of each host. */
export function findOtherWebhooks(listed: readonly Hook[], targets: readonly Hook[]) {
  const own = new Set(targets.map(({ record }) => record.id));
  const others = listed.filter(({ record }) => record.hookUrl !== undefined && !own.has(record.id));
  const urls = new Set(targets.map(urlKeyOf));
  const hosts = new Set(targets.map(hostOf));
  const sameHost = new Map<string, number>();
  for (const hook of others) {
    const host = hostOf(hook);
    if (host !== undefined && hosts.has(host) && !urls.has(urlKeyOf(hook)) && isActive(hook))
      sameHost.set(host, (sameHost.get(host) ?? 0) + 1);
  }
  return { sameUrl: others.filter((hook) => urls.has(urlKeyOf(hook))), sameHost };
}

/** `describe`: what a webhook delivers. `isAsked`: the question that follows offers these webhooks. */
export async function showOtherWebhooks(
  context: Context,
  { sameUrl, sameHost }: OtherWebhooks,
  describe: (hook: Hook) => string,
  isAsked = false,
): Promise<void> {
  const { report } = context;
  for (const [url, active] of groupByUrl(sameUrl.filter(isActive))) {
    const named = active.slice(0, mostNamed).map((hook) => `  ${describeOther(hook)}: ${describe(hook)}`);
    const omitted = active.length - named.length;
    const toSelect = isAsked ? '' : ` (to select ${active.length === 1 ? 'it' : 'them'} too: --same-url)`;
    const lines = [
      `${webhooksDeliver(active.length, 'more active')} to ${url}${toSelect}:`,
      ...named,
      ...(omitted > 0 ? [`  and ${omitted} more`] : []),
    ];
    // A line break in a URL or a title would begin what looks like another webhook.
    await report.warn(lines.map(sanitizeLine).join('\n'));
  }
  for (const [host, count] of [...sameHost].slice(0, mostNamed)) {
    const list = formatCommandWith(context, 'webhook list', [], '--status', 'active', '--url', `//${host}/`);
    // The records of --json name their URLs, and a script may read its errors as JSON.
    if (report.wantsJson) return;
    await report.info(
      `${webhooksDeliver(count, 'more active')} to other URLs of ${host}. To list them: ${list}`,
    );
  }
}

/** The label and the rotation distinguish webhooks of one URL. */
function describeOther({ record: { id }, local }: Hook): string {
  const label = local?.label === undefined ? '' : ` ('${local.label}')`;
  return `${id}${label}${local?.replaces ? `, which replaces ${local.replaces.id}` : ''}`;
}

export async function showStillActive(
  context: Context,
  verb: string,
  targets: readonly Hook[],
  others: OtherWebhooks | undefined,
  again: (ids: readonly string[]) => string,
): Promise<void> {
  const byUrl = groupByUrl([...targets, ...(others?.sameUrl ?? [])]);
  const several = [...byUrl].flatMap(([url, { length }]) => (url !== '' && length > 1 ? [url] : []));
  const listed = others === undefined || several.length === 0 ? undefined : await listQuickly(context);
  if (listed === undefined) return;
  const { report } = context;
  for (const key of several) {
    const active = listed.filter((hook) => urlKeyOf(hook) === key && isActive(hook));
    const url = sanitizeLine(key);
    const ids = active.map(({ record }) => record.id);
    if (verb === 'resume') {
      if (ids.length > 1)
        await report.warn(
          `${webhooksDeliver(ids.length, 'active')} to ${url} now: an event may arrive there ${ids.length} times.`,
        );
    } else if (ids.length === 0)
      await report.info(`No active webhook of this application delivers to ${url} now.`);
    else {
      await report.warn(
        `${webhooksDeliver(ids.length, 'active', 'still ')} to ${url}: ${nameIds(ids)}\nTo ${verb} ${ids.length === 1 ? 'it' : 'them'} too: ${again(ids)}`,
      );
    }
  }
}

export function nameIds(ids: readonly string[]): string {
  const omitted = ids.length - mostNamed;
  return joinWithAnd([...ids.slice(0, mostNamed), ...(omitted > 0 ? [`${omitted} more`] : [])]);
}

/** `3 more active webhooks deliver`, `1 active webhook still delivers`. */
export function webhooksDeliver(count: number, which: string, still = ''): string {
  return countOf(count, `${which} webhook ${still}delivers`, `${which} webhooks ${still}deliver`);
}
