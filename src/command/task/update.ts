// `wm task update`: the 31 parameters of the service's call, checked before anything is sent, and the task read back.

import { operations } from '../../contract/operation.ts';
import type { TaskDates, TaskUpdate } from '../../contract/task.ts';
import { changesSomething, checkDates, datesHazard } from '../../contract/task-rules.ts';
import { Refused } from '../../contract/value.ts';
import { Failure, usage } from '../../failure.ts';
import { command } from '../command.ts';
import { send } from '../send.ts';
import { taskColumns, taskLines } from './columns.ts';
import { toUpdate, updateFlags } from './update-flags.ts';

export default command({
  examples: [
    { does: 'Finish a task', line: 'wm task update IEAAAAAQKQAB5BNG --status Completed' },
    {
      does: 'A title as it stands: no character needs care',
      line: `wm task update IEAAAAAQKQAB5BNG --title 'a b+c&d=é"'`,
    },
    {
      does: 'Plan it: start and due, or start and duration',
      line: 'wm task update IEAAAAAQKQAB5BNG --start 2026-12-01 --due 2026-12-04',
    },
    {
      does: 'Assign two people',
      line: 'wm task update IEAAAAAQKQAB5BNG --add-responsibles KUAAAAAB,KUAAAAAC',
    },
    {
      does: 'Custom fields and metadata',
      line: 'wm task update IEAAAAAQKQAB5BNG --custom-field IEAAAAAQJUAAAAAB=12 --metadata build=981',
    },
    { does: 'A description from a file', line: 'wm task update IEAAAAAQKQAB5BNG --description @notes.html' },
    {
      does: 'See the request, send nothing',
      line: 'wm task update IEAAAAAQKQAB5BNG --status Active --dry-run',
    },
  ],
  details: `Lists take commas, can be repeated, and can be JSON. Long text and JSON can come from a file (@FILE) or from
standard input (-); @@ is a literal @. A title is always literal.
A due date alone would make a planned task a milestone, and a duration without a start would clear its dates:
both are refused unless --milestone or --allow-clearing-dates says that it is meant.`,
  arguments: { id: { help: 'the id of the task' } },
  flags: updateFlags,
  async run({ arguments: { id }, flags }, context) {
    const update = toUpdate(flags);
    check(update, flags.allowClearingDates === true);
    const answer = await send(context, operations.updateTask, { taskId: id }, update).catch(
      (error: unknown) => {
        throw howToFindOut(error, id);
      },
    );
    if (!answer) return;
    const columns = context.world.streams.output.isTerminal ? taskLines : taskColumns;
    await context.report.one({ columns, records: answer.records, raw: answer.raw });
  },
});

/** What can be told without asking the service. Throws a usage failure. */
function check(update: TaskUpdate, clearingIsMeant: boolean): void {
  if (!changesSomething(update)) {
    throw usage(
      'This update changes nothing',
      'Name at least one change, as in --status Completed. See --help.',
    );
  }
  if (!update.dates) return;
  try {
    checkDates(update.dates);
  } catch (error) {
    if (error instanceof Refused)
      throw usage(`dates: ${error.message}`, 'Give --start with --due or --duration.');
    throw error;
  }
  refuseHazard(update.dates, clearingIsMeant);
}

function refuseHazard(dates: TaskDates, clearingIsMeant: boolean): void {
  const hazard = datesHazard(dates);
  if (hazard === 'becomes-milestone') {
    throw usage(
      `A due date alone (${dates.due}) would make a planned task a milestone`,
      `To keep it planned, give --start with --due. If a milestone is meant: --due ${dates.due} --milestone`,
      'the service drops the start and the duration then',
    );
  }
  if (hazard === 'clears-dates' && !clearingIsMeant) {
    throw usage(
      `A duration (${dates.duration} minutes) without a start would clear the dates of the task`,
      `Give the dates with it: --start DATE --due DATE --duration ${dates.duration}. If clearing is meant: --allow-clearing-dates`,
      'the service wants start and due again with every duration',
    );
  }
}

function howToFindOut(error: unknown, id: string): unknown {
  if (!(error instanceof Failure) || error.code !== 'outcome_unknown') return error;
  return new Failure('outcome_unknown', {
    what: `The update of ${id} was sent, and no answer tells whether it was made`,
    why: error.why,
    hint: `See how the task is now: wm task get ${id}\nAn update can be repeated: sending it again does no harm.`,
    cause: error,
  });
}
