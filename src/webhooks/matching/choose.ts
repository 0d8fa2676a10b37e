// Finds the webhooks that a command acts on: by its arguments, by --all and its filters, or by a choice from a list.

import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { isIdShaped, mayBeId, unquoteId } from '#cli/resolve/id-shape.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { Failure, usageError } from '#failure.ts';
import type { LocalWebhooks } from '#local-records/local-webhook.ts';
import { selectProfile } from '#login/select-account.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { differencesOf } from '../columns.ts';
import { noTitles } from '../coverage.ts';
import {
  type Hook,
  type HookList,
  incompleteList,
  isSameUrl,
  listAll,
  listAllHooks,
  listHooks,
  namedHook,
  ofAccount,
  onlyThisApplication,
  readHook,
  readHookIfThere,
  urlKeyOf,
  warnIfIncomplete,
} from '../records/hook.ts';
import { filterFlags, filterWebhooks, type WebhookFilter, warnOfUnknown } from './filter.ts';
import { findOtherWebhooks } from './other-webhooks.ts';
import { needsChange, type PickOptions, pickFrom, pickWebhooks, verbOf } from './pick.ts';

export const selectionFlags = {
  sameUrl: booleanFlag('Also select every other webhook that delivers to the same URL'),
  all: booleanFlag('Select all webhooks of this application, or the ones that match the flags below'),
  ...filterFlags,
};

export const webhookArgument = {
  help: 'the id, label or URL of a webhook, or a part of its label or URL',
  optional: true,
  completes: 'webhook',
} as const;

export const webhooksArgument = { ...webhookArgument, many: true } as const;

export const howToName = `Name a webhook by its id, its label, its URL, or a part of its label or URL. If a text matches several, wm lets you pick on
a terminal; elsewhere it prints them and exits with status 2. An exact match wins, unless a label is also a whole part of
another webhook's URL: then both match. If a text differs only in a final slash, the query, http or https, spaces around
it or letter case, wm asks on a terminal; elsewhere, and to delete the webhook, give the id. If nothing matches, wm names
the account that it searched, and other profiles in which the text matches.`;

export interface Selection {
  /** Without duplicates, in the order of the arguments. Without `raw`, a record was not read, or a prompt made it old. */
  readonly hooks: readonly Hook[];
  /** True if a webhook was picked, or named by a part of its URL or label: the user then confirms any change. */
  readonly isGuess: boolean;
  /** All webhooks, if they were listed and no prompt has come since. */
  readonly listed?: readonly Hook[] | undefined;
  /** How many more are selected that wm cannot change: the service shows no id of them. */
  readonly withoutId?: number;
}

interface ChooseOptions extends PickOptions {
  /** Selects all webhooks of a URL; undefined if the command has no such flag. */
  readonly sameUrl?: boolean | undefined;
  /** Called for each text without a match; by default the first one throws. */
  readonly onMissing?: (text: string, failure: Failure) => void;
}

export async function chooseWebhooks(
  context: Context,
  names: readonly string[],
  flags: ParsedFlags<typeof selectionFlags>,
  to?: WebhookStatus,
): Promise<Selection> {
  const { all = false, sameUrl = false, ...filter } = flags;
  const filters = Object.keys(filter).map((name) => `--${name}`);
  if (all && names.length > 0)
    throw usageError('--all cannot be combined with an ID', 'Give the webhooks, or --all.');
  if (!all && filters.length > 0)
    throw usageError(
      `${joinWithAnd(filters)} ${filters.length === 1 ? 'needs' : 'need'} --all`,
      `To ${verbOf(context)} all that match, add --all.`,
    );
  const chosen = await (all ? chooseAll(context, filter) : selectWebhooks(context, names, { to, sameUrl }));
  return sameUrl ? withSameUrl(context, chosen, to) : chosen;
}

async function chooseAll(context: Context, filter: WebhookFilter): Promise<Selection> {
  const listing = listAll(context);
  const hint = { ...listing, text: `Give the ids instead. ${listing.text}` };
  const { hooks: listed, isComplete, ...list } = await listHooks(context);
  if (!isComplete) throw incompleteList('act on all of them', hint);
  const withoutId = (await filterWebhooks(context, list.withoutId, filter)).hooks.length;
  const { hooks, unknown } = await filterWebhooks(context, listed, filter);
  await warnOfUnknown(context, unknown);
  if (hooks.length === 0)
    throw new Failure('not_found', { message: 'No webhook matches', hint: onlyThisApplication });
  return { hooks, isGuess: true, listed, withoutId };
}

