// The webhooks that a command acts on: those that its arguments mean, all that --all and its filters let pass, or those that
// the user picks from a list.

import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { type LocalWebhooks, ofAccount } from '#cli/local-webhook.ts';
import { isIdShaped, mayBeId } from '#cli/resolve/id-shape.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { operations } from '#contract/operation.ts';
import { Failure, usageError } from '#failure.ts';
import { selectProfile } from '#login/select-account.ts';
import { foldCase } from '#terminal/picker/fold-case.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
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
} from '../records/hook.ts';
import { filterFlags, filterWebhooks, type WebhookFilter, warnOfUnknown } from './filter.ts';
import { findOthers } from './others-there.ts';
import { type PickFilter, type PickOne, pickOneWebhook, pickWebhooks, toEntries } from './pick.ts';

export const selectionFlags = {
  sameUrl: booleanFlag('Select also every other webhook that delivers to the same URL'),
  all: booleanFlag('Select all webhooks of this application, or those that match the flags below'),
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

/** For the help of those commands. */
export const howToName = `A webhook can be given by its id, its label, its URL, or a part of its label or URL. If a text matches several, wm lets
you pick on a terminal; elsewhere it prints them and exits with status 2. An exact match wins, unless a label is also a
whole part of another webhook's URL: then both match. What matches but for a slash at the end, the query, http for https,
spaces around it or letter case is a question on a terminal; elsewhere, and to delete it, give the id. If nothing
matches, wm names the account that it searched, and other profiles in which the text matches.`;

export type SelectionFlags = ParsedFlags<typeof selectionFlags>;

export interface Chosen {
  /** Each once, in the order given. Those that --all has listed were read. */
  readonly hooks: readonly Hook[];
  /** True if one was meant by a part of its URL or label, or picked: then the user confirms even what needs no confirmation. */
  readonly isGuess: boolean;
}

/**
 * `verb` is the command's word; `pick` says what a list offers if nothing is given.
 * @throws {Failure} `usage` for arguments that contradict each other or mean several; `not_found` if nothing matches.
 */
export async function chooseWebhooks(
  context: Context,
  {
    given,
    flags,
    verb,
    pick,
  }: {
    readonly given: readonly string[];
    readonly flags: SelectionFlags;
    readonly verb: string;
    readonly pick: PickFilter;
  },
): Promise<Chosen> {
  const { all = false, sameUrl = false, ...filter } = flags;
  const filters = Object.keys(filter).map((name) => `--${name}`);
  if (all && given.length > 0)
    throw usageError('--all cannot be combined with an ID', 'Give the webhooks, or --all.');
  if (!all && filters.length > 0)
    throw usageError(
      `${joinWithAnd(filters)} ${filters.length === 1 ? 'needs' : 'need'} --all`,
      `To ${verb} all that match, add --all.`,
    );
  const chosen = await (all ? chooseAll(context, filter) : chooseGiven(context, { given, verb, pick }));
  return sameUrl ? withSameUrl(context, chosen, pick) : chosen;
}

/** The same without `--all`. `onMissing` gets each text that means no webhook; without it, the first ends the command. */
export async function chooseGiven(
  context: Context,
  {
    given,
    verb,
    pick,
    onMissing,
  }: {
    readonly given: readonly string[];
    readonly verb: string;
    readonly pick: PickFilter;
    readonly onMissing?: OnMissing;
  },
): Promise<Chosen> {
  if (given.length > 0) return selectWebhooks(context, given, { onMissing });
  const ids = await pickWebhooks(context, verb, pick);
  return { hooks: await namedHooks(context, ids), isGuess: true };
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

/**
 * The id of the webhook that a text means; without a text the user picks. Looks nothing up if the text is an id. Throws as
 * {@link selectWebhooks}, and where nothing can be picked.
 */
export async function chooseOneWebhook(
  context: Context,
  text: string | undefined,
  pick: PickOne,
): Promise<string> {
  return text === undefined ? pickOneWebhook(context, pick) : selectOneWebhook(context, text);
}

export async function selectOneWebhook(context: Context, text: string): Promise<string> {
  const { hooks } = await selectWebhooks(context, [text], { only: true });
  const [hook] = hooks;
  if (hook === undefined) throw usageError('No webhook was chosen', 'Choose one.');
  return hook.record.id;
}

interface SelectOptions {
  readonly onMissing?: OnMissing | undefined;
  /** The command acts on a single webhook: of several that a text means, one can be picked. */
  readonly only?: boolean;
}

export type OnMissing = (text: string, failure: Failure) => void;

/**
 * The webhooks that a user means by what they typed: each an id, a label, a URL, or a part of one. Looks nothing up if all are ids.
 * @throws {Failure} `usage` if a text means several webhooks and there is no prompt; `not_found` if it means none.
 */
export async function selectWebhooks(
  context: Context,
  given: readonly string[],
  { onMissing, only = false }: SelectOptions = {},
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
    const found = await selectOne(context, text, all, only);
    if (found instanceof Failure) {
      if (onMissing === undefined) throw found;
      onMissing(text, found);
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

/** A variable that is not set leaves an empty text, which is a part of every URL: the only webhook would be taken for it. */
export function assertNamesOne(text: string): void {
  if (text.trim() === '')
    throw usageError('ID must not be empty', 'Give the id, label or URL of a webhook, or a part of one.');
}

async function isLabel(context: Context, text: string): Promise<boolean> {
  const local = await (await context.webhookRecords()).read();
  return !local.has(text) && [...local.values()].some(({ label }) => label === text);
}

/** The failure if the text means none. */
async function selectOne(
  context: Context,
  text: string,
  all: readonly Hook[],
  only: boolean,
): Promise<{ readonly ids: readonly string[]; readonly isGuess: boolean } | Failure> {
  const known = await (await context.webhookRecords()).read();
  // A label of another account means nothing here.
  const local = ofAccount(known, await accountIdOf(context, all));
  const { hooks, isExact } = matchWebhooks(text, all, local);
  const [first, ...more] = hooks;
  if (first === undefined) {
    // One of another application is not listed, and may still be read by its id. So may one that was deleted; the failure
    // then has the label too.
    const [id, ...others] = idsOfLabel(local, text);
    if (id !== undefined && others.length > 0)
      throw usageError(
        `${JSON.stringify(text)} is the label of ${others.length + 1} webhooks`,
        `Give the id of the one that you mean:\n${[id, ...others].join('\n')}`,
      );
    if (id !== undefined || mayBeId('WebhookId', text)) return { ids: [id ?? text], isGuess: false };
    return chooseNear(context, text, all, only);
  }
  if (more.length === 0) return { ids: [first.record.id], isGuess: !isExact };
  const matches = `${JSON.stringify(text)} matches ${hooks.length} webhooks`;
  if (!context.canPrompt || context.common.dryRun || context.common.curl)
    throw usageError(matches, `Give the id of each that you mean:\n${hooks.map(formatCandidate).join('\n')}`);
  const entries = toEntries(hooks);
  const question = `${matches}. Which?`;
  const ids = await context.prompt('ID', async (prompt) =>
    only ? [await prompt.pick(question, entries)] : prompt.pickSeveral(question, entries),
  );
  return { ids, isGuess: true };
}

/** What only comes near is a question, and never taken without one; what is to be deleted is named as it is. */
async function chooseNear(
  context: Context,
  text: string,
  all: readonly Hook[],
  only: boolean,
): Promise<{ readonly ids: readonly string[]; readonly isGuess: boolean } | Failure> {
  const { nearHooks, noMatchFailure } = await import('./no-match.ts');
  const near = nearHooks(text, all);
  if (near.length === 0) return noMatchFailure(context, text, all);
  const { canPrompt, common, commandLine } = context;
  const mayAsk = canPrompt && !common.yes && !common.dryRun && !common.curl;
  if (!mayAsk || commandLine.words === 'webhook delete')
    throw usageError(
      `No webhook matches ${JSON.stringify(text)} exactly`,
      `Give the id of each that you mean:\n${near.map(formatCandidate).join('\n')}`,
    );
  const question = `No webhook matches ${JSON.stringify(text)} exactly. Which is meant?`;
  const ids = await context.prompt('ID', async (prompt) =>
    only ? [await prompt.pick(question, toEntries(near))] : prompt.pickSeveral(question, toEntries(near)),
  );
  return { ids, isGuess: true };
}

/** Nothing where neither a webhook nor the profile says it. */
async function accountIdOf({ world, account }: Context, all: readonly Hook[]): Promise<string | undefined> {
  const listed = all.find(({ record }) => record.accountId !== undefined)?.record.accountId;
  if (listed !== undefined || account.token !== undefined) return listed;
  return (await selectProfile(world, account))?.accountId;
}

function formatCandidate(hook: Hook): string {
  const { id, hookUrl = 'no URL' } = hook.record;
  const line = [id, hookUrl, statusOf(hook) ?? 'no status', hook.local?.label ?? ''];
  // A line break in a URL would begin what looks like another candidate.
  return sanitizeLine(line.join('  ').trimEnd());
}

interface Match {
  readonly hooks: readonly Hook[];
  /** True if the text is the id, the label or the URL itself, and not a part of it. */
  readonly isExact: boolean;
}

/**
 * What is exact comes first. A label that another URL has as a whole part (`team2` in `https://example.com/team2/in`, not in
 * `team21`) means both. None if the text is the label of one that is not listed: that one is meant, and no other that has
 * the text somewhere.
 */
export function matchWebhooks(text: string, all: readonly Hook[], local: LocalWebhooks): Match {
  const labelOf = ({ local }: Hook) => foldCase(local?.label ?? '');
  const wanted = foldCase(text);
  const withId = all.filter(({ record }) => record.id === text);
  if (withId.length > 0) return { hooks: withId, isExact: true };
  const labelled = all.filter((one) => labelOf(one) === wanted);
  if (labelled.length > 0) {
    // A label tells webhooks of one URL apart.
    const isThere = (url: string) => labelled.some(({ record: { hookUrl = '' } }) => isSameUrl(url, hookUrl));
    const others = all.filter(
      ({ record: { hookUrl = '' } }) => !isThere(hookUrl) && hasPart(foldCase(hookUrl), wanted),
    );
    return { hooks: [...labelled, ...others], isExact: true };
  }
  const withUrl = all.filter(
    ({ record: { hookUrl } }) =>
      // A URL is read without the spaces around it.
      hookUrl !== undefined && text === text.trim() && isSameUrl(hookUrl, text),
  );
  if (withUrl.length > 0) return { hooks: withUrl, isExact: true };
  if (idsOfLabel(local, text).length > 0) return { hooks: [], isExact: true };
  const hooks = all.filter(
    (one) => foldCase(one.record.hookUrl ?? '').includes(wanted) || labelOf(one).includes(wanted),
  );
  return { hooks, isExact: false };
}

/** Whether a part of the URL that neither begins nor ends within a word is this text. */
function hasPart(url: string, text: string): boolean {
  const isInWord = (at: number) => /^[\p{L}\p{N}]{2}/u.test(url.slice(at - 1, at + 1));
  for (let at = url.indexOf(text); at !== -1; at = url.indexOf(text, at + 1))
    if ((at === 0 || !isInWord(at)) && !isInWord(at + text.length)) return true;
  return false;
}

/** For webhooks that may or may not be listed; several where the account of one was not known when it was labelled. */
function idsOfLabel(local: LocalWebhooks, text: string): readonly string[] {
  const wanted = foldCase(text);
  return [...local].flatMap(([id, { label }]) =>
    label !== undefined && foldCase(label) === wanted ? [id] : [],
  );
}

/** Compares URLs, not texts. */
export function isSameUrl(one: string, other: string): boolean {
  return urlKey(one) === urlKey(other);
}

/** With all that deliver to their URLs and can be picked. One that is not listed is read for its URL. */
async function withSameUrl(context: Context, { hooks }: Chosen, { of }: PickFilter): Promise<Chosen> {
  const session = await context.session();
  const response = await session.send(operations.listWebhooks, {}, {});
  assertComplete(response, 'act on all of a URL', listAll(context));
  const all = await toHooks(context, response);
  const chosen: Hook[] = [];
  for (const { record } of hooks)
    chosen.push(all.find((one) => one.record.id === record.id) ?? (await readHook(context, record.id)));
  const others = findOthers(all, chosen).sameUrl.filter((one) => of(statusOf(one)));
  return { hooks: [...chosen, ...others], isGuess: true };
}
