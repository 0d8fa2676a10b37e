// Compares an entry of a file with a webhook. A setting that either side does not have is not compared, but listed as unknown.

import {
  describeScope,
  type FilteredEvent,
  filtersKey,
  type HookEntry,
  isAccount,
  listKey,
  type Member,
  scopeKey,
} from './hooks-file.ts';
import type { WebhookFacts } from './webhook-facts.ts';

export interface Comparison {
  /** One line for each setting: `events: TaskCreated in the file, TaskDeleted at the service`. */
  readonly differences: readonly string[];
  readonly notCompared: readonly Member[];
}

export function compareWebhook(entry: HookEntry, facts: WebhookFacts): Comparison {
  const differences: string[] = [];
  const notCompared: Member[] = [];
  /** `keyOf` gives equal values the same key. */
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
