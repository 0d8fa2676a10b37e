// `wm customfield list`: the custom fields of the account or of a space, with their types and choices.

import { command } from '#cli/command.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { readPagesOfSpace } from '#cli/resolve/read-pages-of-space.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { accountOperations } from '#contract/account-operations.ts';
import { readChoices } from '#contract/custom-field-schemas.ts';
import type { CustomFieldDefinition } from '#contract/read-only-records.ts';
import type { Column } from '#terminal/table.ts';

const pipeColumns: readonly Column<CustomFieldDefinition>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'title', cell: ({ title }) => title ?? '' },
  { title: 'type', cell: ({ type }) => type ?? '' },
  { title: 'choices', cell: ({ settings }) => formatChoices(settings) },
];

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'List the custom fields': 'wm customfield list',
    'List the custom fields of a space': 'wm customfield list --space Studio',
    'See the choices of a field': 'wm customfield list --title risk',
  },
  details: `To set a custom field, use its title or its id: wm task update ID --custom-field Risk=High

wm itself applies --title, --type and --limit. The service lists the fields of a space.`,
  pipeColumns,
  flags: {
    space: textFlag('SPACE', 'Only custom fields of this space (title or id)'),
    title: textFlag('TEXT', 'Only custom fields whose title contains this text, ignoring case'),
    type: textFlag('TYPE', 'Only custom fields of this type, such as DropDown'),
    limit: limitFlag,
    long: longFlag,
  },
  async run({ flags: { space, title, type, limit, long } }, context) {
    const { listCustomFields: all, listSpaceCustomFields: ofSpace } = accountOperations;
    const pages = await readPagesOfSpace(context, { all, ofSpace }, space);
    const matches = createTextMatch(title);
    await printList(context, pages, {
      columns: pipeColumns,
      toRows: (field) => [field],
      accepts: (field) =>
        matches(field.title) && (type === undefined || field.type?.toLowerCase() === type.toLowerCase()),
      limit,
      long,
      thing: ['custom field', 'custom fields'],
      none: space === undefined ? 'No custom fields.' : 'The space has no custom fields of its own.',
    });
  },
});

/** Choices in the form that a flag takes: a choice with a comma is quoted. */
function formatChoices(settings: unknown): string {
  const { values, allowsOthers } = readChoices(settings);
  const texts = values.map((choice) => (/[",]/.test(choice) ? JSON.stringify(choice) : choice));
  return [...texts, ...(allowsOthers ? ['or any other'] : [])].join(', ');
}
