// The settings of a webhook: which place, events and filters it covers, in one shape for a webhook at the service, one in a file and
// one that a rotation creates. Describes them in words; where one is unknown, the text says so: an empty cell would look like "none".

import { eventNames, events, type Subject } from '#contract/event.ts';
import type { Webhook } from '#contract/webhook.ts';
import type { CreatedAs } from '#local-records/local-webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';

/** What a webhook covers: one folder or project, one space, or, as `{}`, the whole account. */
export interface WebhookScope {
  readonly folderId?: string;
  readonly spaceId?: string;
}

/** An absent setting is unknown. */
export interface WebhookSettings {
  readonly scope?: WebhookScope | undefined;
  readonly recursive?: boolean | undefined;
  /** The events without a filter; empty if every event has one. */
  readonly events?: 'all' | readonly string[] | undefined;
  readonly parameterisedEvents?: NonNullable<CreatedAs['parameterisedEvents']> | undefined;
  readonly customItemTypes?: readonly string[] | undefined;
  readonly signed?: boolean | undefined;
}

interface Described {
  readonly record: Partial<Webhook>;
  readonly local?: { readonly created?: CreatedAs } | undefined;
}

/** From the service's record and from what this machine recorded at creation. Nothing is guessed. */
export function settingsOf({ record, local: { created } = {} }: Described): WebhookSettings {
  // The service's record names a folder alone: without a local record, a webhook of a space looks like one of the account.
  const { folderId = created?.folderId } = record;
  const scope =
    folderId === undefined ? created && omitUndefined({ spaceId: created.spaceId }) : { folderId };
  return {
    scope,
    recursive: isAccount(scope) ? false : (record.recursive ?? (created && (created.recursive ?? false))),
    events: record.events ?? (created && (created.events ?? (created.parameterisedEvents ? [] : 'all'))),
    parameterisedEvents: created && (created.parameterisedEvents ?? []),
    customItemTypes: created && (created.customItemTypes ?? []),
    signed: created?.signed,
  };
}

export function isAccount(scope: WebhookScope | undefined): boolean {
  return scope !== undefined && scope.folderId === undefined && scope.spaceId === undefined;
}

export const notShown = 'not shown by the service';

/** The titles of folders, projects, spaces and custom fields, by id. */
export type FolderTitles = ReadonlyMap<string, string>;

export const noTitles: FolderTitles = new Map();

/** `the account`, `folder IEAAAAAQI4AB5FLD and below`. */
export function describeScope(
  { scope, recursive = false }: WebhookSettings,
  nameOf = (kind: 'folder' | 'space', id: string) => `${kind} ${id}`,
): string {
  if (scope === undefined) return 'the account or a space';
  const { folderId, spaceId } = scope;
  const below = recursive ? ' and below' : '';
  if (folderId !== undefined) return `${nameOf('folder', folderId)}${below}`;
  return spaceId === undefined ? 'the account' : `${nameOf('space', spaceId)}${below}`;
}

/** For a cell: `account`, `folder Launch (IEAAAAAQI4AB5FLD) and below`. */
export function scopeOf(settings: WebhookSettings, titles: FolderTitles = noTitles): string {
  if (settings.scope === undefined) return 'account or space';
  if (isAccount(settings.scope)) return 'account';
  return describeScope(settings, (kind, id) => `${kind} ${withTitle(id, titles)}`);
}

function withTitle(id: string, titles: FolderTitles): string {
  const title = titles.get(id);
  return title === undefined ? id : `${title} (${id})`;
}

/** With and without a filter; `undefined` if unknown. */
export function eventsOf({ events, parameterisedEvents }: WebhookSettings) {
  if (events === 'all') return 'all';
  const named = [...(events ?? []), ...(parameterisedEvents ?? []).map(({ event }) => event)];
  return named.length > 0 ? named : parameterisedEvents && 'all';
}

export function listEvents(settings: WebhookSettings): string {
  const named = eventsOf(settings);
  if (named === undefined) return notShown;
  return named === 'all' ? 'all events' : named.join(', ');
}

const groups: readonly (readonly [Subject, string])[] = [
  ['task', 'all task events'],
  ['folder', 'all folder events'],
  ['project', 'all project events'],
  ['workItem', 'all work item events'],
];

/** For a user: `all task events, FolderCreated`. */
export function describeEvents(settings: WebhookSettings): string {
  const named = eventsOf(settings);
  if (named === undefined || named === 'all') return listEvents(settings);
  const words: string[] = [];
  let rest = named;
  for (const [subject, phrase] of groups) {
    const ofGroup: readonly string[] = eventNames.filter((name) => events[name].subject === subject);
    if (!ofGroup.every((name) => rest.includes(name))) continue;
    words.push(phrase);
    rest = rest.filter((name) => !ofGroup.includes(name));
  }
  return [...words, ...rest].join(', ');
}

/** With titles, for a user: `TaskCustomFieldChanged only for Budget (ID)`. Without: `TaskCustomFieldChanged:customFields=ID,ID`. */
export function describeFilters(settings: WebhookSettings, titles?: FolderTitles): string {
  const { parameterisedEvents, customItemTypes = [] } = settings;
  if (parameterisedEvents === undefined) return notShown;
  const named = (ids: readonly string[]) =>
    titles ? ids.map((id) => withTitle(id, titles)).join(', ') : ids.join(',');
  const filters = parameterisedEvents.flatMap(({ event, recurrent, customFields, fields }) => {
    const parts = titles
      ? [
          recurrent !== undefined && `only for ${recurrent ? '' : 'non-'}recurrent tasks`,
          customFields && `only for ${named(customFields)}`,
          fields && `with ${fields.join(', ')} in the payload`,
        ]
      : [
          recurrent !== undefined && `recurrent=${recurrent}`,
          customFields && `customFields=${named(customFields)}`,
          fields && `fields=${fields.join(',')}`,
        ];
    const present = parts.filter(Boolean);
    if (present.length === 0) return [];
    return titles ? `${event} ${present.join(', ')}` : `${event}:${present.join(':')}`;
  });
  if (customItemTypes.length > 0) {
    const types = named(customItemTypes);
    filters.push(titles ? `only items of type ${types}` : `customItemTypes=${types}`);
  }
  return filters.join('; ');
}
