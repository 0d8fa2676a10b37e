// Formats a plan for people and for scripts: what happens to each entry and webhook, and why.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { type Hook, statusOf } from '../records/hook.ts';
import { describeScope } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';

const entryOf = (item: PlanItem) => ('entry' in item ? item.entry : undefined);
const factsOf = (item: PlanItem) => ('facts' in item ? item.facts : undefined);

export function urlOf(item: PlanItem): string {
  return entryOf(item)?.url ?? factsOf(item)?.url ?? 'no URL';
}

function scopeOf(item: PlanItem): string {
  const { scope, recursive } = entryOf(item) ?? factsOf(item) ?? {};
  return describeScope(scope, recursive);
}

const labelOf = (item: PlanItem) => entryOf(item)?.label ?? factsOf(item)?.label ?? '';

export const planColumns: readonly Column<PlanItem>[] = [
  {
    title: 'change',
    cell: ({ change }) => change,
    format: ({ change }, style) => (change === 'same' ? style.good : style.notice),
  },
  { title: 'id', cell: (item) => factsOf(item)?.id ?? '', unbroken: true },
  { title: 'url', cell: urlOf },
  { title: 'scope', cell: scopeOf },
  { title: 'label', cell: labelOf },
  { title: 'line', cell: (item) => String(entryOf(item)?.line ?? '') },
  { title: 'why', cell: ({ why }) => why.join('; ') },
];

export function toPlanJson(item: PlanItem): object {
  return {
    change: item.change,
    id: factsOf(item)?.id,
    url: urlOf(item),
    scope: scopeOf(item),
    label: labelOf(item) || undefined,
    line: entryOf(item)?.line,
    why: item.why,
  };
}

/** One line of the confirmation: `create http://hooks.example.com/billing for the account: ...`. */
export function describeItem(item: PlanItem): string {
  const id = factsOf(item)?.id;
  const label = labelOf(item);
  const line = [
    item.change,
    urlOf(item),
    ...(label === '' ? [] : [`'${label}'`]),
    ...(id === undefined ? [] : [`(${id})`]),
    `for ${scopeOf(item)}:`,
    item.why.join('; '),
  ];
  return sanitizeLine(line.join(' '));
}

export interface Applied {
  readonly item: PlanItem;
  /** The webhook after the change; undefined if it was deleted. */
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
