// Formats webhooks, in lists and in the picker.

import type { Webhook } from '../../../contract/webhook.ts';
import type { Column } from '../../../terminal/table.ts';

/** By the ids of the folders. */
export type FolderTitles = ReadonlyMap<string, string>;

export const noTitles: FolderTitles = new Map();

/** The service's record names a folder alone: a webhook of a space looks like one of the account. */
export function scopeOf({ folderId, recursive }: Webhook, titles: FolderTitles = noTitles): string {
  if (folderId === undefined) return 'account or space';
  const title = titles.get(folderId);
  const folder = title === undefined ? `folder ${folderId}` : `folder ${title} (${folderId})`;
  return recursive ? `${folder} and below` : folder;
}

export function webhookColumnsWith(titles: FolderTitles): readonly Column<Webhook>[] {
  return [
    { title: 'id', cell: (webhook) => webhook.id, unbroken: true },
    {
      title: 'status',
      cell: (webhook) => webhook.status ?? '',
      format: (webhook, style) => (webhook.status === 'Active' ? style.good : style.notice),
    },
    { title: 'scope', cell: (webhook) => scopeOf(webhook, titles) },
    { title: 'url', cell: (webhook) => webhook.hookUrl ?? '' },
    // Nothing where the record says nothing: that may be all of them, or those of parameterisedEvents.
    { title: 'events', cell: (webhook) => webhook.events?.join(', ') ?? '' },
  ];
}

/** With ids alone. */
export const webhookColumns = webhookColumnsWith(noTitles);
