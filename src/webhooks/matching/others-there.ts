// Shows other webhooks that deliver to the same URLs. An integration often has several, and a rotation has two; suspending
// one of them does not stop the deliveries, so commands say so before and after.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { operations } from '#contract/operation.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { assertComplete, type Hook, hostOf, statusOf, toHooks, urlKeyOf } from '../records/hook.ts';

/** The change must not wait longer for this: the service may be in trouble. */
const withinMs = 10_000;
const mostNamed = 10;

export interface OthersThere {
  /** Includes suspended webhooks. */
  readonly sameUrl: readonly Hook[];
  /** How many active webhooks deliver to other URLs of each host. */
  readonly sameHost: ReadonlyMap<string, number>;
}

export function isActive(hook: Hook): boolean {
  return statusOf(hook) !== 'Suspended';
}

/** Warns and returns undefined if the list cannot be read: the change goes ahead. */
export async function readOthers(
  context: Context,
  targets: readonly Hook[],
): Promise<OthersThere | undefined> {
  // Without a URL there is nothing to compare, and the service is in trouble.
  if (targets.every(({ record }) => record.hookUrl === undefined)) return undefined;
  const all = await listSoon(context);
  if (all) return findOthers(all, targets);
  for (const { record, local } of targets)
    if (local?.rotation?.successor !== undefined)
      await context.report.warn(
        `Webhook ${local.rotation.successor}, the successor of ${record.id}, may deliver to the same URL.`,
      );
  return undefined;
}

async function listSoon(context: Context): Promise<readonly Hook[] | undefined> {
  try {
    const session = await context.session();
    const timeoutMs = Math.min(withinMs, context.timeoutMs);
    const response = await session.send(operations.listWebhooks, {}, {}, timeoutMs);
    assertComplete(response);
    return await toHooks(context, response);
  } catch (error) {
    return warnUnlessFatal(context, 'Cannot check what else delivers there', error);
  }
}

export function findOthers(all: readonly Hook[], targets: readonly Hook[]): OthersThere {
  const own = new Set(targets.map(({ record }) => record.id));
  const others = all.filter(({ record }) => record.hookUrl !== undefined && !own.has(record.id));
  const urls = new Set(targets.map(urlKeyOf));
  const hosts = new Set(targets.map(hostOf));
  const sameHost = new Map<string, number>();
  for (const one of others) {
    const host = hostOf(one);
    if (host !== undefined && hosts.has(host) && !urls.has(urlKeyOf(one)) && isActive(one))
      sameHost.set(host, (sameHost.get(host) ?? 0) + 1);
  }
  return { sameUrl: others.filter((one) => urls.has(urlKeyOf(one))), sameHost };
}

/** `describe`: what a webhook delivers. `isAsked`: the question that follows offers these webhooks. */
export async function showOthers(
  context: Context,
  { sameUrl, sameHost }: OthersThere,
  describe: (hook: Hook) => string,
  isAsked = false,
): Promise<void> {
  const { report } = context;
  for (const [url, there] of groupByUrl(sameUrl.filter(isActive))) {
    const named = there.slice(0, mostNamed).map((hook) => `  ${nameOther(hook)}: ${describe(hook)}`);
    const more = there.length - named.length;
    const toSelect = isAsked ? '' : ` (to select ${there.length === 1 ? 'it' : 'them'} too: --same-url)`;
    const lines = [
      `${deliver(there.length, 'more active')} to ${url}${toSelect}:`,
      ...named,
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
    // A line break in a URL or a title would begin what looks like another webhook.
    await report.warn(lines.map(sanitizeLine).join('\n'));
  }
  for (const [host, count] of [...sameHost].slice(0, mostNamed)) {
    const list = formatCommandWith(context, 'webhook list', [], '--status', 'active', '--url', `//${host}/`);
    // The records of --json name their URLs, and a script may read its errors as JSON.
    if (report.wantsJson) return;
    await report.info(`${deliver(count, 'more active')} to other URLs of ${host}. To list them: ${list}`);
  }
}

/** The id with what distinguishes the webhook from others of the same URL: its label and its rotation. */
function nameOther({ record: { id }, local }: Hook): string {
  const label = local?.label === undefined ? '' : ` ('${local.label}')`;
  return `${id}${label}${local?.replaces ? `, which replaces ${local.replaces.id}` : ''}`;
}

/** Lists the webhooks that still deliver to a changed URL, for each URL that has or had several. */
export async function showStillThere(
  context: Context,
  verb: string,
  targets: readonly Hook[],
  others: OthersThere | undefined,
  again: (ids: readonly string[]) => string,
): Promise<void> {
  const known = groupByUrl([...targets, ...(others?.sameUrl ?? [])]);
  const several = [...known].flatMap(([url, { length }]) => (length > 1 ? [url] : []));
  const all = others === undefined || several.length === 0 ? undefined : await listSoon(context);
  if (all === undefined) return;
  const { report } = context;
  for (const key of several) {
    const there = all.filter((one) => urlKeyOf(one) === key && isActive(one));
    const url = sanitizeLine(key);
    const ids = there.map(({ record }) => record.id);
    if (verb === 'resume') {
      if (ids.length > 1)
        await report.warn(
          `${deliver(ids.length, 'active')} to ${url} now: an event may arrive there ${ids.length} times.`,
        );
    } else if (ids.length === 0)
      await report.info(`No active webhook of this application delivers to ${url} now.`);
    else {
      await report.warn(
        `${deliver(ids.length, 'active', 'still ')} to ${url}: ${nameIds(ids)}\nTo ${verb} ${ids.length === 1 ? 'it' : 'them'} too: ${again(ids)}`,
      );
    }
  }
}

export function nameIds(ids: readonly string[]): string {
  const more = ids.length - mostNamed;
  return joinWithAnd([...ids.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])]);
}

function groupByUrl(hooks: readonly Hook[]): ReadonlyMap<string, readonly Hook[]> {
  const groups = new Map<string, Hook[]>();
  for (const hook of hooks) {
    const key = urlKeyOf(hook);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group) group.push(hook);
    else groups.set(key, [hook]);
  }
  return groups;
}

/** `3 more active webhooks deliver`, `1 active webhook still delivers`. */
export function deliver(count: number, which: string, still = ''): string {
  return countOf(count, `${which} webhook ${still}delivers`, `${which} webhooks ${still}deliver`);
}
