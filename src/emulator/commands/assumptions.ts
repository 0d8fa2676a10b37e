// `wm emulator assumptions`: what the emulator assumes where the service's contract shows nothing.

import { command } from '#cli/command.ts';
import { type Assumption, assumptions } from '#contract/assumption.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<Assumption>[] = [
  { title: 'id', cell: ({ id }) => id },
  { title: 'about', cell: ({ about }) => about },
  { title: 'assumed', cell: ({ assumed }) => assumed },
  { title: 'also accepted by wm', cell: ({ alsoAccepted = '' }) => alsoAccepted },
  { title: 'with --bare', cell: ({ bare = '' }) => bare },
  { title: 'with --strict', cell: ({ strict = '' }) => strict },
  { title: 'seen elsewhere', cell: ({ seen }) => (seen ? 'seen' : '') },
  { title: 'source', cell: ({ source }) => source },
];

export default command({
  changes: 'nothing',
  examples: {
    'List them all': 'wm emulator assumptions',
    'Show what the header Emulator-Assumption names': 'wm emulator assumptions plus-sign task-lists',
  },
  details:
    'The front page of a running emulator shows the same list. The header Emulator-Assumption of each of its responses names the rows that it depends on, but for those whose source is recorded: the service was recorded doing so. The other sources, which Emulator-Assumption-Source names: noted by those who recorded it, the public reference of 2019, and assumed, which is none. `wm emulator start --bare` leaves out the fields that the contract does not show, and `--strict` rejects requests that go beyond the letter of the contract, unless they were recorded.',
  pipeColumns,
  arguments: { row: { help: 'the id of a row, to list no other', many: true, optional: true } },
  async run({ arguments: { row: ids = [] } }, { report }) {
    const all = assumptions.map(({ id }): string => id);
    const unknown = ids.find((id) => !all.includes(id));
    if (unknown !== undefined) throw usageError(`No row has the id ${unknown}`, didYouMean(unknown, all));
    const records = ids.length === 0 ? assumptions : assumptions.filter(({ id }) => ids.includes(id));
    await report.list({ columns: pipeColumns, records, raw: records, mayBeLong: true });
  },
});
