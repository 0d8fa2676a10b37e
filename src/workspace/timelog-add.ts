// `wm timelog add`: records hours of work on a task.

import { command } from '#cli/command.ts';
import { valueFlag } from '#cli/flags/flag.ts';
import { withValueName } from '#cli/parse-values.ts';
import { readWholeList } from '#cli/read-pages.ts';
import { send } from '#cli/send.ts';
import { prepareRequest } from '#client/request.ts';
import { day } from '#contract/date.ts';
import { invalidValue, number, type Schema } from '#contract/schema.ts';
import { itemOperations, type Timelog, timelogHours, timelogParameters } from '#contract/task-items.ts';
import { dayInput, resolveDate } from '#dates/relative-date.ts';
import { usageError } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { durationInput } from '#tasks/input/duration.ts';
import { withCandidates } from '#tasks/lost-creation.ts';
import { nameTask } from '#tasks/select/named-task.ts';
import { taskArgumentHelp } from '#tasks/select/task-text.ts';
import type { Column } from '#terminal/table.ts';

const notHours = 'is not a number of hours: 1.5, 1h30m or 90m';
const minutes = durationInput(number('minutes', { from: 0 }), notHours);

const hoursInput: Schema<number> = {
  ...timelogHours,
  fromWire(text) {
    // For 1:30, the number schema would only say that it is not a number.
    if (!/[a-z]/i.test(text) && Number.isNaN(Number(text))) throw invalidValue(text, notHours);
    // Four places: 20 minutes are 0.3333 hours.
    const hours = /[a-z]/i.test(text)
      ? Math.round((minutes.fromWire(text) / 60) * 10_000) / 10_000
      : timelogHours.fromWire(text);
    if (hours === 0) throw invalidValue(text, 'is not a positive time');
    return timelogHours.validate(hours);
  },
};

const columns: readonly Column<Timelog>[] = [
  { title: 'id', cell: ({ id }) => id, unbroken: true },
  { title: 'task', cell: ({ taskId }) => taskId ?? '' },
  { title: 'user', cell: ({ userId }) => userId ?? '' },
  { title: 'date', cell: ({ trackedDate }) => trackedDate ?? '' },
  { title: 'hours', cell: ({ hours }) => (hours === undefined ? '' : String(hours)) },
  { title: 'comment', cell: ({ comment }) => comment ?? '' },
];

export default command({
  changes: 'the service',
  sendsRequests: true,
  examples: {
    'Log an hour and a half, today': 'wm timelog add IEAAAAAQKQAB5BNG --hours 1.5',
    'Log work of another day, with a comment':
      "wm timelog add IEAAAAAQKQAB5BNG --hours 1h30m --date yesterday --comment 'Proofreading'",
  },
  details: `A bare number is hours: 1.5 is an hour and a half. 90m and 1h30m are the same; a day has 8 hours. Without --date it is
today, in the local calendar.

If the response is lost, wm does not send the request again, since that could log the hours twice: it looks for timelogs of the
same day and hours, names them, and exits with status 9.`,
  pipeColumns: columns,
  arguments: { task: { help: taskArgumentHelp, completes: 'task' } },
  flags: {
    hours: valueFlag(hoursInput, 'HOURS', `${timelogParameters.hours.meaning}: 1.5, 1h30m or 90m`),
    date: valueFlag(
      dayInput,
      'DATE',
      `${timelogParameters.trackedDate.meaning}: 2026-12-31, yesterday (default: today)`,
    ),
    comment: {
      ...valueFlag(timelogParameters.comment.schema, 'TEXT', timelogParameters.comment.meaning),
      acceptsFile: true,
    },
  },
  async run({ arguments: { task }, flags: { hours, date, comment } }, context) {
    const { id: taskId } = await nameTask(context, task);
    prepareRequest(itemOperations.listTaskTimelogs, { taskId }, {});
    if (hours === undefined)
      throw usageError('Missing: --hours', 'Give the hours of work, such as --hours 1.5 or --hours 1h30m.');
    const trackedDate = withValueName('--date', () =>
      resolveDate(date ?? 'today', context.world.clock.now(), day),
    );
    if (date !== undefined && trackedDate !== date)
      await context.report.info(`--date ${date} is ${trackedDate}`);
    const parameters = { hours, trackedDate, ...omitUndefined({ comment }) };
    const response = await withCandidates(
      context,
      {
        noun: 'timelog',
        trait: 'this day and these hours',
        async find() {
          const session = await context.session();
          const timelogs = await readWholeList(session, itemOperations.listTaskTimelogs, { taskId });
          return timelogs.filter((timelog) => timelog.trackedDate === trackedDate && timelog.hours === hours);
        },
      },
      send(context, itemOperations.createTaskTimelog, { taskId }, parameters),
    );
    if (response) await context.report.one({ columns, ...response });
  },
});
