// Formats webhooks in tables and lines: what the service shows, then what only this machine knows.

import type { Context } from '#cli/context.ts';
import { readWholeList } from '#cli/read-pages.ts';
import type { Operation } from '#contract/operation.ts';
import {
  type LocalWebhook,
  type LocalWebhooks,
  noLocalWebhooks,
  type ObservedStatus,
  toShownLocal,
} from '#local-records/local-webhook.ts';
import { isAccessible } from '#terminal/line-drawing.ts';
import { formatTime } from '#terminal/relative-time.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import type { Column } from '#terminal/table.ts';
import {
  describeEvents,
  describeFilters,
  type FolderTitles,
  listEvents,
  noTitles,
  notShown,
  scopeOf,
  settingsOf,
} from './coverage.ts';
import { groupByUrl, type Hook, stateOf } from './records/hook.ts';

/** Always the same in a pipe: scripts cut the columns by position, so add new ones at the end. A person reads event groups and titles. */
function webhookColumnsWith(titles: FolderTitles, all: LocalWebhooks): readonly Column<Hook>[] {
  return [
    { title: 'id', cell: ({ record }) => record.id, unbroken: true },
    {
      title: 'status',
      cell: ({ record }) => record.status ?? '',
      format: ({ record }, style) => (record.status === 'Active' ? style.good : style.notice),
    },
    {
      title: 'scope',
      cell: (hook) => {
        const settings = settingsOf(hook);
        const isUnknown = settings.scope !== undefined && settings.recursive === undefined;
        return `${scopeOf(settings, titles)}${isUnknown ? ` (subfolders: ${notShown})` : ''}`;
      },
    },
    { title: 'url', cell: ({ record }) => record.hookUrl ?? '' },
    { title: 'events', cell: (hook, now) => (now ? describeEvents : listEvents)(settingsOf(hook)) },
    { title: 'filters', cell: (hook, now) => describeFilters(settingsOf(hook), now ? titles : undefined) },
    { title: 'label', cell: ({ local }) => local?.label ?? '' },
    { title: 'since', cell: (hook, now) => describeSince(hook, (time) => formatTime(time, now)) },
    { title: 'note', cell: (hook, now) => noteOf(hook, (time) => formatTime(time, now)) },
    { title: 'rotation', cell: ({ local }) => describeRotation(local, all) },
  ];
}

const detailColumns: readonly Column<Hook>[] = [
  {
    title: 'created',
    cell: ({ local }, now) => (local?.created ? `${formatTime(local.created.at, now)}, by wm` : ''),
  },
  {
    title: 'signed',
    cell: ({ local }) => (local?.created === undefined ? notShown : local.created.signed ? 'yes' : 'no'),
  },
];

/** Since when the webhook has its status: `3 hours ago, by wm`; `3 hours ago or earlier`, in a list `3+ hours ago`. Empty if unknown. */
export function describeSince(
  { record: { status }, local: { observed } = {} }: Hook,
  format: (time: string) => string,
  isInList = false,
): string {
  if (observed === undefined || observed.status !== status) return '';
  const { byWm, before, since } = observed;
  const from = format(since);
  if (isInList && (byWm || /^\d/.test(from))) return byWm ? from : from.replace(' ', '+ ');
  if (byWm) return `${from}, by wm`;
  return before === undefined ? `${from} or earlier` : `between ${format(before)} and ${from}`;
}

/** The notes of a suspended webhook: `ticket 4711 (Ada Fields, 2026-03-02T12:00:00.000Z)`. */
export function noteOf(hook: Hook, format = (time: string) => time): string {
  const { note } = stateOf(hook);
  return note ? `${note.text} (${note.by}, ${format(note.at)})` : '';
}

function describeRotation({ rotation, replaces, replacedBy }: LocalWebhook = {}, all: LocalWebhooks): string {
  if (rotation?.successor !== undefined) return `under way: successor ${rotation.successor}`;
  if (rotation)
    return `under way: ${rotation.createSent ? 'the request for a successor was sent' : 'no successor yet'}`;
  if (replaces) return `${all.get(replaces.id)?.rotation ? 'under way: ' : ''}replaces ${replaces.id}`;
  return replacedBy ? `replaced by ${replacedBy.id}` : '';
}

