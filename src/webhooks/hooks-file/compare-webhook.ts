// Compares an entry of a file with a webhook. A setting that either side does not have is not compared, but listed as unknown.

import {
  describeScope,
  type FilteredEvent,
  filtersKey,
  type HookEntry,
  isSameScope,
  listKey,
  type Member,
} from './hooks-file.ts';
import type { WebhookFacts } from './webhook-facts.ts';

export interface Comparison {
  /** One line for each setting: `events: TaskCreated in the file, TaskDeleted at the service`. */
  readonly differences: readonly string[];
  readonly notCompared: readonly Member[];
}

interface Row<T> {
  readonly member: Member;
  readonly wanted: T | undefined;
  readonly actual: T | undefined;
  readonly isSame: (one: T, other: T) => boolean;
  readonly format: (value: T) => string;
}

export function compareWebhook(entry: HookEntry, facts: WebhookFacts): Comparison {
  const isKnown = (member: Member) => !entry.notShown.includes(member);
  const differences: string[] = [];
  const notCompared: Member[] = [];
  const add = <T>({ member, wanted, actual, isSame, format }: Row<T>) => {
    if (!isKnown(member) || wanted === undefined || actual === undefined) notCompared.push(member);
    else if (!isSame(wanted, actual))
      differences.push(`${member}: ${format(wanted)} in the file, ${format(actual)} at the service`);
  };
  add({
    member: 'scope',
    wanted: entry.scope,
    actual: facts.scope,
    isSame: isSameScope,
    format: (scope) => describeScope(scope),
  });
  add({
    member: 'recursive',
    wanted: entry.recursive ?? false,
    // `recursive` means nothing for the account, even if the webhook's record does not show that it is the account's.
    actual: isAccount(entry) ? false : facts.recursive,
    isSame: Object.is,
    format: String,
  });
  add<'all' | readonly string[]>({
    member: 'events',
    wanted: entry.events ?? [],
    actual: facts.events,
    isSame: (one, other) => listKey(one) === listKey(other),
    format: formatList,
  });
  add<readonly FilteredEvent[]>({
    member: 'parameterisedEvents',
    wanted: entry.parameterisedEvents ?? [],
    actual: facts.parameterisedEvents,
    isSame: (one, other) => filtersKey(one) === filtersKey(other),
    format: (entries) => (entries.length === 0 ? 'none' : JSON.stringify(entries)),
  });
  add<readonly string[]>({
    member: 'customItemTypes',
    wanted: entry.customItemTypes ?? [],
    actual: facts.customItemTypes,
    isSame: (one, other) => listKey(one) === listKey(other),
    format: formatList,
  });
  add({
    member: 'secret',
    wanted: entry.secret !== undefined,
    actual: facts.isSigned,
    isSame: Object.is,
    format: (isSigned) => (isSigned ? 'signed' : 'not signed'),
  });
  return { differences, notCompared };
}

function isAccount({ scope }: HookEntry): boolean {
  return scope !== undefined && scope.folderId === undefined && scope.spaceId === undefined;
}

function formatList(list: 'all' | readonly string[]): string {
  if (list === 'all') return 'all';
  return list.length === 0 ? 'none' : list.join(', ');
}
