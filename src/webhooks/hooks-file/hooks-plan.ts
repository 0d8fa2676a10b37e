// Plans how to give the service the webhooks of a file: matches entries with webhooks, and makes one item for each. `webhook diff` shows
// the plan, and `webhook apply` carries it out. It needs only the file and the service, since CI has no local records: the file
// is complete for each URL and scope that it names. See docs/decisions/webhook-file.md.

import { urlKey } from '#client/expected-records.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import {
  type Comparison,
  compareSettings,
  describeDifference,
  type SettingKeys,
  settingKeys,
  unknownIn,
  wholeKey,
} from '../compare-settings.ts';
import { isAccount, settingsOf, type WebhookScope, type WebhookSettings } from '../coverage.ts';
import { groupBy, type Hook } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';

export interface PlanItem {
  /** `blocked`: wm needs more information from the user. `other`: not in the file, and left alone. */
  readonly change: 'same' | 'create' | 'replace' | 'suspend' | 'resume' | 'delete' | 'blocked' | 'other';
  readonly entry?: HookEntry;
  readonly hook?: Hook;
  readonly why: readonly string[];
  /** Set if the entry could also mean another webhook, with the same settings. */
  readonly isUncertain?: boolean;
  /** Set if --replace-unknown unblocks it. */
  readonly needsFlag?: boolean;
}

export interface PlanOptions {
  readonly replaceUnknown?: boolean;
  readonly deleteOthers?: boolean;
}

type Entry = HookEntry & { readonly keys: SettingKeys };
interface KnownHook extends Hook {
  readonly settings: WebhookSettings;
  readonly keys: SettingKeys;
  /** For an entry of the account, to which `recursive` means nothing, even if the record does not show that it is the account's. */
  readonly keysOfAccount: SettingKeys;
}

/** The entries and webhooks of one URL and scope. */
interface Group {
  readonly entries: Entry[];
  readonly hooks: KnownHook[];
}

interface Pair {
  readonly entry: Entry;
  readonly hook: KnownHook;
  /** How many settings are unknown. An unknown secret does not distinguish webhooks with one URL. */
  readonly unknown: number;
}

export function planChanges(
  entries: readonly HookEntry[],
  hooks: readonly Hook[],
  { replaceUnknown = false, deleteOthers = false }: PlanOptions,
): readonly PlanItem[] {
  const groups = new Map<string, Group>();
  for (const entry of entries) {
    const key = placeKey(entry.url, entry.scope);
    const group = groups.get(key) ?? { entries: [], hooks: [] };
    group.entries.push({ ...entry, keys: settingKeys(entry) });
    groups.set(key, group);
  }
  const change = deleteOthers ? 'delete' : 'other';
  const others: PlanItem[] = [];
  for (const hook of hooks) {
    const settings = settingsOf(hook);
    const keys = settingKeys(settings);
    const keysOfAccount = settings.scope ? keys : settingKeys({ ...settings, recursive: false });
    const { hookUrl } = hook.record;
    const group = hookUrl === undefined ? undefined : groups.get(placeKey(hookUrl, settings.scope));
    const scope = keys.get('scope');
    const isOther = (entry: Entry) =>
      scope !== undefined && entry.keys.has('scope') && entry.keys.get('scope') !== scope;
    if (group && !group.entries.every(isOther)) group.hooks.push({ ...hook, settings, keys, keysOfAccount });
    else others.push({ change, hook, why: ['its URL and scope are not in the file'] });
  }
  return [...[...groups.values()].flatMap((group) => planGroup(group, replaceUnknown)), ...others];
}

export const isChange = ({ change }: PlanItem): boolean => change !== 'same' && change !== 'other';

/** Does not distinguish account and space webhooks: the comparison does that later. */
function placeKey(url: string, scope: WebhookScope | undefined): string {
  return JSON.stringify([urlKey(url), scope?.folderId ?? null]);
}

function compare(entry: Entry, hook: KnownHook): Comparison {
  return compareSettings(entry.keys, isAccount(entry.scope) ? hook.keysOfAccount : hook.keys);
}

