// Describes what a webhook covers: place, events and filters, from the service's record and from what this machine recorded
// at creation. Where neither has it, the text says so: an empty cell would look like "none".

import type { CreatedAs } from '#cli/local-webhook.ts';
import { eventNames, events, type Subject } from '#contract/event.ts';
import type { Hook } from './records/hook.ts';

export const notShown = 'not shown by the service';

/** The titles of folders, projects, spaces and custom fields, by id. */
export type FolderTitles = ReadonlyMap<string, string>;

export const noTitles: FolderTitles = new Map();

/** The service's record names a folder alone: without a local record, a webhook of a space looks like one of the account. */
export function scopeOf(hook: Hook, titles: FolderTitles = noTitles): string {
  const { folderId } = hook.record;
  const created = hook.local?.created;
  const below = isRecursive(hook) === true ? ' and below' : '';
  if (folderId !== undefined) return `folder ${withTitle(folderId, titles)}${below}`;
  if (created === undefined) return 'account or space';
  return created.spaceId === undefined ? 'account' : `space ${withTitle(created.spaceId, titles)}${below}`;
}

/** `undefined` if unknown. */
export function isRecursive({ record, local }: Hook): boolean | undefined {
  return record.recursive ?? (local?.created && (local.created.recursive ?? false));
}

function withTitle(id: string, titles: FolderTitles): string {
  const title = titles.get(id);
  return title === undefined ? id : `${title} (${id})`;
}

/** `undefined` if unknown. */
export function eventsOf({ record, local }: Hook): readonly string[] | 'all' | undefined {
  const created = local?.created;
  const named = [
    ...(record.events ?? created?.events ?? []),
    ...(created?.parameterisedEvents ?? []).map(({ event }) => event),
  ];
  if (named.length > 0) return named;
  return created && 'all';
}

export function listEvents(hook: Hook): string {
  const named = eventsOf(hook);
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
export function describeEvents(hook: Hook): string {
  const named = eventsOf(hook);
  if (named === undefined || named === 'all') return listEvents(hook);
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

/**
 * For a user, with titles: `TaskCustomFieldChanged only for Budget (ID), with title in the payload`. For a program, without:
 * `TaskCustomFieldChanged:customFields=ID,ID; customItemTypes=ID`.
 */
export function describeFilters(created: CreatedAs | undefined, titles?: FolderTitles): string {
  if (created === undefined) return notShown;
  const { parameterisedEvents = [], customItemTypes } = created;
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
  const types = customItemTypes && named(customItemTypes);
  if (types !== undefined) filters.push(titles ? `only items of type ${types}` : `customItemTypes=${types}`);
  return filters.join('; ');
}
