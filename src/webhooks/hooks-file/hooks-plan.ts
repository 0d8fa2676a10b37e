// Plans how to give the service the webhooks of a file: matches entries with webhooks, and makes one item for each. `webhook diff` shows
// the plan, and `webhook apply` carries it out. It needs only the file and the service, since CI has no local records: the file
// is complete for each URL and scope that it names. See docs/decisions/webhook-file.md.

import { urlKey } from '#client/expected-records.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { type Comparison, compareSettings, describeDifference, findUnknown } from '../compare-settings.ts';
import { isAccount, settingsOf, type WebhookScope } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';

/** `blocked`: wm needs more information from the user. `other`: not in the file, and left alone. */
export type PlanItem = Item & {
  readonly why: readonly string[];
  readonly entry?: HookEntry;
  readonly hook?: Hook;
};

type Item =
  // `isCertain`: false if the entry could also mean another webhook, with the same settings.
  | (EntryWithHook & { readonly change: 'same'; readonly isCertain: boolean })
  | (EntryWithHook & { readonly change: 'replace' | 'suspend' | 'resume' })
  | { readonly change: 'create'; readonly entry: HookEntry }
  | { readonly change: 'delete' | 'other'; readonly hook: Hook }
  | { readonly change: 'blocked'; readonly needsFlag: boolean };

interface EntryWithHook {
  readonly entry: HookEntry;
  readonly hook: Hook;
}

export interface PlanOptions {
  readonly replaceUnknown?: boolean;
  readonly deleteOthers?: boolean;
}

export function planChanges(
  entries: readonly HookEntry[],
  webhooks: readonly Hook[],
  { replaceUnknown = false, deleteOthers = false }: PlanOptions,
): readonly PlanItem[] {
  const { groups, others } = groupByPlace(entries, webhooks);
  return [
    ...groups.flatMap((group) => planGroup(matchGroup(group, replaceUnknown), replaceUnknown)),
    ...others.map(
      (hook): PlanItem => ({
        change: deleteOthers ? 'delete' : 'other',
        hook,
        why: ['its URL and scope are not in the file'],
      }),
    ),
  ];
}

export function isChange({ change }: PlanItem): boolean {
  return change !== 'same' && change !== 'other';
}

interface Pair extends EntryWithHook {
  readonly comparison: Comparison;
  /** False if the entry could mean another webhook, or the webhook belong to another entry. */
  readonly isCertain: boolean;
}

type Candidate = Omit<Pair, 'isCertain'>;

type MatchedGroup = ReturnType<typeof matchGroup>;

interface Group {
  readonly entries: HookEntry[];
  readonly webhooks: Hook[];
}

/** `others`: the webhooks whose URL and scope are in no entry. */
function groupByPlace(entries: readonly HookEntry[], webhooks: readonly Hook[]) {
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
  return { groups: [...groups.values()], others };
}

/** Does not distinguish account and space webhooks: the comparison does that later. */
function keyOf(url: string, scope: WebhookScope | undefined): string {
  return JSON.stringify([urlKey(url), scope?.folderId ?? null]);
}

/**
 * `pairs`: entries and webhooks without a known difference. `isAmbiguous`: the pairs and surplus webhooks could be combined differently,
 * and no record tells which is right. `replaceUnknown`: a webhook with unknown events is surplus, unless the entry's events are
 * unknown too.
 */
