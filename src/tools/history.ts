// `wm history`: lists what wm changed from this machine.

import { command } from '#cli/command.ts';
import { countOf } from '#cli/count-of.ts';
import { integerFlag, textFlag, valueFlag } from '#cli/flags/flag.ts';
import { historyColumns, toHistoryJson } from '#cli/history-columns.ts';
import { longFlag } from '#cli/print-list.ts';
import { endOf, resolveSince, sinceInput, timeInput } from '#dates/time-input.ts';
import { usageError } from '#failure.ts';
import { type HistoryEntry, readHistory } from '#local-records/history/read-history.ts';
import type { Column } from '#terminal/table.ts';
import { resolveKnownIds } from '#webhooks/records/resolve-known-ids.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Show the changes since yesterday': 'wm history --since yesterday',
    'Show the changes of a webhook': 'wm history IEAAAAAQJAAAAAAB',
    'Show the last 20 changes of webhooks as JSON': 'wm history --command webhook --limit 20 --json',
  },
  details: `Shows each change that wm made from this machine, the newest last: updates and undos of tasks, bulk runs, and changes of
webhooks, with the label or URL and the new status. The outcome is done, failed (with the code of the failure) or unknown: no response arrived, or wm ended first.

A webhook can be found by a label that wm gave it on this machine, or by the URL that wm created it with here, until wm deletes it.

A bulk run is one entry; its journal has the rows, and wm looks for an ID there too. The history contains ids and the URLs of
webhooks without their query, but no values or titles of tasks, and no secrets. wm stores it in the state folder for at least four months; wm doctor shows its size.`,
  pipeColumns: historyColumns,
  arguments: {
    id: {
      help: "the id of a task, webhook, folder or space, or a webhook's label or URL, or a part of one",
      many: true,
      optional: true,
    },
  },
  flags: {
    long: longFlag,
    command: textFlag('WORDS', "Only changes by this command, such as webhook or 'task undo'"),
    since: valueFlag(
      sinceInput,
      'DATE',
      'Only changes since this date: 2026-12-31, 2026-12-31 17:00, yesterday, 12h, 30m',
    ),
    until: valueFlag(timeInput, 'DATE', 'Only changes until this date; a day counts to its end'),
    limit: integerFlag('N', 'Only the last N changes', 1, 1_000_000),
  },
  async run({ arguments: { id: texts }, flags }, context) {
    const { world, report } = context;
    const now = world.clock.now();
    const from = flags.since === undefined ? Number.NEGATIVE_INFINITY : resolveSince(flags.since, now);
    const before = flags.until === undefined ? Number.POSITIVE_INFINITY : endOf(flags.until, now);
    if (from > now)
      throw usageError('--since is in the future', "Give an earlier time, such as 12h or 'yesterday 23:50'.");
    if (before <= from) throw usageError('--until is before --since', 'Give the earlier date with --since.');
    const ids = await resolveKnownIds(context, texts);
    const { entries, unsearched, unreadable, damagedFolders } = await readHistory(world, {
      ids,
      command: flags.command?.trim().replace(/\s+/g, ' '),
      from,
      before,
      limit: flags.limit ?? Number.POSITIVE_INFINITY,
    });
    await report.list({
      columns: flags.long || !world.streams.output.isTerminal ? historyColumns : chooseColumns(entries),
      records: entries,
      raw: entries.map(toHistoryJson),
      isOneLine: !flags.long,
      mayBeLong: true,
    });
    if (entries.length === 0) await report.info('No changes.');
    if (unsearched > 0)
      await report.info(
        `The journals of ${countOf(unsearched, 'bulk run')} cannot be read, so their rows were not searched.`,
      );
    if (unreadable > 0)
      await report.warn(
        `Skipped ${countOf(unreadable, 'line')} in ${[...damagedFolders].join(' and ')}: damaged, or written by a newer wm`,
      );
  },
});

/** Leaves out columns that are empty or equal in all changes, so that whole commands and ids fit. */
function chooseColumns(entries: readonly HistoryEntry[]): readonly Column<HistoryEntry>[] {
  const first = ['time', 'command', 'ids', 'webhook', 'status'];
  const isFirst = ({ title }: Column<HistoryEntry>) => first.includes(title);
  const columns = [...historyColumns.filter(isFirst), ...historyColumns.filter((column) => !isFirst(column))];
  return columns.flatMap((column) => {
    const { title, cell } = column;
    const [first = '', ...otherTexts] = new Set(entries.map((entry) => cell(entry)));
    if (otherTexts.length === 0 && (first === '' || title === 'account' || title === 'host')) return [];
    // The address of a webhook says more than how it is reached.
    if (title === 'webhook') return [{ ...column, cell: (entry) => cell(entry).replace(/^https:\/\//, '') }];
    const isShort = [first, ...otherTexts].every((text) => text.length <= maxUnbrokenLength);
    return [isShort && (title === 'command' || title === 'ids') ? { ...column, unbroken: true } : column];
  });
}

/** The length of `webhook rotate-secret`. A longer list of ids is shortened. */
const maxUnbrokenLength = 22;
