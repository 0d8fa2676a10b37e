// Matches the entries of a file with webhooks. Needs only the file and the service, since CI has no local records: the file is
// complete for each URL and scope that it names. See docs/decisions/webhook-file.md.

import { urlKey } from '../records/hook.ts';
import {
  describeScope,
  type FilteredEvent,
  filtersKey,
  type HookEntry,
  isAccount,
  listKey,
  type Member,
  type Scope,
  scopeKey,
} from './hooks-file.ts';
import type { WebhookFacts } from './webhook-facts.ts';

export interface Pair {
  readonly entry: HookEntry;
  readonly facts: WebhookFacts;
  readonly comparison: Comparison;
  /** False if the entry could mean another webhook, or the webhook belong to another entry. */
  readonly isCertain: boolean;
}

type Candidate = Omit<Pair, 'isCertain'>;

export interface MatchedGroup {
  /** Entries and webhooks without a known difference. */
  readonly pairs: readonly Pair[];
  readonly missing: readonly HookEntry[];
  readonly surplus: readonly WebhookFacts[];
  /** True if the pairs and surplus webhooks could be combined differently, and no record tells which is right. */
  readonly isAmbiguous: boolean;
}

/**
 * `others`: the webhooks whose URL and scope are in no entry. `replaceUnknown`: a webhook with unknown events is surplus, unless the
 * entry's events are unknown too.
 */
export function matchEntries(
  entries: readonly HookEntry[],
  webhooks: readonly WebhookFacts[],
  replaceUnknown: boolean,
): { readonly groups: readonly MatchedGroup[]; readonly others: readonly WebhookFacts[] } {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const key = keyOf(entry.url, entry.scope);
    const group = groups.get(key) ?? { entries: [], webhooks: [] };
    group.entries.push(entry);
    groups.set(key, group);
  }
  const others: WebhookFacts[] = [];
  for (const facts of webhooks) {
    const group = facts.url === undefined ? undefined : groups.get(keyOf(facts.url, facts.scope));
    if (group?.entries.some((entry) => mayCover(entry, facts))) group.webhooks.push(facts);
    else others.push(facts);
  }
  return { groups: [...groups.values()].map((group) => matchGroup(group, replaceUnknown)), others };
}

/** Does not distinguish account and space webhooks: the comparison does that later. */
function keyOf(url: string, scope: Scope | undefined): string {
  return JSON.stringify([urlKey(url), scope?.folderId ?? null]);
}

function mayCover({ scope }: HookEntry, facts: WebhookFacts): boolean {
  return scope === undefined || facts.scope === undefined || scopeKey(scope) === scopeKey(facts.scope);
}

interface Group {
  readonly entries: HookEntry[];
  readonly webhooks: WebhookFacts[];
}

