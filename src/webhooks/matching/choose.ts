// Finds the webhooks that a command acts on: by its arguments, by --all and its filters, or by a choice from a list.

import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { type LocalWebhooks, ofAccount } from '#cli/local-webhook.ts';
import { isIdShaped, mayBeId } from '#cli/resolve/id-shape.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { operations } from '#contract/operation.ts';
import type { WebhookStatus } from '#contract/webhook.ts';
import { Failure, usageError } from '#failure.ts';
import { selectProfile } from '#login/select-account.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { differencesOf } from '../columns.ts';
import { noTitles } from '../coverage.ts';
import {
  assertComplete,
  type Hook,
  listAll,
  listHooks,
  namedHook,
  onlyThisApplication,
  readHook,
  statusOf,
  toHooks,
  urlKey,
  urlKeyOf,
} from '../records/hook.ts';
import { filterFlags, filterWebhooks, type WebhookFilter, warnOfUnknown } from './filter.ts';
import { findOthers } from './others-there.ts';
import { needsChange, type Picking, pickFrom, pickWebhooks, verbOf } from './pick.ts';

export const selectionFlags = {
  sameUrl: booleanFlag('Select also every other webhook that delivers to the same URL'),
  all: booleanFlag('Select all webhooks of this application, or the ones that match the flags below'),
  ...filterFlags,
};

/** The argument of a command that acts on a single webhook; without it the user picks. */
export const oneWebhookArgument = {
  help: 'the id, label or URL of a webhook, or a part of its label or URL',
  optional: true,
  completes: 'webhook',
} as const;

/** The argument of commands that act on webhooks. */
export const webhookArgument = { ...oneWebhookArgument, many: true } as const;

/** Explains in help how to name a webhook. */
export const howToName = `A webhook can be given by its id, its label, its URL, or a part of its label or URL. If a text matches several, wm lets
you pick on a terminal; elsewhere it prints them and exits with status 2. An exact match wins, unless a label is also a
whole part of another webhook's URL: then both match. What matches but for a slash at the end, the query, http for https,
spaces around it or letter case is a question on a terminal; elsewhere, and to delete it, give the id. If nothing
matches, wm names the account that it searched, and other profiles in which the text matches.`;

export type SelectionFlags = ParsedFlags<typeof selectionFlags>;

export interface Chosen {
  /** Without duplicates, in the order given. With --all their records were read. */
  readonly hooks: readonly Hook[];
  /** True if a webhook was picked, or named by a part of its URL or label: the user then confirms any change. */
  readonly isGuess: boolean;
}

export interface Choosing extends Picking {
  /** Whether all webhooks of a URL are wanted; undefined if the command has no such flag. */
  readonly sameUrl?: boolean | undefined;
  /** Gets each text without a match; by default the first one throws. */
  readonly onMissing?: (text: string, failure: Failure) => void;
}

/** @throws {Failure} `usage` for arguments that contradict each other or mean several; `not_found` if nothing matches. */
export async function chooseWebhooks(
  context: Context,
  given: readonly string[],
  flags: SelectionFlags,
  to?: WebhookStatus,
): Promise<Chosen> {
  const { all = false, sameUrl = false, ...filter } = flags;
  const filters = Object.keys(filter).map((name) => `--${name}`);
  if (all && given.length > 0)
    throw usageError('--all cannot be combined with an ID', 'Give the webhooks, or --all.');
  if (!all && filters.length > 0)
    throw usageError(
      `${joinWithAnd(filters)} ${filters.length === 1 ? 'needs' : 'need'} --all`,
      `To ${verbOf(context)} all that match, add --all.`,
    );
  const chosen = await (all ? chooseAll(context, filter) : chooseGiven(context, given, { to, sameUrl }));
  return sameUrl ? withSameUrl(context, chosen, to) : chosen;
}

/** Like {@link chooseWebhooks}, without `--all`. */
export async function chooseGiven(
  context: Context,
  given: readonly string[],
  choosing: Choosing = {},
): Promise<Chosen> {
  if (given.length > 0) return selectWebhooks(context, given, choosing);
  return { hooks: await namedHooks(context, await pickWebhooks(context, choosing)), isGuess: true };
}

async function chooseAll(context: Context, filter: WebhookFilter): Promise<Chosen> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  const listing = listAll(context);
  assertComplete(response, 'act on all of them', {
    ...listing,
    text: `Give the ids instead. ${listing.text}`,
  });
  const { hooks, unknown } = await filterWebhooks(context, await toHooks(context, response), filter);
  await warnOfUnknown(context, unknown);
  if (hooks.length === 0)
    throw new Failure('not_found', { message: 'No webhook matches', hint: onlyThisApplication });
  return { hooks, isGuess: true };
}

/** The id of the webhook that the text names; without a text the user picks one. An id is not looked up. */
export async function chooseOneWebhook(
  context: Context,
  text: string | undefined,
  picking: Picking = {},
): Promise<string> {
  if (text !== undefined) return selectOneWebhook(context, text);
  const [id = ''] = await pickWebhooks(context, { none: 'No webhook', ...picking, isOne: true });
  return id;
}

