// The known settings of a webhook, from the service's record and from what this machine recorded at creation. Nothing is
// guessed: an unknown setting is absent.

import { type Hook, statusOf } from '../records/hook.ts';
import { type FilteredEvent, isAccount, type Member, members, type Scope } from './hooks-file.ts';

export interface WebhookFacts {
  readonly id: string;
  readonly url: string | undefined;
  readonly status: string | undefined;
  readonly label: string | undefined;
  readonly scope: Scope | undefined;
  /** False for the account. */
  readonly recursive: boolean | undefined;
  /** The events without a filter; empty if every event has one. */
  readonly events: 'all' | readonly string[] | undefined;
  readonly parameterisedEvents: readonly FilteredEvent[] | undefined;
  readonly customItemTypes: readonly string[] | undefined;
  readonly isSigned: boolean | undefined;
}

export function findFacts(webhook: Hook): WebhookFacts {
  const { record } = webhook;
  const { label, created } = webhook.local ?? {};
  const scope = scopeOf(record.folderId, created);
  return {
    id: record.id,
    url: record.hookUrl,
    status: statusOf(webhook),
    label,
    scope,
    recursive: isAccount(scope) ? false : (record.recursive ?? (created && (created.recursive ?? false))),
    events: record.events ?? (created && (created.events ?? (created.parameterisedEvents ? [] : 'all'))),
    parameterisedEvents: created && (created.parameterisedEvents ?? []),
    customItemTypes: created && (created.customItemTypes ?? []),
    isSigned: created?.signed,
  };
}

/** The service's record shows only a folder: without one, only the creator's record tells an account from a space. */
function scopeOf(
  folderId: string | undefined,
  created: { readonly spaceId?: string } | undefined,
): Scope | undefined {
  if (folderId !== undefined) return { folderId };
  if (created === undefined) return undefined;
  return created.spaceId === undefined ? {} : { spaceId: created.spaceId };
}

export function findUnknown(facts: WebhookFacts): readonly Member[] {
  const values = { ...facts, secret: facts.isSigned };
  return members.filter((member) => values[member] === undefined);
}
