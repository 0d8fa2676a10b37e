// Describes what a webhook covers: place, events and filters, from the service's record and from what this machine recorded
// at creation. Where neither has it, the text says so: an empty cell would look like "none".

import type { CreatedAs } from '#cli/local-webhook.ts';
import { eventNames, events, type Subject } from '#contract/event.ts';
import type { Webhook } from '#contract/webhook.ts';

export const notShown = 'not shown by the service';

/** The titles of folders, projects, spaces and custom fields, by id. */
export type FolderTitles = ReadonlyMap<string, string>;

export const noTitles: FolderTitles = new Map();

/** The service's record names a folder alone: without a local record, a webhook of a space looks like one of the account. */
export function scopeOf(webhook: Webhook, titles: FolderTitles = noTitles, created?: CreatedAs): string {
  const below = isRecursive(webhook, created) === true ? ' and below' : '';
  if (webhook.folderId !== undefined) return `folder ${withTitle(webhook.folderId, titles)}${below}`;
  if (created === undefined) return 'account or space';
  return created.spaceId === undefined ? 'account' : `space ${withTitle(created.spaceId, titles)}${below}`;
}

/** `undefined` if unknown. */
export function isRecursive(webhook: Webhook, created: CreatedAs | undefined): boolean | undefined {
  return webhook.recursive ?? (created === undefined ? undefined : (created.recursive ?? false));
}

export function withTitle(id: string, titles: FolderTitles): string {
  const title = titles.get(id);
  return title === undefined ? id : `${title} (${id})`;
}

/** `undefined` if unknown. */
export function eventsOf(
  webhook: Webhook,
  created: CreatedAs | undefined,
): readonly string[] | 'all' | undefined {
  const named = [
    ...(webhook.events ?? created?.events ?? []),
    ...(created?.parameterisedEvents ?? []).map(({ event }) => event),
  ];
  if (named.length > 0) return named;
  return created === undefined ? undefined : 'all';
}

/** For a program: every name. */
export function listEvents(webhook: Webhook, created: CreatedAs | undefined): string {
  const named = eventsOf(webhook, created);
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
export function describeEvents(webhook: Webhook, created: CreatedAs | undefined): string {
  const named = eventsOf(webhook, created);
  if (named === undefined || named === 'all') return listEvents(webhook, created);
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

/** For a program: `TaskCustomFieldChanged:customFields=ID,ID; customItemTypes=ID`. */
export function listFilters(created: CreatedAs | undefined): string {
  if (created === undefined) return notShown;
  return [
    ...(created.parameterisedEvents ?? []).flatMap(({ event, recurrent, customFields, fields }) => {
      const members = [
        ...(recurrent === undefined ? [] : [`recurrent=${recurrent}`]),
        ...(customFields ? [`customFields=${customFields.join(',')}`] : []),
        ...(fields ? [`fields=${fields.join(',')}`] : []),
      ];
      return members.length === 0 ? [] : [`${event}:${members.join(':')}`];
    }),
    ...(created.customItemTypes ? [`customItemTypes=${created.customItemTypes.join(',')}`] : []),
  ].join('; ');
}

/** For a user: `TaskCustomFieldChanged only for Budget (ID), with title in the payload`. */
export function describeFilters(created: CreatedAs | undefined, titles: FolderTitles): string {
  if (created === undefined) return notShown;
  return [
    ...(created.parameterisedEvents ?? []).flatMap(({ event, recurrent, customFields, fields }) => {
      const words = [
        ...(recurrent === undefined ? [] : [`only for ${recurrent ? '' : 'non-'}recurrent tasks`]),
        ...(customFields ? [`only for ${customFields.map((id) => withTitle(id, titles)).join(', ')}`] : []),
        ...(fields ? [`with ${fields.join(', ')} in the payload`] : []),
      ];
      return words.length === 0 ? [] : [`${event} ${words.join(', ')}`];
    }),
    ...(created.customItemTypes
      ? [`only items of type ${created.customItemTypes.map((id) => withTitle(id, titles)).join(', ')}`]
      : []),
  ].join('; ');
}
