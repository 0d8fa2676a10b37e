// `wm emulator assumptions`: what the emulator assumes where the service's contract shows nothing.

import { command } from '#cli/command.ts';
import { type Assumption, assumptions } from '#contract/assumption.ts';
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
  examples: { 'List them all': 'wm emulator assumptions' },
  details:
    'The front page of a running emulator shows the same list. The header Emulator-Assumption of each of its responses names the rows that it depends on, but for those whose source is recorded: the service was recorded doing so. The other sources, which Emulator-Assumption-Source names: noted by those who recorded it, the public reference of 2019, and assumed, which is none. `wm emulator start --bare` leaves out the fields that the contract does not show, and `--strict` rejects requests that go beyond the letter of the contract, unless they were recorded.',
  pipeColumns,
  async run(_input, { report }) {
    await report.list({ columns: pipeColumns, records: assumptions, raw: assumptions, mayBeLong: true });
  },
});