/** The pairs without a known difference: complete comparisons first, then webhooks with the entry's label, then pairs that need no change. */
function findCandidates({ entries, hooks }: Group, replaceUnknown: boolean): readonly Pair[] {
  const byKey = groupBy(hooks, ({ keys }) => wholeKey(keys));
  const incomplete = byKey.get(undefined) ?? [];
  return entries
    .flatMap((entry) => {
      const key = wholeKey(entry.keys);
      // Of two that are known completely, only those with the same key are alike.
      const comparable = key === undefined ? hooks : [...(byKey.get(key) ?? []), ...incomplete];
      return comparable.flatMap((hook): readonly Pair[] => {
        const { different, notCompared } = compare(entry, hook);
        // A webhook with unknown events is surplus, unless the entry's events are unknown too.
        const isSurplus = replaceUnknown && entry.events !== undefined && hook.settings.events === undefined;
        if (different.length > 0 || isSurplus) return [];
        return [{ entry, hook, unknown: notCompared.filter((member) => member !== 'secret').length }];
      });
    })
    .toSorted(
      (a, b) =>
        a.unknown - b.unknown ||
        Number(hasItsLabel(b)) - Number(hasItsLabel(a)) ||
        Number(needsStatus(a)) - Number(needsStatus(b)),
    );
}

/** A label is the user's own choice, so it decides between webhooks that look the same at the service. */
const isUnsure = (pair: Pair): boolean => pair.unknown > 0 && !hasItsLabel(pair);

const hasItsLabel = ({ entry, hook }: Pair) => entry.label !== undefined && entry.label === hook.local?.label;

function needsStatus({ entry, hook }: Pair): boolean {
  return entry.status !== undefined && entry.status !== hook.record.status;
}

const bothOf = ({ entry, hook }: Pair) => [entry, hook];

function planGroup(group: Group, replaceUnknown: boolean): readonly PlanItem[] {
  const candidates = findCandidates(group, replaceUnknown);
  const taken = new Set<Entry | KnownHook>();
  const pairs = candidates.filter((pair) => {
    if (bothOf(pair).some((side) => taken.has(side))) return false;
    for (const side of bothOf(pair)) taken.add(side);
    return true;
  });
  const clear = new Set(pairs.filter((pair) => !isUnsure(pair)).flatMap(bothOf));
  const open = candidates.filter((pair) => !bothOf(pair).some((side) => clear.has(side)));
  const openPairs = groupBy(open.flatMap(bothOf), (side) => side);
  /** False if the entry could mean another webhook, or the webhook belong to another entry. */
  const isCertain = (pair: Pair) => bothOf(pair).every((side) => (openPairs.get(side)?.length ?? 0) < 2);
  // The pairs and the rest could be combined differently, and no record tells which is right.
  const isAmbiguous =
    open.some((pair) => !bothOf(pair).every((side) => taken.has(side))) ||
    pairs.some((pair) => needsStatus(pair) && !isCertain(pair));
  // No record tells the uncertain webhooks apart, so all of them are created again.
  const kept =
    isAmbiguous && replaceUnknown
      ? pairs.filter((pair) => !isUnsure(pair) || unknownIn(pair.entry.keys).length > 0)
      : pairs;
  const ofPairs = new Set(kept.flatMap(bothOf));
  const missing = group.entries.filter((entry) => !ofPairs.has(entry));
  const surplus = group.hooks.filter((hook) => !ofPairs.has(hook));
  const paired = kept.map((pair) => planPair(pair, isCertain(pair)));
  if (!isAmbiguous || replaceUnknown) return [...paired, ...planRest(missing, surplus, replaceUnknown)];
  const count = `${group.entries.length} in the file, ${group.hooks.length} at the service`;
  const why = `cannot match the entries and webhooks of this URL and scope: ${count}`;
  return [...paired, ...block(missing, surplus, why)];
}

