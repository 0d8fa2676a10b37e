// Formats webhooks in tables and lines: what the service shows, then what only this machine knows.

import type { Context } from '#cli/context.ts';
import {
  isCurrentNote,
  type LocalWebhook,
  type LocalWebhooks,
  noLocalWebhooks,
  type ObservedStatus,
  toShownLocal,
} from '#cli/local-webhook.ts';
import { type Operation, operations } from '#contract/operation.ts';
import type { Webhook } from '#contract/webhook.ts';
import { formatRelativeTime } from '#terminal/relative-time.ts';
import type { ReportedRecords } from '#terminal/report.ts';
import type { Column } from '#terminal/table.ts';
import {
  describeEvents,
  describeFilters,
  type FolderTitles,
  isRecursive,
  listEvents,
  listFilters,
  noTitles,
  notShown,
  scopeOf,
} from './coverage.ts';
import { type Hook, urlKeyOf } from './records/hook.ts';

interface Knowledge {
  readonly titles: FolderTitles;
  readonly local: LocalWebhooks;
  /** The current time, for output that a person reads: times are then relative, and event groups are named. */
  readonly now?: number | undefined;
}

/** Always the same in a pipe: scripts cut the columns by position, so add new ones at the end. */
function webhookColumnsWith({ titles, local, now }: Knowledge): readonly Column<Webhook>[] {
  const isForPerson = now !== undefined;
  const createdOf = ({ id }: Webhook) => local.get(id)?.created;
  const formatTime = (at: number) => (isForPerson ? formatRelativeTime(at, now) : new Date(at).toISOString());
  return [
    { title: 'id', cell: (webhook) => webhook.id, unbroken: true },
    {
      title: 'status',
      cell: (webhook) => webhook.status ?? '',
      format: (webhook, style) => (webhook.status === 'Active' ? style.good : style.notice),
    },
    {
      title: 'scope',
      cell: (webhook) => {
        const created = createdOf(webhook);
        const scope = scopeOf(webhook, titles, created);
        const isUnknown = webhook.folderId !== undefined && isRecursive(webhook, created) === undefined;
        return isUnknown ? `${scope} (subfolders: ${notShown})` : scope;
      },
    },
    { title: 'url', cell: (webhook) => webhook.hookUrl ?? '' },
    {
      title: 'events',
      cell: (webhook) => (isForPerson ? describeEvents : listEvents)(webhook, createdOf(webhook)),
    },
    {
      title: 'filters',
      cell: (webhook) =>
        isForPerson ? describeFilters(createdOf(webhook), titles) : listFilters(createdOf(webhook)),
    },
    { title: 'label', cell: ({ id }) => local.get(id)?.label ?? '' },
    { title: 'since', cell: ({ id, status }) => describeSince(local.get(id)?.observed, status, formatTime) },
    { title: 'note', cell: ({ id, status }) => formatNote(local.get(id), status, formatTime) },
    { title: 'rotation', cell: ({ id }) => describeRotation(id, local) },
  ];
}

function webhookDetailsWith(knowledge: Knowledge): readonly Column<Webhook>[] {
  const { local, now = 0 } = knowledge;
  const createdOf = ({ id }: Webhook) => local.get(id)?.created;
  return [
    ...webhookColumnsWith(knowledge),
    {
      title: 'created',
      cell: (webhook) => {
        const at = createdOf(webhook)?.at;
        return at === undefined ? '' : `${formatRelativeTime(Date.parse(at), now)}, by wm`;
      },
    },
    {
      title: 'signed',
      cell: (webhook) => {
        const signed = createdOf(webhook)?.signed;
        return signed === undefined ? notShown : signed ? 'yes' : 'no';
      },
    },
  ];
}

