// `wm task update --help dates`: the forms of dates and durations, what goes together, and what would lose dates.

import { limit } from '../../../contract/limit.ts';
import type { TopicPage } from '../../command.ts';
import { durationForms } from '../input/duration.ts';
import { dateForms } from '../input/relative-date.ts';

const page: TopicPage = {
  parts: [
    {
      title: 'Dates (--start, --due, and custom fields that hold a date)',
      text: `Relative dates count from today, on this machine's calendar, and are shown before anything is sent. A weekday is the
next one, never today. Each form takes a time behind it, and in any case. Task dates have no time zone.`,
      rows: dateForms,
    },
    {
      title: 'Durations (--duration, --total-effort)',
      text: `A day has ${limit.minutesPerDay} minutes of work.`,
      rows: durationForms,
    },
    {
      title: 'What goes together',
      rows: [
        ['planned', '--start with --due, or --start with --duration'],
        [
          'milestone',
          '--due alone, with --milestone; without it only for a task that is a milestone already',
        ],
        ['backlog', '--backlog, with no dates; --duration may be given'],
      ],
    },
    {
      title: 'What would lose dates',
      text: `A due date alone makes a planned task a milestone: its start and duration are lost. Without --milestone, wm reads
the task first, and sends the date only if the task is a milestone already; if it is not, or cannot be read, nothing is sent.
With --dry-run or --curl, for several tasks, and for the rows of a file, no task is read, and --milestone is needed.

A duration without a start clears the dates. To change the duration of a planned task, give its start and due date again.
--allow-clearing-dates sends it as it is.`,
    },
  ],
  examples: [
    {
      description: 'Plan it',
      command: 'wm task update IEAAAAAQKQAB5BNG --start 2026-12-01 --due 2026-12-04',
    },
    {
      description: 'With times',
      command: "wm task update IEAAAAAQKQAB5BNG --start '2026-12-01 09:00' --due '2026-12-04 17:00'",
    },
    {
      description: 'By its length',
      command: "wm task update IEAAAAAQKQAB5BNG --start 'next monday' --duration 2d4h",
    },
    { description: 'Move a milestone', command: 'wm task update IEAAAAAQKQAB5MIL --due 2026-12-24' },
    {
      description: 'Make it a milestone',
      command: 'wm task update IEAAAAAQKQAB5BNG --due 2026-12-24 --milestone',
    },
    { description: 'Take it off the calendar', command: 'wm task update IEAAAAAQKQAB5BNG --backlog' },
  ],
};

export default page;