function block(entries: readonly Entry[], hooks: readonly Hook[], why: string, needsFlag = true) {
  const item = { change: 'blocked', why: [why], needsFlag } as const;
  return [
    ...entries.map((entry): PlanItem => ({ ...item, entry })),
    ...hooks.map((hook) => ({ ...item, hook })),
  ];
}

function planPair(pair: Pair, isCertain: boolean): PlanItem {
  const { entry, hook } = pair;
  const members = compare(entry, hook).notCompared;
  const notCompared = members.length === 0 ? [] : [`not compared: ${members.join(', ')}`];
  const { status } = entry;
  if (status === undefined || !needsStatus(pair))
    return { change: 'same', entry, hook, why: notCompared, isUncertain: !isCertain };
  if (!isCertain) {
    const why = [`cannot tell which webhook of this URL and scope should be ${status}`];
    return { change: 'blocked', entry, hook, why, needsFlag: true };
  }
  const statuses = `status: ${status} in the file, ${hook.record.status ?? 'none'} at the service`;
  const change = status === 'Suspended' ? 'suspend' : 'resume';
  return { change, entry, hook, why: [statuses, ...notCompared] };
}

/** Of the entries without a webhook, and the webhooks without an entry. */
function planRest(missing: readonly Entry[], surplus: readonly KnownHook[], replaceUnknown: boolean) {
  const isComplete = ({ keys }: Entry) => unknownIn(keys).length === 0;
  const isKnown = ({ settings: { events, scope } }: KnownHook) =>
    replaceUnknown || (events !== undefined && scope !== undefined);
  const creatable = missing.filter(isComplete);
  const incomplete = missing.filter((entry) => !isComplete(entry));
  const replaceable = surplus.filter(isKnown);
  const unknown = surplus.filter((hook) => !isKnown(hook));
  const needsFlag = unknown.length > 0;
  // A replacement waits for a webhook that may not be replaced yet: otherwise both would deliver.
  if (!needsFlag && incomplete.length === 0) return planReplacements(creatable, replaceable);
  return [
    ...incomplete.flatMap((entry) => {
      const lacking = joinWithAnd(unknownIn(entry.keys));
      const why = `it cannot be created: the file lacks its ${lacking}. Add what is missing, and delete notShown`;
      return block([entry], [], why, false);
    }),
    ...unknown.flatMap((hook) => {
      const unknownPart = hook.settings.events === undefined ? 'events are' : 'scope is';
      const why = `its ${unknownPart} unknown, and the file has another webhook for its URL and scope`;
      return block([], [hook], why);
    }),
    ...block(creatable, [], 'wm does not create it while it is unclear what it replaces', needsFlag),
    ...block([], replaceable, 'wm does not replace it while it is unclear what replaces it', needsFlag),
  ];
}

/** Pairs each surplus webhook with the missing entry that differs from it least. */
function planReplacements(missing: readonly Entry[], surplus: readonly KnownHook[]): readonly PlanItem[] {
  const remaining = new Set(surplus);
  const created = missing.map((entry): PlanItem => {
    let nearest: (Comparison & Pick<Pair, 'hook'>) | undefined;
    for (const hook of remaining) {
      const comparison = compare(entry, hook);
      if (comparison.different.length < (nearest?.different.length ?? Number.POSITIVE_INFINITY))
        nearest = { ...comparison, hook };
    }
    if (nearest === undefined) return { change: 'create', entry, why: ['the service has no such webhook'] };
    const { hook, different, notCompared } = nearest;
    remaining.delete(hook);
    return {
      change: 'replace',
      entry,
      hook,
      why: [
        ...different.map((member) => describeDifference(member, entry, hook.settings)),
        ...(different.length > 0 ? [] : [`${joinWithAnd(notCompared)} cannot be compared`]),
        ...(hook.record.status === 'Suspended' && entry.status !== 'Suspended'
          ? ['the old one is Suspended, the new one is Active']
          : []),
      ],
    };
  });
  const why = ['the file has another webhook, or fewer, for its URL and scope'];
  return [...created, ...[...remaining].map((hook): PlanItem => ({ change: 'delete', hook, why }))];
}
