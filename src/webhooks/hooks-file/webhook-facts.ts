// The known settings of a webhook, from the service's record and from what this machine recorded at creation. Nothing is
// guessed: an unknown setting is absent.

import { isRecursive } from '../coverage.ts';
import type { Hook } from '../records/hook.ts';
import { isAccount, type Member, members, type Scope } from './hooks-file.ts';

export type WebhookFacts = ReturnType<typeof findFacts>;

export function findFacts(hook: Hook) {
  const { record, local } = hook;
  const { label, created } = local ?? {};
  const scope = scopeOf(record.folderId, created);
  /** The events without a filter; empty if every event has one. */
  const events: 'all' | readonly string[] | undefined =
    record.events ?? (created && (created.events ?? (created.parameterisedEvents ? [] : 'all')));
  return {
    id: record.id,
    url: record.hookUrl,
    status: hook.record.status,
    label,
    scope,
    recursive: isAccount(scope) ? false : isRecursive(hook),
    events,
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
