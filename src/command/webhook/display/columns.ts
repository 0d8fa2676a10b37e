// Formats webhooks in tables and lines: what the service shows, then what only this machine knows.

import type { Webhook } from '../../../contract/webhook.ts';
import { formatRelativeTime } from '../../../terminal/relative-time.ts';
import type { Column } from '../../../terminal/table.ts';
import {
  isCurrentNote,
  type LocalWebhook,
  type LocalWebhooks,
  noLocalWebhooks,
  type ObservedStatus,
} from '../../webhook-records/local-webhook.ts';
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

export interface Knowledge {
  readonly titles: FolderTitles;
  readonly local: LocalWebhooks;
  /** The time now, where a user reads it: then times are relative, and groups of events have a name. */
  readonly now?: number | undefined;
}

/** The same in every pipe: scripts cut them, so a new one comes last. */
export function webhookColumnsWith({ titles, local, now }: Knowledge): readonly Column<Webhook>[] {
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
    {
      title: 'since',
      cell: ({ id, status }) => describeSince(local.get(id)?.observed, status, formatTime),
    },
    { title: 'note', cell: ({ id, status }) => formatNote(local.get(id), status, formatTime) },
    { title: 'rotation', cell: ({ id }) => describeRotation(id, local) },
  ];
}

/** Those of a single webhook on a terminal. */
export function webhookDetailsWith(knowledge: Knowledge): readonly Column<Webhook>[] {
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

/** Since when it has its status, as far as known: `3 hours ago, by wm`; `3 hours ago or earlier`. Empty if nothing is known. */
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

/** What `wm webhook rotate-secret` has done with it. */
function describeRotation(id: string, local: LocalWebhooks): string {
  const { rotation, replaces, replacedBy } = local.get(id) ?? {};
  if (rotation?.successor !== undefined) return `under way: successor ${rotation.successor}`;
  if (rotation)
    return `under way: ${rotation.createSent ? 'the request for a successor was sent' : 'no successor yet'}`;
  if (replaces) return `${local.get(replaces.id)?.rotation ? 'under way: ' : ''}replaces ${replaces.id}`;
  return replacedBy ? `replaced by ${replacedBy.id}` : '';
}

/** With ids alone. */
export const webhookColumns = webhookColumnsWith({ titles: noTitles, local: noLocalWebhooks });
