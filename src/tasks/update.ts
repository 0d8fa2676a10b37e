// `wm task update`: every parameter of the request, for one task (one/) or for many (many/).

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { formatCount } from '#cli/count-of.ts';
import { queryFlags } from '#cli/flags/common-flags.ts';
import { booleanFlag, type Flags, type ParsedFlags, toKebabCase, valueFlag } from '#cli/flags/flag.ts';
import { untilInterrupted } from '#cli/interrupt.ts';
import { choice } from '#contract/schema.ts';
import { words } from '#contract/words.ts';
import { dateOrders } from '#dates/relative-date.ts';
import { type Failure, joinHints, usageError } from '#failure.ts';
import { updateFlags } from './input/update-flags.ts';
import { allowEmptyHint, bulkFlags, mostUndoableRows } from './many/flags.ts';
import { updateOne } from './one/update-one.ts';
import { canPick, howToNameTasks, missingTask, taskArgumentHelp, tasksArgument } from './select/task-text.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Finish a task': 'wm task update IEAAAAAQKQAB5BNG --status Completed',
    'Name the task by its title': "wm task update 'Write the launch page' --status Completed",
    'Change the title; no character is special': `wm task update IEAAAAAQKQAB5BNG --title 'a b+c&d=é"'`,
    'Set the start and the due date': 'wm task update IEAAAAAQKQAB5BNG --start 2026-12-01 --due 2026-12-04',
    'Assign two users': 'wm task update IEAAAAAQKQAB5BNG --add-responsibles KUAABENQ,KUAAADAQ',
    'Set a custom field and a metadata entry':
      'wm task update IEAAAAAQKQAB5BNG --custom-field IEAAAAAQJUAB5NUM=12 --metadata build=981',
    'Read the description from a file': 'wm task update IEAAAAAQKQAB5BNG --description @notes.html',
    'Use relative dates, durations and names':
      "wm task update IEAAAAAQKQAB5BNG --start tomorrow --duration 2d4h --add-responsibles @me --custom-status 'In review'",
    'Update many tasks from a file': 'wm task update --from tasks.csv --errors failed.csv',
    'Run it every night: finish the previous run first': 'wm task update --from tasks.csv --yes --resume',
    'Show the request without sending it': 'wm task update IEAAAAAQKQAB5BNG --status Active --dry-run',
  },
  details: `Separate the values of a list with commas, repeat the flag, or give a JSON array. Long text and JSON can come from
a file (@FILE) or from standard input (-); to start a value with a literal @, write @@. Titles are always literal. Give folders, and
tasks in flags and files, by id, permalink or title. These commands find ids: wm folder list, wm task list, wm contact list,
wm customfield list, wm workflow list.

${howToNameTasks}

Several ids are a bulk run: confirm it, or add --yes in a script. wm prints the updated tasks in the order of the ids
(with --json, one object per line) and each failure on standard error. The exit status is 8 if any task was not updated.`,
  topics: {
    dates: { summary: 'Forms of start, due date and duration', load: () => import('./help/dates.ts') },
    people: { summary: 'Users: @me, e-mail address, name or id', load: () => import('./help/people.ts') },
    fields: { summary: 'Custom fields and custom statuses', load: () => import('./help/fields.ts') },
    html: { summary: 'HTML tags in a description', load: () => import('./help/html.ts') },
    json: { summary: 'Members of each JSON value', load: () => import('./help/json.ts') },
    limits: { summary: 'Limits of each value', load: () => import('./help/limits.ts') },
    files: { summary: 'Many tasks: --from, results, --resume', load: () => import('./help/files.ts') },
  },
  arguments: { id: { ...tasksArgument, help: `${taskArgumentHelp}; several tasks get the same update` } },
  firstFlags: words(
    'title description status importance addResponsibles start due customField customStatus from',
  ),
  flags: {
    ...updateFlags,
    ...bulkFlags,
    undoable: booleanFlag(
      `Log the previous values, so that \`wm task undo\` can restore them (default: on a terminal, and with --from up to ${formatCount(mostUndoableRows)} rows)`,
      { negatable: true },
    ),
    dateOrder: valueFlag(
      choice('DateOrder', dateOrders),
      'ORDER',
      `Read dates such as 5/12/2026 in this order: ${dateOrders.join(', ')}`,
    ),
    ...queryFlags,
  },
  // A single update is interrupted like any command; a bulk run has requests in flight and a journal to close.
  handlesInterrupt: true,
  async run({ arguments: { id: texts }, flags }, context) {
    const values = pickFlags(flags, updateFlags);
    const bulk = pickFlags(flags, bulkFlags);
    const { from, ids: idsFile } = bulk;
    const ids =
      idsFile === undefined
        ? texts
        : [...texts, ...(await (await import('./many/bulk-update.ts')).readIdLines(context.world, idsFile))];
    const idsName = idsFile === '-' ? 'standard input' : idsFile;
    const [id] = ids;
    const onTerminal = context.world.streams.output.isTerminal && !context.report.wantsJson;
    const { undoable = from === undefined ? onTerminal : undefined } = flags;
    const [bulkFlag] = Object.keys(bulk);
    // One id with such a flag is a bulk run of one: the last batch of `xargs` may be a single id.
    if (from !== undefined || ids.length > 1 || (id !== undefined && bulkFlag !== undefined)) {
      if (from !== undefined && (id !== undefined || idsFile !== undefined))
        throw usageError(
          '--from cannot be combined with ids',
          'Put the ids into the column "id" of the file.',
        );
      const { bulkUpdate } = await import('./many/bulk-update.ts');
      const idsFrom = [texts.length > 0 ? 'the command line' : [], idsName ?? []].flat().join(' and ');
      await bulkUpdate(context, { typed: ids, idsFrom, flags: bulk, defaults: values, undoable });
      return undefined;
    }
    const nothing = idsName === undefined ? 'no task is named' : `there are no ids in ${idsName}`;
    if (bulk.allowEmpty) {
      await context.report.info(`Nothing to update: ${nothing}.`);
      return undefined;
    }
    if (idsFile !== undefined) throw usageError(`T${nothing.slice(1)}`, allowEmptyHint);
    if (bulkFlag !== undefined)
      throw usageError(
        `--${toKebabCase(bulkFlag)} needs --from FILE or ids`,
        'Add --from FILE, or the ids of the tasks.',
      );
    const hasChanges = Object.keys(values).length > 0;
    if ((id === undefined || !hasChanges) && canPick(context)) {
      const { updateInteractively } = await import('./one/interactive.ts');
      return untilInterrupted(context, () => updateInteractively(context, id, values));
    }
    if (id === undefined) throw missingId(context);
    return untilInterrupted(context, () => updateOne(context, id, values, undoable === true));
  },
});

function pickFlags<F extends Flags>(flags: Readonly<Record<string, unknown>>, definitions: F) {
  const picked: Record<string, unknown> = {};
  for (const name in flags) if (Object.hasOwn(definitions, name)) picked[name] = flags[name];
  // Each value was parsed by the flag of its name.
  return picked as ParsedFlags<F>;
}

/** The user may have forgotten --from for piped rows; only reading would show whether there are any. */
function missingId(context: Context): Failure {
  const missing = missingTask(context, 'update');
  if (context.world.streams.input.isTerminal) return missing;
  const hint = joinHints([missing.wholeHint ?? [], 'To read rows from standard input, add --from -'].flat());
  return missing.with({ hint });
}