export async function selectOneWebhook(context: Context, text: string): Promise<string> {
  const { hooks } = await selectWebhooks(context, [text], { isOne: true });
  const [hook] = hooks;
  if (hook === undefined) throw usageError('No webhook was chosen', 'Choose one.');
  return hook.record.id;
}

/**
 * The webhooks that the typed texts name: by id, label, URL, or a part of one. Looks nothing up if all are ids.
 * @throws {Failure} `usage` if a text matches several webhooks and wm cannot prompt; `not_found` if it matches none.
 */
export async function selectWebhooks(
  context: Context,
  given: readonly string[],
  choosing: Choosing = {},
): Promise<Chosen> {
  const ids = new Set<string>();
  let isGuess = false;
  let all: readonly Hook[] | undefined;
  for (const text of given) {
    assertNamesOne(text);
    if (isIdShaped(text) && !(await isLabel(context, text))) {
      ids.add(text);
      continue;
    }
    all ??= await listHooks(context);
    const found = await selectOne(context, text, all, choosing);
    if (found instanceof Failure) {
      if (choosing.onMissing === undefined) throw found;
      choosing.onMissing(text, found);
      continue;
    }
    for (const id of found.ids) ids.add(id);
    isGuess ||= found.isGuess;
  }
  return { hooks: await namedHooks(context, [...ids]), isGuess };
}

async function namedHooks(context: Context, ids: readonly string[]): Promise<readonly Hook[]> {
  const local = await (await context.webhookRecords()).read();
  return ids.map((id) => namedHook(id, local));
}

/** Rejects an empty text, as an unset variable leaves: it is a part of every URL, and would select an only webhook. */
export function assertNamesOne(text: string): void {
  if (text.trim() === '')
    throw usageError('ID must not be empty', 'Give the id, label or URL of a webhook, or a part of one.');
}

async function isLabel(context: Context, text: string): Promise<boolean> {
  const local = await (await context.webhookRecords()).read();
  return !local.has(text) && [...local.values()].some(({ label }) => label === text);
}

/** Returns a failure if the text matches none. */
async function selectOne(
  context: Context,
  text: string,
  all: readonly Hook[],
  choosing: Choosing,
): Promise<{ readonly ids: readonly string[]; readonly isGuess: boolean } | Failure> {
  const known = await (await context.webhookRecords()).read();
  // Labels of other accounts do not count.
  const local = ofAccount(known, await accountIdOf(context, all));
  const { hooks, isExact } = matchWebhooks(text, all, local);
  const [first, ...more] = hooks;
  if (first === undefined) {
    // The list lacks webhooks of other applications, which can still be read by id. A deleted webhook also goes this way, so
    // that the failure names its label.
    const [id, ...others] = idsOfLabel(local, text);
    if (id !== undefined && others.length > 0)
      throw usageError(
        `${JSON.stringify(text)} is the label of ${others.length + 1} webhooks`,
        `Give the id of the one that you mean:\n${[id, ...others].join('\n')}`,
      );
    if (id !== undefined || mayBeId('WebhookId', text)) return { ids: [id ?? text], isGuess: false };
    return chooseNear(context, text, all, choosing);
  }
  if (more.length === 0) return { ids: [first.record.id], isGuess: !isExact };
  const { to, sameUrl } = choosing;
  const isOneUrl = hooks.every((hook) => urlKeyOf(hook) === urlKeyOf(first));
  // The others of the URL are added later.
  if (sameUrl && isOneUrl)
    return { ids: [(hooks.find((hook) => needsChange(hook, to)) ?? first).record.id], isGuess: !isExact };
  const matches = `${JSON.stringify(text)} matches ${hooks.length} webhooks`;
  if (!context.canPrompt || context.common.dryRun || context.common.curl) {
    const orAll = sameUrl === false && isOneUrl ? ', or --same-url for all of them' : '';
    throw usageError(matches, `Give the id of each that you mean${orAll}:\n${formatCandidates(hooks)}`);
  }
  const { hookUrl } = first.record;
  const ofUrl = hookUrl === undefined || !isOneUrl || isSameUrl(hookUrl, text) ? '' : ` of ${hookUrl}`;
  return { ids: await pickFrom(context, `${matches}${ofUrl}. Which?`, hooks, choosing), isGuess: true };
}

/** Lets the user pick a near match. Without a prompt, or for a deletion, only lists the near matches in an error. */
async function chooseNear(
  context: Context,
  text: string,
  all: readonly Hook[],
  choosing: Choosing,
): Promise<{ readonly ids: readonly string[]; readonly isGuess: boolean } | Failure> {
  const { nearHooks, noMatchFailure } = await import('./no-match.ts');
  const near = nearHooks(text, all);
  if (near.length === 0) return noMatchFailure(context, text, all);
  const { canPrompt, common, commandLine } = context;
  const mayAsk = canPrompt && !common.yes && !common.dryRun && !common.curl;
  if (!mayAsk || commandLine.words === 'webhook delete')
    throw usageError(
      `No webhook matches ${JSON.stringify(text)} exactly`,
      `Give the id of each that you mean:\n${formatCandidates(near)}`,
    );
  const question = `No webhook matches ${JSON.stringify(text)} exactly. Which is meant?`;
  return { ids: await pickFrom(context, question, near, choosing), isGuess: true };
}