/** The id of the webhook that the text names; without a text the user picks one. An id is not looked up. */
export async function chooseOneWebhook(context: Context, text?: string, options: PickOptions = {}) {
  const names = text === undefined ? [] : [text];
  const pick = { emptyMessage: 'No webhook', ...options, isOne: true };
  const { hooks } = await selectWebhooks(context, names, pick);
  return hooks[0]?.record.id ?? '';
}

/** By ids, labels, URLs or parts of one; without any, the user picks some. Looks nothing up if all are ids. */
export async function selectWebhooks(
  context: Context,
  names: readonly string[],
  options: ChooseOptions = {},
): Promise<Selection> {
  if (names.length === 0) return { hooks: await pickWebhooks(context, options), isGuess: true };
  const chosen = new Map<string, Hook>();
  let isGuess = false;
  let list: HookList | undefined;
  const records = await context.webhookRecords();
  for (const text of names.map(unquoteId)) {
    assertNotEmpty(text);
    if (isIdShaped(text)) {
      const local = await records.read();
      if (!isLabel(local, text)) {
        chosen.set(text, namedHook(text, local));
        continue;
      }
    }
    list ??= await listHooks(context);
    await warnIfIncomplete(context, list);
    const chosenBy = { ...options, isAlone: names.length === 1 };
    const match = await resolveName(context, text, list.hooks, await records.read(), chosenBy);
    if (match instanceof Failure) {
      if (options.onMissing === undefined) throw match;
      options.onMissing(text, match);
      continue;
    }
    for (const hook of match.hooks) chosen.set(hook.record.id, hook);
    isGuess ||= match.isGuess;
  }
  const hooks = [...chosen.values()];
  const listed = list?.isComplete && hooks.every(({ raw }) => raw) ? list.hooks : undefined;
  return { hooks, isGuess, listed };
}

/** Rejects an empty text, as an unset variable leaves: it is a part of every URL, and would select an only webhook. */
function assertNotEmpty(text: string): void {
  if (text.trim() === '')
    throw usageError('ID must not be empty', 'Give the id, label or URL of a webhook, or a part of one.');
}

function isLabel(local: LocalWebhooks, text: string): boolean {
  return !local.has(text) && [...local.values()].some(({ label }) => label === text);
}

async function resolveName(
  context: Context,
  text: string,
  listed: readonly Hook[],
  all: LocalWebhooks,
  options: ChooseOptions & { readonly isAlone: boolean },
): Promise<Selection | Failure> {
  // Labels of other accounts do not count.
  const ofListed = listed.find(({ record }) => record.accountId !== undefined)?.record.accountId;
  const accountId = ofListed ?? (await selectProfile(context.world, context.account))?.accountId;
  const local = ofAccount(all, accountId);
  const match = matchWebhooks(text, listed, local);
  const { hooks, isGuess } = match;
  const [first] = hooks;
  if (first === undefined) {
    // The list lacks webhooks of other applications, which can still be read by id. A deleted webhook also goes this way, so
    // that the failure names its label.
    const ids = idsOfLabel(local, text);
    if (ids.length > 1)
      throw usageError(
        `${JSON.stringify(text)} is the label of ${ids.length} webhooks`,
        `Give the id of the one that you mean:\n${ids.join('\n')}`,
      );
    const named = namedHook(ids[0] ?? text, all);
    if (ids.length === 1 || all.has(text)) return { hooks: [named], isGuess: false };
    if (mayBeId('WebhookId', text)) {
      // One of several fails by itself, so that the others are changed.
      const isChecked = options.isAlone && !context.isDryRun;
      const hook = isChecked ? await readHookIfThere(context, text).catch(() => named) : named;
      if (hook) return { hooks: [hook], isGuess: false };
    }
    return chooseNear(context, text, listed, options);
  }
  if (hooks.length === 1) return match;
  const { to, sameUrl } = options;
  const isOneUrl = hooks.every((hook) => urlKeyOf(hook) === urlKeyOf(first));
  // The others of the URL are added later.
  if (sameUrl && isOneUrl) return { hooks: [hooks.find((hook) => needsChange(hook, to)) ?? first], isGuess };
  const matches = `${JSON.stringify(text)} matches ${hooks.length} webhooks`;
  if (!context.canPrompt || context.isDryRun) {
    const orAll = sameUrl === false && isOneUrl ? ', or --same-url for all of them' : '';
    throw usageError(matches, `Give the id of each that you mean${orAll}:\n${formatCandidates(hooks)}`);
  }
  const { hookUrl } = first.record;
  const ofUrl = hookUrl === undefined || !isOneUrl || isSameUrl(hookUrl, text) ? '' : ` of ${hookUrl}`;
  return { hooks: await pickFrom(context, `${matches}${ofUrl}. Which?`, hooks, options), isGuess: true };
}

