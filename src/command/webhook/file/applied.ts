// What `webhook apply` did to each webhook, for people and for scripts.

import type { Column } from '../../../terminal/table.ts';
import { type Hook, statusOf } from '../hook.ts';
import { describeScope } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';
import { urlOf } from './plan-columns.ts';

export interface Applied {
  readonly item: PlanItem;
  /** As the service has it afterwards; nothing if it was deleted. */
  readonly webhook: Hook | undefined;
}

const idOf = ({ item, webhook }: Applied) =>
  webhook?.record.id ?? ('facts' in item ? (item.facts?.id ?? '') : '');

export const appliedColumns: readonly Column<Applied>[] = [
  { title: 'id', cell: idOf, unbroken: true },
  { title: 'status', cell: ({ webhook }) => (webhook ? (statusOf(webhook) ?? '') : 'deleted') },
  { title: 'change', cell: ({ item }) => item.change },
  { title: 'url', cell: ({ item }) => urlOf(item) },
  {
    title: 'scope',
    cell: ({ item }) => {
      const { scope, recursive } = ('entry' in item ? item.entry : item.facts) ?? {};
      return describeScope(scope, recursive);
    },
  },
  { title: 'replaced', cell: ({ item }) => (item.change === 'replace' ? item.facts.id : '') },
];

export function toAppliedJson(applied: Applied): object {
  const { item, webhook } = applied;
  return {
    change: item.change,
    id: idOf(applied),
    url: urlOf(item),
    replaced: item.change === 'replace' ? item.facts.id : undefined,
    webhook: webhook?.raw,
  };
}