/** Since when the webhook has its status: `3 hours ago, by wm`; `3 hours ago or earlier`. Empty if unknown. */
export function describeSince(
  observed: ObservedStatus | undefined,
  status: string | undefined,
  formatTime: (at: number) => string,
): string {
  if (observed === undefined || observed.status !== status) return '';
  const { byWm, before, since } = observed;
  const from = formatTime(Date.parse(since));
  if (byWm) return `${from}, by wm`;
  if (before === undefined) return `${from} or earlier`;
  return `between ${formatTime(Date.parse(before))} and ${from}`;
}

/** The note of a suspended webhook: `ticket 4711 (Ada Fields, 2026-03-02T12:00:00.000Z)`. */
export function noteOf({ record, local }: Hook): string {
  return formatNote(local, record.status, (at) => new Date(at).toISOString());
}

/** `ticket 4711 (Ada Fields, 3 hours ago)`. */
function formatNote(
  local: LocalWebhook | undefined,
  status: string | undefined,
  formatTime: (at: number) => string,
): string {
  if (!local?.note || !isCurrentNote(local, status)) return '';
  const { text, by, at } = local.note;
  return `${text} (${by}, ${formatTime(Date.parse(at))})`;
}

function describeRotation(id: string, local: LocalWebhooks): string {
  const { rotation, replaces, replacedBy } = local.get(id) ?? {};
  if (rotation?.successor !== undefined) return `under way: successor ${rotation.successor}`;
  if (rotation)
    return `under way: ${rotation.createSent ? 'the request for a successor was sent' : 'no successor yet'}`;
  if (replaces) return `${local.get(replaces.id)?.rotation ? 'under way: ' : ''}replaces ${replaces.id}`;
  return replacedBy ? `replaced by ${replacedBy.id}` : '';
}

/** Formats a list: on a terminal one line each, unless --long asks for everything. */
export async function toListed(
  context: Context,
  hooks: readonly Hook[],
  long = false,
  titles?: FolderTitles,
): Promise<ReportedRecords<Webhook>> {
  const reported = await toReported(context, hooks, titles);
  if (!context.world.streams.output.isTerminal || long) return { ...reported, mayBeLong: true };
  const titlesInOrder = ['status', 'url', 'label', 'scope', 'id'];
  const differences = differencesOf(hooks, reported.titles);
  const columns = titlesInOrder.flatMap((title) =>
    reported.columns
      .filter((column) => column.title === title)
      .map(({ cell, ...column }) => ({
        ...column,
        title: title === 'scope' && differences.size > 0 ? 'covers' : title,
        cell: (webhook: Webhook) =>
          (title === 'scope' ? differences.get(webhook.id) : undefined) ?? cell(webhook),
      })),
  );
  return { ...reported, columns, isOneLine: true, mayBeLong: true };
}

/**
 * By id: the place, the events or both, whichever distinguishes webhooks with the same URL and label. The others of that URL get the
 * same. Omits the ids of places and all events but the first, if the rest distinguishes as well.
 */
export function differencesOf(hooks: readonly Hook[], titles: FolderTitles): ReadonlyMap<string, string> {
  const groups = new Map<string | undefined, Hook[]>();
  for (const hook of hooks) {
    const key = urlKeyOf(hook);
    groups.set(key, [...(groups.get(key) ?? []), hook]);
  }
  const differences = new Map<string, string>();
  const countOf = (texts: readonly string[]) => new Set(texts).size;
  const shortest = (short: readonly string[], full: readonly string[]) =>
    countOf(short) === countOf(full) ? short : full;
  for (const group of groups.values()) {
    const scopes = group.map(({ record, local }) => scopeOf(record, titles, local?.created));
    const events = group.map(({ record, local }) => describeEvents(record, local?.created));
    const places = scopes.map((scope) => scope.replace(/^(?:folder|space) (.*\S) \(\w+\)/, '$1'));
    const names = events.map((list) => {
      const [first = '', second, ...rest] = list.split(', ');
      return second === undefined ? first : `${first} and ${rest.length + 1} more`;
    });
    const labels = group.map(({ local }) => local?.label);
    const differing = [shortest(places, scopes), shortest(names, events)].filter((texts) =>
      labels.some((label, index) => texts[labels.indexOf(label)] !== texts[index]),
    );
    if (differing.length === 0) continue;
    for (const [index, { record }] of group.entries())
      differences.set(record.id, differing.map((texts) => texts[index]).join(', '));
  }
  return differences;
}

