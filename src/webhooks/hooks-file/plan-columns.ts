// Formats a plan for people and for scripts: what happens to each entry and webhook, and why.

import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { type Hook, statusOf } from '../records/hook.ts';
import { describeScope } from './hooks-file.ts';
import type { PlanItem } from './hooks-plan.ts';

export function urlOf({ entry, facts }: PlanItem): string {
  return entry?.url ?? facts?.url ?? 'no URL';
}

function scopeOf({ entry, facts }: PlanItem): string {
  const { scope, recursive } = entry ?? facts ?? {};
  return describeScope(scope, recursive);
}

const labelOf = ({ entry, facts }: PlanItem) => entry?.label ?? facts?.label ?? '';

export const planColumns: readonly Column<PlanItem>[] = [
  {
    title: 'change',
    cell: ({ change }) => change,
    format: ({ change }, style) => (change === 'same' ? style.good : style.notice),
  },
  { title: 'id', cell: ({ facts }) => facts?.id ?? '', unbroken: true },
  { title: 'url', cell: urlOf },
  { title: 'scope', cell: scopeOf },
  { title: 'label', cell: labelOf },
  { title: 'line', cell: ({ entry }) => String(entry?.line ?? '') },
  { title: 'why', cell: ({ why }) => why.join('; ') },
];

export function toPlanJson(item: PlanItem): object {
  return {
    change: item.change,
    id: item.facts?.id,
    url: urlOf(item),
    scope: scopeOf(item),
    label: labelOf(item) || undefined,
    line: item.entry?.line,
    why: item.why,
  };
}

/** One line of the confirmation: `create http://hooks.example.com/billing for the account: ...`. */
export function describeItem(item: PlanItem): string {
  const id = item.facts?.id;
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

const idOf = ({ item, webhook }: Applied) => webhook?.record.id ?? item.facts?.id ?? '';

export const appliedColumns: readonly Column<Applied>[] = [
  { title: 'id', cell: idOf, unbroken: true },
  { title: 'status', cell: ({ webhook }) => (webhook ? (statusOf(webhook) ?? '') : 'deleted') },
  { title: 'change', cell: ({ item }) => item.change },
  { title: 'url', cell: ({ item }) => urlOf(item) },
  { title: 'scope', cell: ({ item }) => scopeOf(item) },
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
