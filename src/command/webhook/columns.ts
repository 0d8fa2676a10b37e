// How a webhook looks: in a list, and in the picker.

import type { Webhook } from '../../contract/webhook.ts';
import type { Column } from '../../terminal/table.ts';

export function scopeOf(webhook: Webhook): string {
  if (webhook.folderId === undefined) return 'account';
  return webhook.recursive ? `folder ${webhook.folderId} and below` : `folder ${webhook.folderId}`;
}

export const webhookColumns: readonly Column<Webhook>[] = [
  { title: 'id', cell: (webhook) => webhook.id },
  {
    title: 'status',
    cell: (webhook) => webhook.status ?? '',
    look: (webhook, style) => (webhook.status === 'Suspended' ? style.notice : style.good),
  },
  { title: 'scope', cell: scopeOf },
  { title: 'url', cell: (webhook) => webhook.hookUrl ?? '' },
  { title: 'events', cell: (webhook) => webhook.events?.join(', ') ?? 'all' },
];
