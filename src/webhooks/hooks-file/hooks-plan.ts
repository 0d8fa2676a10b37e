// Plans how to give the service the webhooks of a file: one item for each entry and each webhook. `webhook diff` shows the
// plan, and `webhook apply` carries it out.

import { joinWithAnd } from '#contract/format-list.ts';
import { compareWebhook } from './compare-webhook.ts';
import type { HookEntry, Member } from './hooks-file.ts';
import { type MatchedGroup, matchEntries, needsStatus, type Pair } from './match-entries.ts';
import type { WebhookFacts } from './webhook-facts.ts';

/** `blocked`: wm needs more information from the user. `other`: not in the file, and left alone. */
export type PlanItem =
  | {
      readonly change: 'same';
      readonly entry: HookEntry;
      readonly facts: WebhookFacts;
      readonly why: readonly string[];
      /** False if the entry could also mean another webhook, with the same settings. */
      readonly isCertain: boolean;
    }
  | { readonly change: 'create'; readonly entry: HookEntry; readonly why: readonly string[] }
  | {
      readonly change: 'replace';
      readonly entry: HookEntry;
      readonly facts: WebhookFacts;
      readonly why: readonly string[];
    }
  | {
      readonly change: 'suspend' | 'resume';
      readonly entry: HookEntry;
      readonly facts: WebhookFacts;
      readonly why: readonly string[];
    }
  | { readonly change: 'delete' | 'other'; readonly facts: WebhookFacts; readonly why: readonly string[] }
  | {
      readonly change: 'blocked';
      readonly entry?: HookEntry;
      readonly facts?: WebhookFacts;
      readonly why: readonly string[];
      readonly needsFlag: boolean;
    };

export interface PlanOptions {
  readonly replaceUnknown: boolean;
  readonly deleteOthers: boolean;
}

export function planChanges(
  entries: readonly HookEntry[],
  all: readonly WebhookFacts[],
  options: PlanOptions,
): readonly PlanItem[] {
  const { groups, others } = matchEntries(entries, all, options);
  return [
    ...groups.flatMap((group) => planGroup(group, options)),
    ...others.map(
      (facts): PlanItem => ({
        change: options.deleteOthers ? 'delete' : 'other',
        facts,
        why: ['its URL and scope are not in the file'],
      }),
    ),
  ];
}

/** True if the item changes something. */
export function isChange({ change }: PlanItem): boolean {
  return change !== 'same' && change !== 'other';
}

function planGroup(group: MatchedGroup, { replaceUnknown }: PlanOptions): readonly PlanItem[] {
  const { missing, surplus, isAmbiguous, pairs } = group;
  const kept = pairs.map(planPair);
  if (isAmbiguous) return [...kept, ...blockAmbiguous(group)];
  const creatable = missing.filter(({ notShown }) => notShown.length === 0);
  const incomplete = missing.filter(({ notShown }) => notShown.length > 0);
  const isKnown = (facts: WebhookFacts) =>
    replaceUnknown || (facts.events !== undefined && facts.scope !== undefined);
  const unknown = surplus.filter((facts) => !isKnown(facts));
  const left = surplus.filter(isKnown);
  // A replacement waits for a webhook that may not be replaced yet: otherwise both would deliver.
  const waits = unknown.length > 0 || incomplete.length > 0;
  const blocked = [...incomplete.map(blockIncomplete), ...unknown.map(blockUnknown)];
  if (waits)
    return [
      ...kept,
      ...blocked,
      ...creatable.map(
        (entry): PlanItem => ({
          change: 'blocked',
          entry,
          why: ['it is not created while it is not clear what it replaces'],
          needsFlag: unknown.length > 0,
        }),
      ),
      ...left.map(
        (facts): PlanItem => ({
          change: 'blocked',
          facts,
          why: ['it is not replaced while it is not clear by what'],
          needsFlag: unknown.length > 0,
        }),
      ),
    ];
  return [...kept, ...planReplacements(creatable, left)];
}

/** Pairs each surplus webhook with the missing entry that differs from it least. */
function planReplacements(
  missing: readonly HookEntry[],
  surplus: readonly WebhookFacts[],
): readonly PlanItem[] {
  const left = [...surplus];
  const created = missing.map((entry): PlanItem => {
    const [nearest] = left
      .map((facts) => ({ facts, ...compareWebhook(entry, facts) }))
      .toSorted((one, other) => one.differences.length - other.differences.length);
    if (nearest === undefined) return { change: 'create', entry, why: ['the service has no such webhook'] };
    left.splice(left.indexOf(nearest.facts), 1);
    const { facts, differences, notCompared } = nearest;
    return {
      change: 'replace',
      entry,
      facts,
      why: [
        ...(differences.length > 0 ? differences : [`${joinWithAnd(notCompared)} cannot be compared`]),
        ...describeStatus(entry, facts),
      ],
    };
  });
  return [
    ...created,
    ...left.map(
      (facts): PlanItem => ({
        change: 'delete',
        facts,
        why: ['the file has another webhook, or fewer, for its URL and scope'],
      }),
    ),
  ];
}

function describeStatus({ status }: HookEntry, facts: WebhookFacts): readonly string[] {
  return facts.status === 'Suspended' && status !== 'Suspended'
    ? ['the old one is Suspended, the new one is Active']
    : [];
}

function planPair({ entry, facts, comparison, isCertain }: Pair): PlanItem {
  const notCompared = describeNotCompared(comparison.notCompared);
  const { status } = entry;
  if (status === undefined || !needsStatus({ entry, facts }))
    return { change: 'same', entry, facts, why: notCompared, isCertain };
  if (!isCertain)
    return {
      change: 'blocked',
      entry,
      facts,
      why: [`cannot tell which webhook of this URL and scope should be ${status}`],
      needsFlag: true,
    };
  const why = [`status: ${status} in the file, ${facts.status ?? 'none'} at the service`, ...notCompared];
  return { change: status === 'Suspended' ? 'suspend' : 'resume', entry, facts, why };
}

function describeNotCompared(members: readonly Member[]): readonly string[] {
  return members.length === 0 ? [] : [`not compared: ${members.join(', ')}`];
}

function blockAmbiguous({ missing, surplus, pairs }: MatchedGroup): readonly PlanItem[] {
  const count = `${missing.length + pairs.length} in the file, ${surplus.length + pairs.length} at the service`;
  const why = [`cannot match the entries and webhooks of this URL and scope: ${count}`];
  return [
    ...missing.map((entry): PlanItem => ({ change: 'blocked', entry, why, needsFlag: true })),
    ...surplus.map((facts): PlanItem => ({ change: 'blocked', facts, why, needsFlag: true })),
  ];
}

function blockIncomplete(entry: HookEntry): PlanItem {
  const what = joinWithAnd(entry.notShown);
  const why = [`it cannot be created: the file lacks its ${what}. Add what is missing, and delete notShown`];
  return { change: 'blocked', entry, why, needsFlag: false };
}

function blockUnknown(facts: WebhookFacts): PlanItem {
  const what = facts.events === undefined ? 'events are' : 'scope is';
  return {
    change: 'blocked',
    facts,
    why: [`its ${what} unknown, and the file has another webhook for its URL and scope`],
    needsFlag: true,
  };
}
