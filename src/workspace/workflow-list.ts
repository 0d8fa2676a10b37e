// `wm workflow list`: the workflows of the account or of a space, a line for each status.

import { command } from '#cli/command.ts';
import { textFlag } from '#cli/flags/flag.ts';
import { limitFlag, longFlag, printList } from '#cli/print-list.ts';
import { readPagesOfSpace, withWorkflowsOfSpaces } from '#cli/resolve/read-pages-of-space.ts';
import { createTextMatch } from '#cli/resolve/text-match.ts';
import { accountOperations } from '#contract/account-operations.ts';
import type { Workflow } from '#contract/read-only-records.ts';
import type { Column } from '#terminal/table.ts';

type CustomStatus = NonNullable<Workflow['customStatuses']>[number];

/** A workflow without statuses has a row too. */
interface StatusRow {
  readonly workflow: Workflow;
  readonly status: CustomStatus | undefined;
}

const pipeColumns: readonly Column<StatusRow>[] = [
  { title: 'status id', cell: ({ status }) => status?.id ?? '', unbroken: true },
  { title: 'status', cell: ({ status }) => status?.name ?? '' },
  {
    title: 'group',
    cell: ({ status }) => status?.group ?? '',
    format: ({ status }, style) => (status?.group === 'Active' ? style.good : undefined),
  },
  { title: 'workflow', cell: ({ workflow }) => workflow.name ?? '' },
  { title: 'workflow id', cell: ({ workflow }) => workflow.id, unbroken: true },
  {
    title: 'state',
    cell: ({ workflow, status }) =>
      [workflow.standard ? 'standard' : '', workflow.hidden || status?.hidden ? 'hidden' : '']
        .filter(Boolean)
        .join(', '),
  },
];

/** Users look for a status; its workflow's name only distinguishes statuses of the same name. */
const terminalColumns = pipeColumns.filter(({ title }) => title !== 'workflow id');

export default command({
  changes: 'nothing',
  sendsRequests: true,
  examples: {
    'List the workflows and their statuses': 'wm workflow list',
    'List the workflows of a space': 'wm workflow list --space Studio',
    'Find a status': 'wm workflow list --status review',
  },
  details: `Prints a line for each status; with --json, each workflow as the service returns it.
To set a status, use its name or its id: wm task update ID --custom-status "In review"

wm itself applies --name, --status and --limit. Without --space, the workflows of each
space come after those of the account.`,
  pipeColumns,
  flags: {
    space: textFlag('SPACE', 'Only workflows of this space (title or id)'),
    name: textFlag('TEXT', 'Only workflows whose name contains this text, ignoring case'),
    status: textFlag(
      'TEXT',
      'Only workflows with a status whose name contains this text; only such statuses',
    ),
    limit: { ...limitFlag, help: 'Print at most this many workflows' },
    long: longFlag,
  },
  async run({ flags: { space, name, status, limit, long } }, context) {
    const lists = { all: accountOperations.listWorkflows, ofSpace: accountOperations.listSpaceWorkflows };
    const own = await readPagesOfSpace(context, lists, space);
    const pages = own && space === undefined ? withWorkflowsOfSpaces(await context.session(), own) : own;
    const hasName = createTextMatch(name);
    const hasStatus = createTextMatch(status);
    const statusesOf = ({ customStatuses = [] }: Workflow) =>
      customStatuses.filter((customStatus) => hasStatus(customStatus.name));
    await printList<Workflow, StatusRow>(context, pages, {
      columns: context.world.streams.output.isTerminal ? terminalColumns : pipeColumns,
      toRows(workflow) {
        const statuses = statusesOf(workflow);
        return statuses.length === 0
          ? [{ workflow, status: undefined }]
          : statuses.map((customStatus) => ({ workflow, status: customStatus }));
      },
      accepts: (workflow) =>
        hasName(workflow.name) && (status === undefined || statusesOf(workflow).length > 0),
      limit,
      long,
      thing: ['workflow', 'workflows'],
      none: space === undefined ? 'No workflows.' : 'The space has no workflows.',
    });
  },
});