function matchGroup({ entries, webhooks }: Group, replaceUnknown: boolean): MatchedGroup {
  const candidates = entries
    .flatMap((entry) => webhooks.map((facts) => ({ entry, facts, comparison: compareWebhook(entry, facts) })))
    .filter(({ comparison }) => comparison.differences.length === 0)
    .filter(
      ({ entry, facts }) =>
        !replaceUnknown || facts.events !== undefined || entry.notShown.includes('events'),
    )
    // Complete comparisons first, then webhooks that have the entry's label on this machine, then pairs that need no change.
    .toSorted(
      (a, b) =>
        countUnknown(a) - countUnknown(b) ||
        Number(hasItsLabel(b)) - Number(hasItsLabel(a)) ||
        Number(needsStatus(a)) - Number(needsStatus(b)),
    );
  const chosen: Candidate[] = [];
  for (const pair of candidates)
    if (!chosen.some(({ entry, facts }) => entry === pair.entry || facts === pair.facts)) chosen.push(pair);
  const clear = chosen.filter((candidate) => !isUnsure(candidate));
  const open = candidates.filter(
    (candidate) => !clear.some(({ entry, facts }) => entry === candidate.entry || facts === candidate.facts),
  );
  const pairs = chosen.map(
    (candidate): Pair => ({
      ...candidate,
      isCertain: !open.some(
        (rival) => (rival.entry === candidate.entry) !== (rival.facts === candidate.facts),
      ),
    }),
  );
  const withRest = (matched: readonly Pair[]) => ({
    pairs: matched,
    missing: entries.filter((entry) => !matched.some((pair) => pair.entry === entry)),
    surplus: webhooks.filter((facts) => !matched.some((pair) => pair.facts === facts)),
  });
  const { missing, surplus } = withRest(pairs);
  const unsure = pairs.filter(isUnsure);
  const isAmbiguous =
    pairs.some((pair) => !pair.isCertain && needsStatus(pair)) ||
    candidates.some(
      (candidate) =>
        (missing.includes(candidate.entry) && unsure.some(({ facts }) => facts === candidate.facts)) ||
        (surplus.includes(candidate.facts) && unsure.some(({ entry }) => entry === candidate.entry)),
    );
  if (!isAmbiguous || !replaceUnknown) return { pairs, missing, surplus, isAmbiguous };
  // No record tells the uncertain webhooks apart, so all of them are created again.
  const certain = pairs.filter((pair) => !unsure.includes(pair) || pair.entry.notShown.length > 0);
  return { ...withRest(certain), isAmbiguous: false };
}

/** Counts unknown settings. An unknown secret does not distinguish webhooks with one URL. */
function countUnknown({ comparison }: Candidate): number {
  return comparison.notCompared.filter((member) => member !== 'secret').length;
}

/** A label is the user's own choice, so it decides between webhooks that look the same at the service. */
function isUnsure(pair: Candidate): boolean {
  return countUnknown(pair) > 0 && !hasItsLabel(pair);
}

function hasItsLabel({ entry, facts }: Candidate): boolean {
  return entry.label !== undefined && entry.label === facts.label;
}

export function needsStatus({ entry, facts }: Pick<Pair, 'entry' | 'facts'>): boolean {
  return entry.status !== undefined && entry.status !== facts.status;
}

interface Comparison {
  /** One line for each setting: `events: TaskCreated in the file, TaskDeleted at the service`. */
  readonly differences: readonly string[];
  readonly notCompared: readonly Member[];
}

export function compareWebhook(entry: HookEntry, facts: WebhookFacts): Comparison {
  const differences: string[] = [];
  const notCompared: Member[] = [];
  const compare = <T>(
    member: Member,
    expected: T | undefined,
    actual: T | undefined,
    keyOf: (value: T) => string,
    format: (value: T) => string,
  ) => {
    if (entry.notShown.includes(member) || expected === undefined || actual === undefined)
      notCompared.push(member);
    else if (keyOf(expected) !== keyOf(actual))
      differences.push(`${member}: ${format(expected)} in the file, ${format(actual)} at the service`);
  };
  // `recursive` means nothing for the account, even if the webhook's record does not show that it is the account's.
  const isRecursive = isAccount(entry.scope) ? false : facts.recursive;
  compare('scope', entry.scope, facts.scope, scopeKey, (scope) => describeScope(scope));
  compare('recursive', entry.recursive ?? false, isRecursive, String, String);
  compare('events', entry.events ?? [], facts.events, listKey, formatList);
  compare(
    'parameterisedEvents',
    entry.parameterisedEvents ?? [],
    facts.parameterisedEvents,
    filtersKey,
    formatFilters,
  );
  compare('customItemTypes', entry.customItemTypes ?? [], facts.customItemTypes, listKey, formatList);
  compare('secret', entry.secret !== undefined, facts.isSigned, String, (isSigned) =>
    isSigned ? 'signed' : 'not signed',
  );
  return { differences, notCompared };
}

function formatFilters(entries: readonly FilteredEvent[]): string {
  return entries.length === 0 ? 'none' : JSON.stringify(entries);
}

function formatList(list: 'all' | readonly string[]): string {
  if (list === 'all') return 'all';
  return list.length === 0 ? 'none' : list.join(', ');
}
