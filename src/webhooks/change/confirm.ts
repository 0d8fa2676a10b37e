// Confirms that a webhook is to be suspended, resumed or deleted: names it by URL and id with what it delivers, so that
// the user confirms the right one.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { warnUnlessFatal } from '#cli/warn-unless-fatal.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { usageError } from '#failure.ts';
import { selectProfile } from '#login/select-account.ts';
import { widthOf } from '#terminal/line-drawing.ts';
import { shortenAll } from '#terminal/picker/shorten.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { folderTitles, noteOf } from '../columns.ts';
import { describeScope, eventsOf, type FolderTitles, noTitles, settingsOf } from '../coverage.ts';
import { type OtherWebhooks, showOtherWebhooks } from '../matching/other-webhooks.ts';
import { describeHook, type Hook } from '../records/hook.ts';
import { capitalize } from './change-each.ts';

/** A long list shows only this many at its start and at its end. */
const mostAtEachEnd = 10;

interface Confirmation {
  readonly verb: string;
  readonly hooks: readonly Hook[];
  readonly others?: OtherWebhooks | undefined;
  readonly canAdd?: (hook: Hook) => boolean;
  /** What else is to be known of a webhook, as a sentence; by default its notes. */
  readonly detailOf?: (hook: Hook) => string;
}

/** Asks once for all, unless --yes was given; a no ends the command. Returns the other webhooks of the URLs if the user wants them too. */
export async function confirmTargets(
  context: Context,
  { verb, hooks, others, canAdd = () => true, detailOf }: Confirmation,
): Promise<readonly Hook[]> {
  const [first, ...rest] = hooks;
  const isAsked = first !== undefined && context.canPrompt && !context.common.yes;
  if (!isAsked) {
    if (first !== undefined && context.common.yes) await showKnownAccount(context, hooks);
    if (others) await showOtherWebhooks(context, others, describeDeliveries);
  }
  if (first === undefined || context.common.yes) return [];
  const isOne = rest.length === 0;
  const ending = verb === 'delete' ? ' for good' : '';
  const nameOf = (hook: Hook) => `${describeHook(hook)}${hook.raw ? '' : ' (could not be read)'}`;
  const names = joinWithAnd(hooks.map(nameOf));
  const whom = isOne ? `${names}${ending}` : `${hooks.length} webhooks${ending}: ${names}`;
  const detail = detailOf ?? ((hook) => (noteOf(hook) ? `Its note: ${noteOf(hook)}.` : ''));
  const detailIn = (hook: Hook) => ` ${detail(hook)}`.trimEnd();
  const question = `${capitalize(verb)} ${whom}?${hooks.map(detailIn).join('')}`;
  if (!isAsked) return confirmOrAdd(context, question, hooks.length, []);
  const shown = [...hooks, ...(others?.sameUrl ?? [])];
  const omitted = hooks.length - 2 * mostAtEachEnd;
  // A long list scrolls, so the account is named below it, next to the question.
  const isLong = omitted > 1;
  const [, titles] = await Promise.all([isLong || showAccount(context), folderTitles(context, shown)]);
  if (others) await showOtherWebhooks(context, others, (hook) => describeDeliveries(hook, titles), true);
  const addable = (others?.sameUrl ?? []).filter(canAdd);
  const ask = (text: string) => confirmOrAdd(context, text, hooks.length, addable);
  if (isOne) return ask([question, ...describeEffect(verb, first, titles)].join(' '));
  const lineOf = (hook: Hook) => {
    // In a long list, they would take the room of the URL.
    const deliveries = hook.raw && !isLong ? `: ${describeDeliveries(hook, titles)}` : '';
    // A line break in a title would begin what looks like another webhook.
    return sanitizeLine(`  ${nameOf(hook)}${deliveries}.${detailIn(hook)}`.replace(/\.$/, ''));
  };
  const lines = (isLong ? [...hooks.slice(0, mostAtEachEnd), ...hooks.slice(-mostAtEachEnd)] : hooks).map(
    lineOf,
  );
  const width = widthOf(context.world.streams.errors);
  const short = shortenAll(isLong ? lines.filter((line) => !line.includes(' Its note: ')) : [], width);
  for (const [index, line] of lines.entries()) {
    if (isLong && index === mostAtEachEnd) await context.report.warn(`  ... and ${omitted} more ...`);
    await context.report.warn(short.get(line) ?? line);
  }
  if (isLong) await showAccount(context);
  return ask(`${capitalize(verb)} these ${hooks.length} webhooks${ending}?`);
}

async function confirmOrAdd(context: Context, question: string, count: number, addable: readonly Hook[]) {
  if (addable.length === 0) {
    await context.confirm(question);
    return [];
  }
  const allLabel = `all ${count + addable.length} of ${count === 1 ? 'this URL' : 'these URLs'}`;
  const answer = await context.prompt('--yes', (prompt) => prompt.confirmOrAll(question, allLabel));
  if (answer === false) throw usageError('Not confirmed; nothing was done');
  return answer === 'all' ? addable : [];
}

function describeEffect(verb: string, hook: Hook, titles: FolderTitles): string[] {
  if (!hook.raw) return [];
  const deliveries = describeDeliveries(hook, titles);
  if (verb === 'resume') return [`It will deliver ${deliveries}.`];
  return [hook.record.status === 'Suspended' ? 'It is suspended.' : `It delivers ${deliveries}.`];
}

/** `4 events for the folder 'Launch'`; without titles, names it by id. Omits an unknown number: it may be all of them. */
export function describeDeliveries(hook: Hook, titles: FolderTitles = noTitles): string {
  const settings = settingsOf(hook);
  const named = eventsOf(settings);
  const counted = named === undefined || named === 'all' ? 'events' : countOf(named.length, 'event');
  const place = describeScope(settings, (kind, id) => {
    const title = titles.get(id);
    return `the ${kind} ${title === undefined ? id : `'${title}'`}`;
  });
  return `${named === 'all' ? 'all ' : ''}${counted} for ${place}`;
}

/** Names the account of a change without a confirmation, by the profile's name or the webhooks' id: a script should not wait for a name. */
export async function showKnownAccount(context: Context, hooks: readonly Hook[]): Promise<void> {
  const { account, report, world } = context;
  // The records of --json name their account, and a script may read its errors as JSON.
  if (report.isQuiet || report.wantsJson) return;
  const ids = new Set(hooks.flatMap(({ record }) => record.accountId ?? []));
  const profile = await selectProfile(world, account).catch(() => undefined);
  const name = [profile?.account, profile?.user && `as ${profile.user}`].filter(Boolean).join(', ');
  const shown = profile?.account === undefined ? [...ids].join(', ') : name;
  if (shown !== '') await report.info(`Account ${shown}`);
}

export async function showAccount(context: Context): Promise<void> {
  try {
    const { readIdentity } = await import('#cli/identity.ts');
    const { user, account } = await readIdentity(await context.session(), '');
    await context.report.warn(`Account ${account}, as ${user}`);
  } catch (error) {
    await warnUnlessFatal(context, 'Cannot read the account', error);
  }
}