/** Shows ids without titles. */
export const webhookColumns = webhookColumnsWith({ titles: noTitles, local: noLocalWebhooks });

/** Adds this machine's records. Without `titles`, looks them up for a terminal. */
export async function toReported(
  context: Context,
  hooks: readonly Hook[],
  titles?: FolderTitles,
): Promise<ReportedRecords<Webhook> & { readonly titles: FolderTitles }> {
  const local = await (await context.webhookRecords()).read();
  const withLocal = hooks.map((hook) => ({ ...hook, local: local.get(hook.record.id) }));
  const records = withLocal.map(({ record }) => record);
  const { clock, streams } = context.world;
  const isForPerson = streams.output.isTerminal && !context.report.wantsJson;
  const knowledge = {
    titles: titles ?? (isForPerson ? await folderTitles(context, withLocal) : noTitles),
    local,
    now: streams.output.isTerminal ? clock.now() : undefined,
  };
  const columns = webhookColumnsWith(knowledge);
  return {
    titles: knowledge.titles,
    columns: streams.output.isTerminal
      ? columns.filter((column) => isUseful(column, records, local))
      : columns,
    details: webhookDetailsWith(knowledge),
    records,
    raw: withLocal.map(({ raw = {}, local }) => {
      const member = toJsonMember(local);
      return member === undefined ? raw : { ...raw, local: member };
    }),
  };
}

/** Leaves out the time of this read, so that the member changes only when the webhook does. */
function toJsonMember({ observed, ...rest }: LocalWebhook = {}): object | undefined {
  const { seen, ...status }: Partial<ObservedStatus> = observed ?? {};
  const isKnownSince = status.byWm === true || status.before !== undefined || status.since !== seen;
  const member = { ...toShownLocal(rest), ...(isKnownSince ? { observed: status } : {}) };
  return Object.keys(member).length === 0 ? undefined : member;
}

/** A terminal has little room, so a list omits empty columns. A single webhook shows every one. */
function isUseful(
  { title, cell }: Column<Webhook>,
  records: readonly Webhook[],
  local: LocalWebhooks,
): boolean {
  switch (title) {
    case 'filters':
      return records.some((record) => cell(record) !== '' && cell(record) !== notShown);
    case 'label':
    case 'note':
    case 'rotation':
      return records.some((record) => cell(record) !== '');
    case 'since':
      // The time when wm first saw an active webhook is not worth a column.
      return records.some(
        ({ id, status }) => status !== 'Active' || local.get(id)?.observed?.before !== undefined,
      );
    default:
      return true;
  }
}

/** The longest wait for a title. */
const titlesWithinMs = 2000;

/** By id. Without a title the id is shown, so a failed look-up is ignored. */
export async function folderTitles(context: Context, hooks: readonly Hook[]): Promise<FolderTitles> {
  const created = hooks.flatMap(({ local }) => local?.created ?? []);
  const fieldIds = created.flatMap(({ parameterisedEvents = [] }) =>
    parameterisedEvents.flatMap(({ customFields = [] }) => customFields),
  );
  const folderIds = hooks.flatMap(({ record }) => record.folderId ?? []);
  const spaceIds = created.flatMap(({ spaceId }) => spaceId ?? []);
  const titles = await Promise.all([
    titlesOf(context, operations.listFolders, folderIds),
    titlesOf(context, operations.listSpaces, spaceIds),
    titlesOf(context, operations.listCustomFields, fieldIds),
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
    const { records } = await session.send(list, {}, {}, timeoutMs);
    return new Map(records.flatMap(({ id, title }) => (idSet.has(id) && title ? [[id, title]] : [])));
  } catch {
    return noTitles;
  }
}
