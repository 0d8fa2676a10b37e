// `wm task update`: every parameter of the service's request, for one task (one.ts) or for many (bulk/).

import { usageError } from '../../failure.ts';
import { command } from '../command.ts';
import { booleanFlag, toKebabCase } from '../flag.ts';
import { untilInterrupted } from '../interrupt.ts';
import { bulkFlags } from './bulk/flags.ts';
import { updateTopics } from './help/topics.ts';
import { updateFlags } from './input/update-flags.ts';
import { updateOne } from './single/update-one.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Finish a task', command: 'wm task update IEAAAAAQKQAB5BNG --status Completed' },
    {
      description: 'A title as it stands: no character needs care',
      command: `wm task update IEAAAAAQKQAB5BNG --title 'a b+c&d=é"'`,
    },
    {
      description: 'Plan it: start and due, or start and duration',
      command: 'wm task update IEAAAAAQKQAB5BNG --start 2026-12-01 --due 2026-12-04',
    },
    {
      description: 'Assign two people',
      command: 'wm task update IEAAAAAQKQAB5BNG --add-responsibles KUAABENQ,KUAAADAQ',
    },
    {
      description: 'Custom fields and metadata',
      command: 'wm task update IEAAAAAQKQAB5BNG --custom-field IEAAAAAQJUAB5NUM=12 --metadata build=981',
    },
    {
      description: 'A description from a file',
      command: 'wm task update IEAAAAAQKQAB5BNG --description @notes.html',
    },
    {
      description: 'As people say it: dates, durations, names',
      command:
        "wm task update IEAAAAAQKQAB5BNG --start tomorrow --duration 2d4h --add-responsibles @me --custom-status 'In review'",
    },
    { description: 'Many, from a file', command: 'wm task update --from tasks.csv --errors failed.csv' },
    {
      description: 'Every night: first finish what the last run has left',
      command: 'wm task update --from tasks.csv --yes --resume',
    },
    {
      description: 'See the request, send nothing',
      command: 'wm task update IEAAAAAQKQAB5BNG --status Active --dry-run',
    },
  ],
  details: `A list takes commas, a JSON array, or the flag several times. Long text and JSON can come from a file (@FILE) or from
standard input (-); @@ is a literal @. A title is always literal. A task or folder can be given by its link in the web
workspace. However many ids it gets, it prints the tasks, one each, in that order (--json: one object per line), and names
what failed on standard error. Several ids need a yes, as every bulk run does: add --yes in a script. The exit status is 8
if one of several tasks was not updated.`,
  topics: updateTopics,
  arguments: {
    id: { help: 'the id of a task, or its link; several get the same update', many: true, optional: true },
  },
  flags: {
    ...updateFlags,
    ...bulkFlags,
    undoable: booleanFlag(
      'Keep the values before, so that `wm task undo` can put them back (on a terminal always, but for --from)',
    ),
  },
  // A single update ends as every command does; a bulk has rows under way, and a record to close.
  handlesInterrupt: true,
  async run({ arguments: { id: ids }, flags }, context) {
    const { from, resume, restart, journal, errors, concurrency, rate, maxWait, undoable, ...line } = flags;
    const [id] = ids;
    // They cost a look at each task: of a file, which may have a million rows, only where that was asked for.
    const onTerminal = context.world.streams.output.isTerminal && !context.report.wantsJson;
    const keepsBefore = undoable === true || (onTerminal && from === undefined);
    const ofMany = { resume, restart, journal, errors, concurrency, rate, maxWait };
    const [only] = Object.entries(ofMany).find(([, one]) => one !== undefined) ?? [];
    // One id with such a flag is a bulk of one: what `xargs` leaves over must not be an error.
    if (from !== undefined || ids.length > 1 || (id !== undefined && only !== undefined)) {
      if (from !== undefined && id !== undefined) {
        throw usageError(
          '--from and ids exclude each other',
          'Put the ids into the file, in its column "id".',
        );
      }
      const { bulkUpdate } = await import('./bulk/bulk-update.ts');
      await bulkUpdate(context, {
        ids,
        flags: { from, ...ofMany },
        line,
        undoable: keepsBefore,
      });
      return undefined;
    }
    if (only !== undefined) {
      throw usageError(`--${toKebabCase(only)} is for many tasks`, 'Give it with --from FILE, or with ids.');
    }
    const nothingSaid = Object.keys(line).length === 0;
    if (
      context.canPrompt &&
      !context.common.dryRun &&
      !context.common.curl &&
      (id === undefined || nothingSaid)
    ) {
      const { updateInteractively } = await import('./single/interactive.ts');
      return untilInterrupted(context, () => updateInteractively(context, id, line));
    }
    if (id === undefined)
      throw usageError('Missing: ID', howToSayWhich(context.world.streams.input.isTerminal));
    return untilInterrupted(context, () => updateOne(context, id, line, keepsBefore));
  },
});

/** Somebody may have piped rows into it; whether there are any, only reading would tell. */
function howToSayWhich(isTyped: boolean): string {
  const which = 'It is the id of the task. See --help.';
  return isTyped ? which : `${which}\nFor many tasks, rows are read from standard input with --from -`;
}