/** Undefined if neither a webhook nor the profile has it. */
async function accountIdOf({ world, account }: Context, all: readonly Hook[]): Promise<string | undefined> {
  const listed = all.find(({ record }) => record.accountId !== undefined)?.record.accountId;
  if (listed !== undefined || account.token !== undefined) return listed;
  return (await selectProfile(world, account))?.accountId;
}

function formatCandidates(hooks: readonly Hook[]): string {
  const differences = differencesOf(hooks, noTitles);
  const lines = hooks.map((hook) => {
    const { id, hookUrl = 'no URL' } = hook.record;
    const line = [id, hookUrl, statusOf(hook) ?? 'no status', hook.local?.label ?? ''];
    // A line break in a URL would begin what looks like another candidate.
    return sanitizeLine([...line, differences.get(id) ?? ''].join('  ').trimEnd());
  });
  return lines.join('\n');
}

interface Match {
  readonly hooks: readonly Hook[];
  /** True if the text is the whole id, label or URL. */
  readonly isExact: boolean;
}

/**
 * Prefers exact matches. A label that is also a whole word of another URL (`team2` in `https://example.com/team2/in`, not in
 * `team21`) matches both. The label of an unlisted webhook matches nothing here: the user means that webhook.
 */
export function matchWebhooks(text: string, all: readonly Hook[], local: LocalWebhooks): Match {
  const labelOf = ({ local }: Hook) => foldCase(local?.label ?? '');
  const wanted = foldCase(text);
  const withId = all.filter(({ record }) => record.id === text);
  if (withId.length > 0) return { hooks: withId, isExact: true };
  const labelled = all.filter((one) => labelOf(one) === wanted);
  if (labelled.length > 0) {
    // A label distinguishes webhooks with one URL.
    const isThere = (url: string) => labelled.some(({ record: { hookUrl = '' } }) => isSameUrl(url, hookUrl));
    const others = all.filter(
      ({ record: { hookUrl = '' } }) => !isThere(hookUrl) && hasPart(foldCase(hookUrl), wanted),
    );
    return { hooks: [...labelled, ...others], isExact: true };
  }
  const withUrl = all.filter(
    ({ record: { hookUrl } }) =>
      // isSameUrl ignores spaces around a URL; an exact match must not.
      hookUrl !== undefined && text === text.trim() && isSameUrl(hookUrl, text),
  );
  if (withUrl.length > 0) return { hooks: withUrl, isExact: true };
  if (idsOfLabel(local, text).length > 0) return { hooks: [], isExact: true };
  const hooks = all.filter(
    (one) => foldCase(one.record.hookUrl ?? '').includes(wanted) || labelOf(one).includes(wanted),
  );
  return { hooks, isExact: false };
}

/** Whether the URL contains the text as whole words. */
function hasPart(url: string, text: string): boolean {
  const isInWord = (at: number) => /^[\p{L}\p{N}]{2}/u.test(url.slice(at - 1, at + 1));
  for (let at = url.indexOf(text); at !== -1; at = url.indexOf(text, at + 1))
    if ((at === 0 || !isInWord(at)) && !isInWord(at + text.length)) return true;
  return false;
}

/** Also ids of unlisted webhooks. Several if a label was recorded without its account. */
function idsOfLabel(local: LocalWebhooks, text: string): readonly string[] {
  const wanted = foldCase(text);
  return [...local].flatMap(([id, { label }]) =>
    label !== undefined && foldCase(label) === wanted ? [id] : [],
  );
}

/** Compares normalized URLs. */
export function isSameUrl(one: string, other: string): boolean {
  return urlKey(one) === urlKey(other);
}

/** Adds the other webhooks with the same URLs that the command changes. Reads an unlisted webhook for its URL. */
async function withSameUrl(
  context: Context,
  { hooks: named }: Chosen,
  to: WebhookStatus | undefined,
): Promise<Chosen> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  assertComplete(response, 'act on all of a URL', listAll(context));
  const all = await toHooks(context, response);
  const chosen: Hook[] = [];
  for (const { record } of named)
    chosen.push(all.find((one) => one.record.id === record.id) ?? (await readHook(context, record.id)));
  const hooks = [...chosen, ...findOthers(all, chosen).sameUrl];
  const toChange = hooks.filter((hook) => needsChange(hook, to) || chosen.includes(hook));
  // Where none is left to change, the user sees that of each.
  return { hooks: hooks.some((hook) => needsChange(hook, to)) ? toChange : hooks, isGuess: true };
}
