// What is known about a webhook: from the service's record, and from what this machine recorded when it created it. Nothing
// is guessed: what neither says is absent.

import { type Hook, statusOf } from '../records/hook.ts';
import { type FilteredEvent, type Member, members, type Scope } from './hooks-file.ts';

export interface WebhookFacts {
  readonly id: string;
  readonly url: string | undefined;
  readonly status: string | undefined;
  readonly label: string | undefined;
  readonly scope: Scope | undefined;
  /** False for the account. */
  readonly recursive: boolean | undefined;
  /** Without a filter. None where it has only those with one. */
  readonly events: 'all' | readonly string[] | undefined;
  readonly parameterisedEvents: readonly FilteredEvent[] | undefined;
  readonly customItemTypes: readonly string[] | undefined;
  readonly isSigned: boolean | undefined;
}

export function findFacts(webhook: Hook): WebhookFacts {
  const { record } = webhook;
  const { label, created } = webhook.local ?? {};
  const scope = scopeOf(record.folderId, created);
  const isAccount = scope !== undefined && scope.folderId === undefined && scope.spaceId === undefined;
  return {
    id: record.id,
    url: record.hookUrl,
    status: statusOf(webhook),
    label,
    scope,
    recursive: isAccount ? false : (record.recursive ?? (created && (created.recursive ?? false))),
    events: record.events ?? (created && (created.events ?? (created.parameterisedEvents ? [] : 'all'))),
    parameterisedEvents: created && (created.parameterisedEvents ?? []),
    customItemTypes: created && (created.customItemTypes ?? []),
    isSigned: created?.signed,
  };
}

/** The service names a folder alone: without one, only who created it knows whether it covers a space. */
function scopeOf(
  folderId: string | undefined,
  created: { readonly spaceId?: string } | undefined,
): Scope | undefined {
  if (folderId !== undefined) return { folderId };
  if (created === undefined) return undefined;
  return created.spaceId === undefined ? {} : { spaceId: created.spaceId };
}

/** What is not known about it. */
export function findUnknown(facts: WebhookFacts): readonly Member[] {
  const known = { ...facts, secret: facts.isSigned };
  return members.filter((member) => known[member] === undefined);
}
