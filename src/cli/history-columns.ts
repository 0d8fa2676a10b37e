// Formats entries of the history: as columns, and as one JSON object each.

import type { HistoryEntry } from '#local-records/history/read-history.ts';
import type { Column } from '#terminal/table.ts';
import { countOf } from './count-of.ts';

export const historyColumns: readonly Column<HistoryEntry>[] = [
  { title: 'time', cell: ({ begun }) => `${new Date(begun.at).toISOString().slice(0, 19)}Z`, unbroken: true },
  { title: 'command', cell: ({ begun }) => begun.command },
  { title: 'ids', cell: formatIds },
  {
    title: 'outcome',
    cell: outcomeOf,
    format: (entry, style) => {
      const outcome = outcomeOf(entry);
      return outcome === 'done' ? style.good : outcome === 'failed' ? style.bad : style.notice;
    },
  },
  { title: 'code', cell: ({ ended }) => ended?.code ?? '' },
  { title: 'parameters', cell: ({ begun }) => begun.parameters?.join(', ') ?? '' },
  { title: 'bulk run', cell: formatBulk },
  { title: 'note', cell: ({ begun }) => begun.note ?? '' },
  { title: 'account', cell: ({ begun }) => begun.profile ?? begun.token ?? '' },
  { title: 'host', cell: ({ begun }) => begun.host },
  {
    title: 'webhook',
    cell: ({ begun: { webhook } }) => (webhook?.after ?? webhook?.before)?.label ?? webhook?.url ?? '',
  },
  { title: 'status', cell: ({ begun: { webhook } }) => webhook?.after?.status ?? '' },
];

/** A change without an end has an unknown outcome. */
function outcomeOf({ ended }: HistoryEntry): string {
  return ended?.outcome ?? 'unknown';
}

function formatIds({ begun, ended }: HistoryEntry): string {
  const more = begun.moreIds === undefined ? [] : [`${begun.moreIds} more`];
  return [...begun.ids, ...(ended?.created ?? []), ...more].join(', ');
}

/** `2 of 3 rows updated, 1 failed; rows.csv; journal /home/ada/.local/state/wm/bulk/1f.ndjson` */
function formatBulk({ begun: { bulk }, ended }: HistoryEntry): string {
  if (!bulk) return '';
  const counts = ended?.counts;
  const otherCounts = [
    ['failed', counts?.failed],
    ['invalid', counts?.invalid],
    ['unknown', counts?.unknown],
    ['not sent', counts?.notSent],
  ] as const;
  const rows = countOf(bulk.rows, 'row');
  return [
    [
      counts === undefined ? rows : `${counts.updated} of ${rows} updated`,
      ...otherCounts.flatMap(([word, count]) => (count ? [`${count} ${word}`] : [])),
    ].join(', '),
    ...(bulk.file === undefined ? [] : [bulk.file === '-' ? 'standard input' : bulk.file]),
    `journal ${bulk.journal}`,
  ].join('; ');
}

/** The members of both lines, without the key that links them. */
export function toHistoryJson({ begun, ended }: HistoryEntry): object {
  const { change: _, ...members } = { ...begun, ...(ended ?? { outcome: 'unknown' }) };
  return members;
}
