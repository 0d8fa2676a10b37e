// Matches the entries of a file with webhooks. Needs only the file and the service, since CI has no local records: the file is
// complete for each URL and scope that it names. See docs/decisions/webhook-file.md.

import { type Comparison, compareSettings, findUnknown } from '../compare-settings.ts';
import { isAccount, settingsOf, type WebhookScope } from '../coverage.ts';
import { type Hook, urlKey } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';

export interface Pair {
  readonly entry: HookEntry;
  readonly hook: Hook;
  readonly comparison: Comparison;
  /** False if the entry could mean another webhook, or the webhook belong to another entry. */
  readonly isCertain: boolean;
}

type Candidate = Omit<Pair, 'isCertain'>;

export interface MatchedGroup {
  /** Entries and webhooks without a known difference. */
  readonly pairs: readonly Pair[];
  readonly missing: readonly HookEntry[];
  readonly surplus: readonly Hook[];
  /** True if the pairs and surplus webhooks could be combined differently, and no record tells which is right. */
  readonly isAmbiguous: boolean;
}

/**
 * `others`: the webhooks whose URL and scope are in no entry. `replaceUnknown`: a webhook with unknown events is surplus, unless the
 * entry's events are unknown too.
 */
export function matchEntries(
  entries: readonly HookEntry[],
  webhooks: readonly Hook[],
  replaceUnknown: boolean,
): { readonly groups: readonly MatchedGroup[]; readonly others: readonly Hook[] } {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const key = keyOf(entry.url, entry.scope);
    const group = groups.get(key) ?? { entries: [], webhooks: [] };
    group.entries.push(entry);
    groups.set(key, group);
  }
  const others: Hook[] = [];
  for (const hook of webhooks) {
    const { hookUrl } = hook.record;
    const settings = settingsOf(hook);
    const group = hookUrl === undefined ? undefined : groups.get(keyOf(hookUrl, settings.scope));
    const mayBe = (entry: HookEntry) => !compareSettings(entry, settings).different.includes('scope');
    if (group?.entries.some(mayBe)) group.webhooks.push(hook);
    else others.push(hook);
  }
  return { groups: [...groups.values()].map((group) => matchGroup(group, replaceUnknown)), others };
}

/** Does not distinguish account and space webhooks: the comparison does that later. */
function keyOf(url: string, scope: WebhookScope | undefined): string {
  return JSON.stringify([urlKey(url), scope?.folderId ?? null]);
}

interface Group {
  readonly entries: HookEntry[];
  readonly webhooks: Hook[];
}

function matchGroup({ entries, webhooks }: Group, replaceUnknown: boolean): MatchedGroup {
  const candidates = entries
    .flatMap((entry) => webhooks.map((hook) => ({ entry, hook, comparison: compareWebhook(entry, hook) })))
    .filter(({ comparison }) => comparison.different.length === 0)
    .filter(
      ({ entry, hook }) =>
        !replaceUnknown || entry.events === undefined || settingsOf(hook).events !== undefined,
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
    if (!chosen.some(({ entry, hook }) => entry === pair.entry || hook === pair.hook)) chosen.push(pair);
  const clear = chosen.filter((candidate) => !isUnsure(candidate));
  const open = candidates.filter(
    (candidate) => !clear.some(({ entry, hook }) => entry === candidate.entry || hook === candidate.hook),
  );
  const pairs = chosen.map(
    (candidate): Pair => ({
      ...candidate,
      isCertain: !open.some((rival) => (rival.entry === candidate.entry) !== (rival.hook === candidate.hook)),
    }),
  );
  const withRest = (matched: readonly Pair[]) => ({
    pairs: matched,
    missing: entries.filter((entry) => !matched.some((pair) => pair.entry === entry)),
    surplus: webhooks.filter((hook) => !matched.some((pair) => pair.hook === hook)),
  });
  const { missing, surplus } = withRest(pairs);
  const unsure = pairs.filter(isUnsure);
  const isAmbiguous =
    pairs.some((pair) => !pair.isCertain && needsStatus(pair)) ||
    candidates.some(
      (candidate) =>
        (missing.includes(candidate.entry) && unsure.some(({ hook }) => hook === candidate.hook)) ||
        (surplus.includes(candidate.hook) && unsure.some(({ entry }) => entry === candidate.entry)),
    );
  if (!isAmbiguous || !replaceUnknown) return { pairs, missing, surplus, isAmbiguous };
  // No record tells the uncertain webhooks apart, so all of them are created again.
  const certain = pairs.filter((pair) => !unsure.includes(pair) || findUnknown(pair.entry).length > 0);
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

function hasItsLabel({ entry, hook }: Candidate): boolean {
  return entry.label !== undefined && entry.label === hook.local?.label;
}

export function needsStatus({ entry, hook }: Pick<Pair, 'entry' | 'hook'>): boolean {
  return entry.status !== undefined && entry.status !== hook.record.status;
}

export function compareWebhook(entry: HookEntry, hook: Hook): Comparison {
  const settings = settingsOf(hook);
  // `recursive` means nothing for the account, even if the webhook's record does not show that it is the account's.
  return compareSettings(entry, isAccount(entry.scope) ? { ...settings, recursive: false } : settings);
}