function matchGroup({ entries, webhooks }: Group, replaceUnknown: boolean) {
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

function needsStatus({ entry, hook }: EntryWithHook): boolean {
  return entry.status !== undefined && entry.status !== hook.record.status;
}

function compareWebhook(entry: HookEntry, hook: Hook): Comparison {
  const settings = settingsOf(hook);
  // `recursive` means nothing for the account, even if the webhook's record does not show that it is the account's.
  return compareSettings(entry, isAccount(entry.scope) ? { ...settings, recursive: false } : settings);
}

function planGroup(group: MatchedGroup, replaceUnknown: boolean): readonly PlanItem[] {
  const { missing, surplus, isAmbiguous, pairs } = group;
  const paired = pairs.map(planPair);
  if (isAmbiguous) return [...paired, ...blockAmbiguous(group)];
  const creatable = missing.filter((entry) => findUnknown(entry).length === 0);
  const incomplete = missing.filter((entry) => findUnknown(entry).length > 0);
  const isKnown = (hook: Hook) => {
    const { events, scope } = settingsOf(hook);
    return replaceUnknown || (events !== undefined && scope !== undefined);
  };
  const unknown = surplus.filter((hook) => !isKnown(hook));
  const replaceable = surplus.filter(isKnown);
  const needsFlag = unknown.length > 0;
  // A replacement waits for a webhook that may not be replaced yet: otherwise both would deliver.
  if (!needsFlag && incomplete.length === 0) return [...paired, ...planReplacements(creatable, replaceable)];
  return [
    ...paired,
    ...incomplete.map((entry) => {
      const lacking = joinWithAnd(findUnknown(entry));
      return block(
        { entry },
        `it cannot be created: the file lacks its ${lacking}. Add what is missing, and delete notShown`,
        false,
      );
    }),
    ...unknown.map((hook) => {
      const unknownPart = settingsOf(hook).events === undefined ? 'events are' : 'scope is';
      return block(
        { hook },
        `its ${unknownPart} unknown, and the file has another webhook for its URL and scope`,
      );
    }),
    ...creatable.map((entry) =>
      block({ entry }, 'wm does not create it while it is unclear what it replaces', needsFlag),
    ),
    ...replaceable.map((hook) =>
      block({ hook }, 'wm does not replace it while it is unclear what replaces it', needsFlag),
    ),
  ];
}

function block(parts: Partial<EntryWithHook>, why: string, needsFlag = true): PlanItem {
  return { change: 'blocked', ...parts, why: [why], needsFlag };
}

/** Pairs each surplus webhook with the missing entry that differs from it least. */
function planReplacements(missing: readonly HookEntry[], surplus: readonly Hook[]): readonly PlanItem[] {
  const remaining = [...surplus];
  const created = missing.map((entry): PlanItem => {
    const [nearest] = remaining
      .map((hook) => ({ hook, ...compareWebhook(entry, hook) }))
      .toSorted((a, b) => a.different.length - b.different.length);
    if (nearest === undefined) return { change: 'create', entry, why: ['the service has no such webhook'] };
    remaining.splice(remaining.indexOf(nearest.hook), 1);
    const { hook, different, notCompared } = nearest;
    return {
      change: 'replace',
      entry,
      hook,
      why: [
        ...different.map((member) => describeDifference(member, entry, settingsOf(hook))),
        ...(different.length > 0 ? [] : [`${joinWithAnd(notCompared)} cannot be compared`]),
        ...(hook.record.status === 'Suspended' && entry.status !== 'Suspended'
          ? ['the old one is Suspended, the new one is Active']
          : []),
      ],
    };
  });
  return [
    ...created,
    ...remaining.map(
      (hook): PlanItem => ({
        change: 'delete',
        hook,
        why: ['the file has another webhook, or fewer, for its URL and scope'],
      }),
    ),
  ];
}

function planPair({ entry, hook, comparison, isCertain }: Pair): PlanItem {
  const members = comparison.notCompared;
  const notCompared = members.length === 0 ? [] : [`not compared: ${members.join(', ')}`];
  const { status } = entry;
  if (status === undefined || !needsStatus({ entry, hook }))
    return { change: 'same', entry, hook, why: notCompared, isCertain };
  if (!isCertain)
    return block({ entry, hook }, `cannot tell which webhook of this URL and scope should be ${status}`);
  const why = [
    `status: ${status} in the file, ${hook.record.status ?? 'none'} at the service`,
    ...notCompared,
  ];
  return { change: status === 'Suspended' ? 'suspend' : 'resume', entry, hook, why };
}

function blockAmbiguous({ missing, surplus, pairs }: MatchedGroup): readonly PlanItem[] {
  const count = `${missing.length + pairs.length} in the file, ${surplus.length + pairs.length} at the service`;
  const why = `cannot match the entries and webhooks of this URL and scope: ${count}`;
  return [...missing.map((entry) => block({ entry }, why)), ...surplus.map((hook) => block({ hook }, why))];
}