/** Lets the user pick a near match. Without a prompt, or for a deletion, only lists the near matches in an error. */
async function chooseNear(context: Context, text: string, listed: readonly Hook[], options: ChooseOptions) {
  const { nearHooks, noMatchFailure } = await import('./no-match.ts');
  const near = nearHooks(text, listed);
  if (near.length === 0) return noMatchFailure(context, text, listed);
  const mayAsk = context.canPrompt && !context.common.yes && !context.isDryRun;
  if (!mayAsk || context.commandLine.words === 'webhook delete')
    throw usageError(
      `No webhook matches ${JSON.stringify(text)} exactly`,
      `Give the id of each that you mean:\n${formatCandidates(near)}`,
    );
  const question = `No webhook matches ${JSON.stringify(text)} exactly. Which is meant?`;
  return { hooks: await pickFrom(context, question, near, options), isGuess: true };
}

function formatCandidates(hooks: readonly Hook[]): string {
  const differences = differencesOf(hooks, noTitles);
  const lines = hooks.map((hook) => {
    const { id, hookUrl = 'no URL' } = hook.record;
    const line = [id, hookUrl, hook.record.status ?? 'no status', hook.local?.label ?? ''];
    // A line break in a URL would begin what looks like another candidate.
    return sanitizeLine([...line, differences.get(id) ?? ''].join('  ').trimEnd());
  });
  return lines.join('\n');
}

/** Prefers whole ids, labels and URLs. A label that is a whole word of another URL too (`team2` in `/team2/in`) matches both. */
export function matchWebhooks(text: string, listed: readonly Hook[], local: LocalWebhooks): Selection {
  const labelOf = ({ local }: Hook) => foldCase(local?.label ?? '');
  const folded = foldCase(text);
  const withId = listed.filter(({ record }) => record.id === text);
  if (withId.length > 0) return { hooks: withId, isGuess: false };
  const labelled = listed.filter((hook) => labelOf(hook) === folded);
  if (labelled.length > 0) {
    // A label distinguishes webhooks with one URL.
    const urls = new Set(labelled.map(urlKeyOf));
    const urlMatches = listed.filter(
      (hook) => !urls.has(urlKeyOf(hook)) && hasPart(foldCase(hook.record.hookUrl ?? ''), folded),
    );
    return { hooks: [...labelled, ...urlMatches], isGuess: false };
  }
  // isSameUrl ignores spaces around a URL; an exact match must not.
  const withUrl = text === text.trim() ? listed.filter(({ record }) => isSameUrl(record.hookUrl, text)) : [];
  if (withUrl.length > 0) return { hooks: withUrl, isGuess: false };
  // The user means that unlisted webhook.
  if (idsOfLabel(local, text).length > 0) return { hooks: [], isGuess: false };
  const hooks = listed.filter(
    (hook) => foldCase(hook.record.hookUrl ?? '').includes(folded) || labelOf(hook).includes(folded),
  );
  return { hooks, isGuess: true };
}

/** Whether the URL contains the text as whole words. */
function hasPart(url: string, text: string): boolean {
  const isInWord = (index: number) => /^[\p{L}\p{N}]{2}/u.test(url.slice(index - 1, index + 1));
  for (let index = url.indexOf(text); index !== -1; index = url.indexOf(text, index + 1))
    if ((index === 0 || !isInWord(index)) && !isInWord(index + text.length)) return true;
  return false;
}

/** Also ids of unlisted webhooks. Several if a label was recorded without its account. */
function idsOfLabel(local: LocalWebhooks, text: string): readonly string[] {
  const folded = foldCase(text);
  return [...local].flatMap(([id, { label }]) =>
    label !== undefined && foldCase(label) === folded ? [id] : [],
  );
}

/** Adds the other webhooks of the same URLs that the command changes. Reads an unlisted webhook for its URL. */
async function withSameUrl(context: Context, { hooks: named }: Selection, to: WebhookStatus | undefined) {
  const options = { hint: listAll(context), isToAct: true };
  const listed = await listAllHooks(context, 'act on all of a URL', options);
  const chosen: Hook[] = [];
  for (const { record } of named)
    chosen.push(listed.find((hook) => hook.record.id === record.id) ?? (await readHook(context, record.id)));
  const hooks = [...chosen, ...findOtherWebhooks(listed, chosen).sameUrl];
  const toChange = hooks.filter((hook) => needsChange(hook, to) || chosen.includes(hook));
  // If none needs the change, the command says so of each.
  return { hooks: hooks.some((hook) => needsChange(hook, to)) ? toChange : hooks, isGuess: true, listed };
}