/** Formats a list: on a terminal one line each, unless --long asks for everything. */
export async function toListed(
  context: Context,
  hooks: readonly Hook[],
  long = false,
  titles?: FolderTitles,
): Promise<ReportedRecords<Hook>> {
  const reported = await toReported(context, hooks, titles);
  const { environment, streams, clock } = context.world;
  if (!streams.output.isTerminal || long || isAccessible(environment))
    return { ...reported, mayBeLong: true };
  return { ...reported, columns: listedColumns(reported, clock.now()), isOneLine: true, mayBeLong: true };
}

/** In short forms. The id yields to what happened to a suspended webhook. */
function listedColumns({ columns, records, titles }: Awaited<ReturnType<typeof toReported>>, now: number) {
  const differences = differencesOf(records, titles);
  const cellOf = (title: string, hook: Hook) =>
    columns.find((column) => column.title === title)?.cell(hook, now) ?? '';
  const scopes = records.map((hook) => cellOf('scope', hook));
  const placeOf = shortForm(scopes, toPlace);
  const formatAge = (time: string) => formatTime(time, now).replace(/ (?:(min)ute|(s)econd)s?/, ' $1$2');
  const since = (hook: Hook) => (hook.record.status === 'Active' ? '' : describeSince(hook, formatAge, true));
  const hasHistory = records.some((hook) => since(hook) !== '' || cellOf('note', hook) !== '');
  const short: Readonly<Record<string, Partial<Column<Hook>>>> = {
    status: { unbroken: true },
    url: { cell: (hook) => cellOf('url', hook).replace(/^https:\/\//, '') },
    label: {},
    scope: {
      cell: (hook) => differences.get(hook.record.id) ?? placeOf(cellOf('scope', hook)),
      ...(differences.size > 0 && { title: 'covers' }),
    },
    rotation: { cell: (hook) => /^under way.*/.exec(cellOf('rotation', hook))?.[0] ?? '' },
    since: { cell: since, unbroken: true },
    // The time of a note is usually that of the suspension.
    note: { cell: (hook) => cellOf('note', hook).replace(/, [^,]*\)$/, ')') },
    id: hasHistory ? { yields: true } : {},
  };
  return Object.entries(short).flatMap(([title, changes]) =>
    columns
      .filter((column) => column.title === title)
      .map((column) => ({ ...column, ...changes }))
      .filter(({ cell }) => !/rotation|since/.test(title) || records.some((hook) => cell(hook) !== '')),
  );
}

/** Shortens a text, unless that is also the short form of another one. */
function shortForm(texts: readonly string[], shorten: (text: string) => string): (text: string) => string {
  const counts = new Map<string, number>();
  for (const form of [...new Set(texts)].map(shorten)) counts.set(form, (counts.get(form) ?? 0) + 1);
  return (text) => {
    const form = shorten(text);
    return (counts.get(form) ?? 0) > 1 ? text : form;
  };
}

/** `Website and below`: without its kind and its id. */
const toPlace = (scope: string): string => scope.replace(/^(?:folder|space) (.*\S) \(\w+\)/, '$1');

/** By id: the place, the events or both, in short, whichever distinguishes webhooks with the same URL and label. */
export function differencesOf(hooks: readonly Hook[], titles: FolderTitles): ReadonlyMap<string, string> {
  const differences = new Map<string, string>();
  const scopeOfHook = (hook: Hook) => scopeOf(settingsOf(hook), titles);
  const eventsOfHook = (hook: Hook) => describeEvents(settingsOf(hook));
  const placeOf = shortForm(hooks.map(scopeOfHook), toPlace);
  const firstEventOf = shortForm(hooks.map(eventsOfHook), (list) => {
    const [first = '', second, ...rest] = list.split(', ');
    return second === undefined ? first : `${first} and ${rest.length + 1} more`;
  });
  for (const group of groupByUrl(hooks).values()) {
    const labels = group.map(({ local }) => local?.label);
    const differing = [
      group.map((hook) => placeOf(scopeOfHook(hook))),
      group.map((hook) => firstEventOf(eventsOfHook(hook))),
    ].filter((texts) => labels.some((label, index) => texts[labels.indexOf(label)] !== texts[index]));
    if (differing.length === 0) continue;
    for (const [index, { record }] of group.entries())
      differences.set(record.id, differing.map((texts) => texts[index]).join(', '));
  }
  return differences;
}

export const webhookColumns = webhookColumnsWith(noTitles, noLocalWebhooks);

/** Adds this machine's records. Without `titles`, looks them up for a terminal. */
export async function toReported(context: Context, hooks: readonly Hook[], titles?: FolderTitles) {
  const local = await (await context.webhookRecords()).read();
  const records = hooks.map((hook) => ({ ...hook, local: local.get(hook.record.id) }));
  const { isTerminal } = context.world.streams.output;
  const isForPerson = isTerminal && !context.report.wantsJson;
  const shownTitles = titles ?? (isForPerson ? await folderTitles(context, records) : noTitles);
  const columns = webhookColumnsWith(shownTitles, local);
  return {
    titles: shownTitles,
    columns: isTerminal ? columns.filter((column) => isUseful(column, records)) : columns,
    ...(isTerminal ? { details: [...columns, ...detailColumns] } : {}),
    records,
    raw: context.report.wantsJson ? records.map(toJson) : [],
  };
}

/** Leaves out the time of this read, so that `local` changes only when the webhook does. */
function toJson({ raw = {}, local: { observed, ...rest } = {} }: Hook): object {
  const { seen, url: _, ...status }: Partial<ObservedStatus> = observed ?? {};
  const isKnownSince = status.byWm === true || status.before !== undefined || status.since !== seen;
  const local = { ...toShownLocal(rest), ...(isKnownSince ? { observed: status } : {}) };
  return Object.keys(local).length === 0 ? raw : { ...raw, local };
}

/** A terminal has little room, so a list omits empty columns. A single webhook shows every one. */
function isUseful({ title, cell }: Column<Hook>, hooks: readonly Hook[]): boolean {
  // The time when wm first saw an active webhook is not worth a column.
  if (title === 'since')
    return hooks.some(({ record, local }) => record.status !== 'Active' || local?.observed?.before);
  if (!['filters', 'label', 'note', 'rotation'].includes(title)) return true;
  const empty = title === 'filters' ? ['', notShown] : [''];
  return hooks.some((hook) => !empty.includes(cell(hook)));
}

const titlesWithinMs = 2000;

/** By id. Without a title the id is shown, so a failed look-up is ignored. */
export async function folderTitles(context: Context, hooks: readonly Hook[]): Promise<FolderTitles> {
  const settings = hooks.map(settingsOf);
  const fieldIds = settings.flatMap(({ parameterisedEvents = [] }) =>
    parameterisedEvents.flatMap(({ customFields = [] }) => customFields),
  );
  const folderIds = settings.flatMap(({ scope }) => scope?.folderId ?? []);
  const spaceIds = settings.flatMap(({ scope }) => scope?.spaceId ?? []);
  // A script needs none of the account's records.
  const { accountOperations } = await import('#contract/account-operations.ts');
  const titles = await Promise.all([
    titlesOf(context, accountOperations.listFolders, folderIds),
    titlesOf(context, accountOperations.listSpaces, spaceIds),
    titlesOf(context, accountOperations.listCustomFields, fieldIds),
  ]);
  return new Map(titles.flatMap((byId) => [...byId]));
}

/** These lists need no parameter. */
type TitledList = Operation<
  Record<never, never>,
  { readonly id: string; readonly title?: string | undefined }
>;

async function titlesOf(context: Context, list: TitledList, ids: readonly string[]): Promise<FolderTitles> {
  const idSet = new Set(ids);
  if (idSet.size === 0) return noTitles;
  try {
    const session = await context.session();
    const timeoutMs = Math.min(titlesWithinMs, context.timeoutMs);
    const records = await readWholeList(session, list, {}, {}, { timeoutMs });
    return new Map(records.flatMap(({ id, title }) => (idSet.has(id) && title ? [[id, title]] : [])));
  } catch {
    return noTitles;
  }
}
