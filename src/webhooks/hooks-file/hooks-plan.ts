// Plans how to give the service the webhooks of a file: one item for each entry and each webhook. `webhook diff` shows the
// plan, and `webhook apply` carries it out.

import { joinWithAnd } from '#contract/format-list.ts';
import { describeDifference, findUnknown } from '../compare-settings.ts';
import { settingsOf } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';
import type { HookEntry } from './hooks-file.ts';
import { compareWebhook, type MatchedGroup, matchEntries, needsStatus, type Pair } from './match-entries.ts';

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
  const { groups, others } = matchEntries(entries, webhooks, replaceUnknown);
  return [
    ...groups.flatMap((group) => planGroup(group, replaceUnknown)),
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
