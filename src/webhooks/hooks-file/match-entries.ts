// Which webhook an entry of a file means. It needs nothing but the file and the service, since CI has no local records: the
// file says everything about each URL and scope that it names. docs/decisions/webhook-file.md says why.

import { type Comparison, compareWebhook } from './compare-webhook.ts';
import { type HookEntry, isSameScope, type Scope, urlKey } from './hooks-file.ts';
import type { WebhookFacts } from './webhook-facts.ts';

export interface Pair {
  readonly entry: HookEntry;
  readonly facts: WebhookFacts;
  readonly comparison: Comparison;
  /** False if the entry could as well mean another webhook, or the webhook be another entry's. */
  readonly isCertain: boolean;
}

type Candidate = Omit<Pair, 'isCertain'>;

/** The entries and webhooks of one URL and scope. */
export interface MatchedGroup {
  /** Nothing that is known differs. */
  readonly pairs: readonly Pair[];
  /** Entries without a webhook. */
  readonly missing: readonly HookEntry[];
  /** Webhooks without an entry. */
  readonly surplus: readonly WebhookFacts[];
  /** Pairs, and surplus webhooks, that could as well be others of the group: nobody can tell. */
  readonly isAmbiguous: boolean;
}

export interface Matched {
  readonly groups: readonly MatchedGroup[];
  /** Webhooks whose URL and scope are in no entry. */
  readonly others: readonly WebhookFacts[];
}

export interface MatchOptions {
  /** Webhooks whose events nobody knows are no entry's, except of entries whose events are not known either. */
  readonly replaceUnknown: boolean;
}

export function matchEntries(
  entries: readonly HookEntry[],
  all: readonly WebhookFacts[],
  options: MatchOptions,
): Matched {
  const groups = new Map<string, { entries: HookEntry[]; webhooks: WebhookFacts[] }>();
  for (const entry of entries) {
    const key = keyOf(entry.url, entry.scope);
    const group = groups.get(key) ?? { entries: [], webhooks: [] };
    group.entries.push(entry);
    groups.set(key, group);
  }
  const others: WebhookFacts[] = [];
  for (const facts of all) {
    const group = facts.url === undefined ? undefined : groups.get(keyOf(facts.url, facts.scope));
    if (group?.entries.some((entry) => mayCover(entry, facts))) group.webhooks.push(facts);
    else others.push(facts);
  }
  return { groups: [...groups.values()].map((group) => matchGroup(group, options)), others };
}

/** A webhook of the account and one of a space cannot be told apart here; that happens later. */
function keyOf(url: string, scope: Scope | undefined): string {
  return JSON.stringify([urlKey(url), scope?.folderId ?? null]);
}

function mayCover({ scope }: HookEntry, facts: WebhookFacts): boolean {
  return scope === undefined || facts.scope === undefined || isSameScope(scope, facts.scope);
}

function matchGroup(
  {
    entries,
    webhooks,
  }: { readonly entries: readonly HookEntry[]; readonly webhooks: readonly WebhookFacts[] },
  { replaceUnknown }: MatchOptions,
): MatchedGroup {
  const candidates = entries
    .flatMap((entry) => webhooks.map((facts) => ({ entry, facts, comparison: compareWebhook(entry, facts) })))
    .filter(({ comparison }) => comparison.differences.length === 0)
    .filter(
      ({ entry, facts }) =>
        !replaceUnknown || facts.events !== undefined || entry.notShown.includes('events'),
    )
    // What is compared in full comes first, then what this machine gave the entry's label, then what needs no change.
    .toSorted(
      (one, other) =>
        countUnknown(one) - countUnknown(other) ||
        Number(hasItsLabel(other)) - Number(hasItsLabel(one)) ||
        Number(needsStatus(one)) - Number(needsStatus(other)),
    );
  const chosen: Candidate[] = [];
  for (const pair of candidates)
    if (!chosen.some(({ entry, facts }) => entry === pair.entry || facts === pair.facts)) chosen.push(pair);
  const clear = chosen.filter((one) => !isUnsure(one));
  const open = candidates.filter(
    (one) => !clear.some(({ entry, facts }) => entry === one.entry || facts === one.facts),
  );
  const pairs = chosen.map(
    (one): Pair => ({
      ...one,
      isCertain: !open.some((other) => (other.entry === one.entry) !== (other.facts === one.facts)),
    }),
  );
  const missing = entries.filter((entry) => !pairs.some((pair) => pair.entry === entry));
  const surplus = webhooks.filter((facts) => !pairs.some((pair) => pair.facts === facts));
  const unsure = pairs.filter(isUnsure);
  const isAmbiguous =
    pairs.some((pair) => !pair.isCertain && needsStatus(pair)) ||
    candidates.some(
      (one) =>
        (missing.includes(one.entry) && unsure.some(({ facts }) => facts === one.facts)) ||
        (surplus.includes(one.facts) && unsure.some(({ entry }) => entry === one.entry)),
    );
  if (!isAmbiguous || !replaceUnknown) return { pairs, missing, surplus, isAmbiguous };
  // Nobody can tell which is which, so all that are not certain are made anew.
  const certain = pairs.filter((pair) => !unsure.includes(pair) || pair.entry.notShown.length > 0);
  return {
    pairs: certain,
    missing: entries.filter((entry) => !certain.some((pair) => pair.entry === entry)),
    surplus: webhooks.filter((facts) => !certain.some((pair) => pair.facts === facts)),
    isAmbiguous: false,
  };
}

/** Whether it has a secret tells webhooks of one URL apart only where it is known. */
function countUnknown({ comparison }: Candidate): number {
  return comparison.notCompared.filter((member) => member !== 'secret').length;
}

/** The label is the user's own, so it tells apart what the service does not. */
function isUnsure(pair: Candidate): boolean {
  return countUnknown(pair) > 0 && !hasItsLabel(pair);
}

function hasItsLabel({ entry, facts }: Candidate): boolean {
  return entry.label !== undefined && entry.label === facts.label;
}

export function needsStatus({ entry, facts }: Pick<Pair, 'entry' | 'facts'>): boolean {
  return entry.status !== undefined && entry.status !== facts.status;
}
