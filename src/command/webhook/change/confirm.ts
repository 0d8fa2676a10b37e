// Confirms that a webhook is to be suspended, resumed or deleted: names it by URL and id with what it delivers, so that
// the user confirms the right one.

import { joinWithAnd } from '../../../contract/format-list.ts';
import type { Webhook } from '../../../contract/webhook.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Context } from '../../context.ts';
import { readIdentity } from '../../identity.ts';
import { warnUnlessFatal } from '../../warn-unless-fatal.ts';
import { eventsOf, isRecursive } from '../display/coverage.ts';
import { folderTitles } from '../display/folder-titles.ts';
import type { LocalWebhook, LocalWebhooks } from '../local/local-webhook.ts';
import { showKnownAccount } from './known-account.ts';

/** A webhook to be changed; without its record where that could not be read. */
export interface ChangeTarget {
  readonly id: string;
  readonly record?: Webhook | undefined;
  /** What this machine knows about it. */
  readonly local?: LocalWebhook | undefined;
}

/** As the service shows it; else as this machine recorded it. */
export function hookUrlOf({ record, local }: ChangeTarget): string | undefined {
  return record?.hookUrl ?? (local?.created?.hookUrl || undefined);
}

/** What is done to each, in the words of a command that takes several. */
export interface ChangeWords {
  /** What a webhook is afterwards: Suspended, deleted. */
  readonly to: string;
  /** The command's word: suspend. */
  readonly verb: string;
  /** What it has done to a webhook: suspended. */
  readonly done: string;
}

/**
 * `https://hooks.example.com/billing (IEAAAAAQJAAAAAAB, 'billing sync')`, with its label if it has one; `webhook
 * IEAAAAAQJAAAAAAB` where its URL is not known. One line, whatever the service sent.
 */
export function describeWebhook(target: ChangeTarget): string {
  const { id, local } = target;
  const url = hookUrlOf(target);
  const label = local?.label === undefined ? '' : `'${local.label}'`;
  if (url === undefined) return label === '' ? `webhook ${id}` : `webhook ${id} (${label})`;
  return `${sanitizeLine(url)} (${label === '' ? id : `${id}, ${label}`})`;
}

/**
 * Asks once for all of them, unless --yes was given; a no ends the command, and so does a usage error where nobody can be
 * asked. `verb` is the command's word, and `ending` follows what is named: ` for good`.
 */
export async function confirmTargets(
  context: Context,
  verb: string,
  targets: readonly ChangeTarget[],
  ending = '',
): Promise<void> {
  if (targets.length === 0) return;
  const records = targets.flatMap(({ record }) => record ?? []);
  if (context.common.yes) return showKnownAccount(context, records);
  if (!context.canPrompt) return context.confirm(question(verb, targets, ending));
  const local: LocalWebhooks = new Map(
    targets.flatMap((target) => (target.local ? [[target.id, target.local]] : [])),
  );
  const [, titles] = await Promise.all([showAccount(context), folderTitles(context, records, local)]);
  const deliveries = targets.map(({ record, local: known }) =>
    record ? describeDeliveries(record, known, titles) : undefined,
  );
  if (targets.length === 1) {
    return context.confirm(
      [question(verb, targets, ending), ...describeEffect(verb, targets[0]?.record, deliveries[0])].join(' '),
    );
  }
  for (const [at, target] of targets.entries()) {
    const what = deliveries[at];
    // A line break in a title would begin what looks like another webhook.
    await context.report.warn(
      sanitizeLine(`  ${describeTarget(target)}${what === undefined ? '' : `: ${what}`}`),
    );
  }
  return context.confirm(`${capitalize(verb)} these ${targets.length} webhooks${ending}?`);
}

function question(verb: string, targets: readonly ChangeTarget[], ending: string): string {
  const names = joinWithAnd(targets.map(describeTarget));
  const whom = targets.length === 1 ? names : `${targets.length} webhooks${ending}: ${names}`;
  return `${capitalize(verb)} ${whom}${targets.length === 1 ? ending : ''}?`;
}

function describeTarget(target: ChangeTarget): string {
  return `${describeWebhook(target)}${target.record ? '' : ' (could not be read)'}`;
}

function describeEffect(verb: string, record: Webhook | undefined, deliveries: string | undefined): string[] {
  if (deliveries === undefined) return [];
  if (verb === 'resume') return [`It will deliver ${deliveries}.`];
  return [record?.status === 'Suspended' ? 'It is suspended.' : `It delivers ${deliveries}.`];
}

/** `4 events for the folder 'Launch'`; without a number where nobody knows: that may be all of them. */
function describeDeliveries(
  webhook: Webhook,
  local: LocalWebhook | undefined,
  titles: ReadonlyMap<string, string>,
): string {
  const { created } = local ?? {};
  const named = eventsOf(webhook, created);
  const count = named === 'all' ? undefined : named?.length;
  const what = count === undefined ? 'events' : `${count} event${count === 1 ? '' : 's'}`;
  const all = named === 'all' ? `all ${what}` : what;
  // The service's record names a folder alone: a webhook of a space looks like one of the account.
  const place = webhook.folderId ?? created?.spaceId;
  if (place === undefined) return `${all} for the account${created === undefined ? ' or a space' : ''}`;
  const title = titles.get(place);
  const kind = webhook.folderId === undefined ? 'space' : 'folder';
  const below = isRecursive(webhook, created) === true ? ' and below' : '';
  return `${all} for the ${kind} ${title === undefined ? place : `'${title}'`}${below}`;
}

export function capitalize(verb: string): string {
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`;
}

async function showAccount(context: Context): Promise<void> {
  try {
    const { user, account } = await readIdentity(await context.session(), '');
    await context.report.warn(`Account ${account}, as ${user}`);
  } catch (error) {
    await warnUnlessFatal(context, 'Cannot read the account', error);
  }
}
