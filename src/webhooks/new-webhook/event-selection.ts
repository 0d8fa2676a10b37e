// Selects the events of a new webhook. --filter and --payload-fields move events to `parameterisedEvents`: the service rejects one in both.

import type { Context } from '#cli/context.ts';
import {
  eventGroups,
  eventsFlag,
  eventsOfGroup,
  joinEvents,
  type SelectedEvents,
} from '#cli/event-groups.ts';
import { parseEventName } from '#cli/event-name.ts';
import { entriesFlag, type Flag, listFlag, type ParsedFlags, valueFlag } from '#cli/flags/flag.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { ambiguousName, createListCommand, findByName, nameNotFound } from '#cli/resolve/match-name.ts';
import { accountOperations } from '#contract/account-operations.ts';
import {
  type EventName,
  eventNames,
  events as eventRows,
  payloadFields as fieldsOf,
} from '#contract/event.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { invalidValue } from '#contract/schema.ts';
import { type ParameterisedEvent, webhookCreateParameters } from '#contract/webhook-create.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Entry } from '#terminal/picker/entry.ts';

/** Custom fields may still be titles. */
export const filterFlag: Flag<readonly ParameterisedEvent[]> = {
  help: 'Deliver an event with a filter: TaskCreated:recurrent=true, or customFields= with ids or titles',
  placeholder: 'EVENT:KEY=VALUES',
  repeats: true,
  parse: (texts) => texts.map(parseFilter),
};

function parseFilter(text: string): ParameterisedEvent {
  const [, name, key, values = ''] = /^([^:=]+):([^=]+)=(.+)$/s.exec(text) ?? [];
  if (name === undefined || key === undefined)
    throw invalidValue(text, 'is not of the form EVENT:KEY=VALUES');
  const event = parseEventName(name.trim(), '--filter: ');
  const { filter } = eventRows[event];
  if (filter === undefined || filter.toLowerCase() !== key.trim().toLowerCase())
    throw invalidValue(key, `is not a filter of ${event}, which takes ${filter ?? 'none'}`);
  if (filter === 'customFields')
    return { event, customFields: values.split(',').map((value) => value.trim()) };
  if (values !== 'true' && values !== 'false') throw invalidValue(values, 'is neither true nor false');
  return { event, recurrent: values === 'true' };
}

const allFields: readonly string[] = [...new Set(Object.values(fieldsOf).flat())];

export const payloadFieldsFlag = entriesFlag(
  (input) => {
    const lowerCased = String(input).toLowerCase();
    const match = allFields.find((field) => field.toLowerCase() === lowerCased);
    if (match !== undefined) return match;
    throw invalidValue(input, `is not one of ${allFields.join(', ')}`);
  },
  'FIELD',
  'Add these fields to the payload of the events that can carry them; with --events or --filter',
);

const { customItemTypes, parameterisedEvents } = webhookCreateParameters;

export const eventFlags = {
  events: eventsFlag,
  filter: filterFlag,
  payloadFields: payloadFieldsFlag,
  parameterisedEvents: {
    ...valueFlag(parameterisedEvents.schema, 'JSON', parameterisedEvents.meaning),
    acceptsFile: true,
  } as const,
  customItemTypes: listFlag(customItemTypes.schema, 'ID', customItemTypes.meaning),
};

type EventChoice = Omit<ParsedFlags<typeof eventFlags>, 'customItemTypes'> & {
  readonly ifNotExists?: boolean;
};

/** Without a flag, a user on a terminal picks the events; a script's webhook delivers all of them. */
export async function selectEvents(context: Context, choice: EventChoice) {
  const { filter = [], payloadFields = [], parameterisedEvents = [] } = choice;
  const selected = choice.events ?? (isPicked(context, choice) ? await pickEvents(context) : undefined);
  const events = namesOf(selected, choice);
  const filtered = await resolveTitles(context, filter);
  const plain = events.filter((name) => !filtered.some(({ event }) => event === name));
  assertCarried(payloadFields, [...plain, ...filtered.map(({ event }) => event)]);
  const entries = [...plain.map((event): ParameterisedEvent => ({ event })), ...filtered].map((entry) => {
    const fields = carriedBy(entry.event, payloadFields);
    return fields.length === 0 ? entry : { ...entry, fields };
  });
  const isPlain = (entry: ParameterisedEvent) => Object.keys(entry).length === 1;
  const named = entries.filter(isPlain).map(({ event }) => event);
  const parameterised = [...entries.filter((entry) => !isPlain(entry)), ...parameterisedEvents];
  return {
    ...(named.length === 0 ? {} : { events: named }),
    ...(parameterised.length === 0 ? {} : { parameterisedEvents: parameterised }),
  };
}

