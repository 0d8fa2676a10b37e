// How a webhook looks: in a list, and in the picker.

import type { Webhook } from '../../contract/webhook.ts';
import type { Column } from '../../terminal/table.ts';

/** The service's record names a folder alone: a webhook of a space looks like one of the account. */
export function scopeOf(webhook: Webhook): string {
  if (webhook.folderId === undefined) return 'account or space';
  return webhook.recursive ? `folder ${webhook.folderId} and below` : `folder ${webhook.folderId}`;
}

export const webhookColumns: readonly Column<Webhook>[] = [
  { title: 'id', cell: (webhook) => webhook.id, whole: true },
  {
    title: 'status',
    cell: (webhook) => webhook.status ?? '',
    look: (webhook, style) => (webhook.status === 'Active' ? style.good : style.notice),
  },
  { title: 'scope', cell: scopeOf },
  { title: 'url', cell: (webhook) => webhook.hookUrl ?? '' },
  // Nothing where the record says nothing: that may be all of them, or those of parameterisedEvents.
  { title: 'events', cell: (webhook) => webhook.events?.join(', ') ?? '' },
];
