// The types of a webhook file and its entries. docs/webhook-file.md describes the format for users.

import type { EventName } from '#contract/event.ts';
import type { ParameterisedEvent, WebhookStatus } from '#contract/webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { NewWebhook, WebhookScope } from '../new-webhook/resolve-scope.ts';
import { urlKey } from '../records/hook.ts';

export const formatVersion = 1;

/** What a webhook covers; `{}` is the account. */
export type Scope = WebhookScope;

/** Where its secret comes from. The file never holds the secret. */
export type SecretReference = { readonly variable: string } | { readonly stored: string };

/** The settings that an export may lack, because the service may not show them. */
export const members = [
  'scope',
  'recursive',
  'events',
  'parameterisedEvents',
  'customItemTypes',
  'secret',
] as const;

export type Member = (typeof members)[number];

export type FilteredEvent = Omit<ParameterisedEvent, 'event'> & { readonly event: string };

export interface HookEntry {
  readonly line: number;
  readonly label?: string | undefined;
  readonly url: string;
  readonly scope?: Scope | undefined;
  readonly recursive?: boolean | undefined;
  readonly events?: 'all' | readonly EventName[] | undefined;
  readonly parameterisedEvents?: readonly ParameterisedEvent[] | undefined;
  readonly customItemTypes?: readonly string[] | undefined;
  /** Absent: leave the status as it is. */
  readonly status?: WebhookStatus | undefined;
  readonly secret?: SecretReference | undefined;
  /** Settings that the file does not have: not compared, and needed before the webhook can be created. */
  readonly notShown: readonly Member[];
}

/** Without the secret. */
export function toNewWebhook(entry: HookEntry): NewWebhook {
  const { url, scope, recursive, events, parameterisedEvents, customItemTypes } = entry;
  return {
    ...scope,
    hookUrl: url,
    ...(events === 'all' ? {} : omitUndefined({ events })),
    ...omitUndefined({ recursive, parameterisedEvents, customItemTypes }),
  };
}

/** `the account`, `folder IEAAAAAQI4AB5FLD and below`. */
export function describeScope(scope: Scope | undefined, recursive?: boolean): string {
  if (scope === undefined) return 'the account or a space';
  const below = recursive ? ' and below' : '';
  if (scope.folderId !== undefined) return `folder ${scope.folderId}${below}`;
  return scope.spaceId === undefined ? 'the account' : `space ${scope.spaceId}${below}`;
}

export function scopeKey(scope: Scope | undefined): string {
  return JSON.stringify([scope?.folderId ?? null, scope?.spaceId ?? null]);
}

export function isAccount(scope: Scope | undefined): boolean {
  return scope !== undefined && scope.folderId === undefined && scope.spaceId === undefined;
}

export function listKey(list: 'all' | readonly string[] | undefined): string {
  return list === 'all' ? 'all' : JSON.stringify([...new Set(list)].toSorted());
}

export function filtersKey(entries: readonly FilteredEvent[] | undefined = []): string {
  const keys = entries.map(({ event, recurrent, customFields, fields }) =>
    JSON.stringify([
      event,
      recurrent ?? null,
      customFields && listKey(customFields),
      fields && listKey(fields),
    ]),
  );
  return listKey(keys);
}

/** A key for all settings but the status and the secret. */
export function settingsKey(entry: HookEntry): string {
  const { url, scope, recursive, events, parameterisedEvents, customItemTypes } = entry;
  return JSON.stringify([
    urlKey(url),
    scopeKey(scope),
    recursive ?? false,
    listKey(events),
    filtersKey(parameterisedEvents),
    listKey(customItemTypes),
  ]);
}