function isPicked(
  { canPrompt, isDryRun, common: { yes } }: Context,
  { filter, parameterisedEvents, ifNotExists }: EventChoice,
): boolean {
  // --yes and --if-not-exists mean a script, even on a terminal.
  const isScript = yes === true || ifNotExists === true;
  const hasFilter = filter !== undefined || parameterisedEvents !== undefined;
  return canPrompt && !isScript && !hasFilter && !isDryRun;
}

/** A request without events delivers all. With filters or payload fields it must name its events. */
function namesOf(
  selected: SelectedEvents | undefined,
  { filter = [], payloadFields = [], parameterisedEvents = [] }: EventChoice,
): readonly EventName[] {
  if (selected !== 'all') return selected ?? [];
  if (filter.length + payloadFields.length + parameterisedEvents.length === 0) return [];
  return eventNames.filter((name) => !parameterisedEvents.some(({ event }) => event === name));
}

function carriedBy(event: EventName, fields: readonly string[]): readonly string[] {
  const possible: readonly string[] = fieldsOf[eventRows[event].subject];
  return fields.filter((field) => possible.includes(field));
}

function assertCarried(fields: readonly string[], names: readonly EventName[]): void {
  if (fields.length > 0 && names.length === 0)
    throw usageError(
      '--payload-fields needs --events or --filter',
      'Name the events whose payload is to carry the fields: --events task, for example.',
    );
  const uncarried = fields.filter((field) => !names.some((event) => carriedBy(event, [field]).length > 0));
  if (uncarried.length > 0)
    throw usageError(
      `--payload-fields: none of the events can carry ${joinWithAnd(uncarried)}`,
      'Add events that can, or leave the fields out.',
    );
}

/** Replaces titles of custom fields by ids. Sends nothing if all are ids. */
async function resolveTitles(context: Context, filters: readonly ParameterisedEvent[]) {
  const isId = (text: string) => isIdentifier('CustomFieldId', text);
  if (filters.every(({ customFields = [] }) => customFields.every(isId))) return filters;
  const session = await context.session();
  const records = await readWholeList(session, accountOperations.listCustomFields);
  const titles = records.flatMap(({ title }) => title ?? []);
  const resolve = (text: string): string => {
    if (isId(text)) return text;
    const matches = findByName(records, text, ({ title }) => title);
    const [first, ...rest] = matches;
    if (first === undefined) {
      const listCommand = createListCommand(context, 'customfield list', 'title');
      throw nameNotFound('filter', text, 'the title of a custom field', titles, { listCommand });
    }
    if (rest.length === 0) return first.id;
    const candidates = matches.map(({ id, title }) => `${id}  ${title}`);
    throw ambiguousName('filter', text, 'custom fields', candidates);
  };
  return filters.map((filter) => ({
    ...filter,
    ...omitUndefined({ customFields: filter.customFields?.map(resolve) }),
  }));
}

async function pickEvents(context: Context): Promise<SelectedEvents> {
  const picked = await context.prompt('--events', (prompt) =>
    prompt.pickSeveral('Which events?', eventEntries),
  );
  return joinEvents(picked);
}

/** Named as in --events; `all` is first, since it is the service's default. */
const eventEntries: readonly Entry<SelectedEvents>[] = [
  { title: 'all', details: ['every event'], value: 'all' },
  ...eventGroups.map((title) => {
    const value = eventsOfGroup(title);
    return { title, details: [value.length === 1 ? '1 event' : `${value.length} events`], value };
  }),
  ...eventNames.map((name) => ({
    title: name,
    details: [eventRows[name].subject, eventRows[name].note ?? ''],
    value: [name],
  })),
];
