// `wm task update --help dates`: the forms of dates and durations, their valid combinations, and updates that would lose dates.

import type { TopicPage } from '#cli/command.ts';
import { limit } from '#contract/limit.ts';
import { dateForms } from '#dates/relative-date.ts';
import { durationForms } from '../input/duration.ts';

export default {
  parts: [
    {
      title: 'Dates (--start, --due, and custom fields that hold a date)',
      text: `Relative dates count from today on this machine's calendar. wm prints the date that each stands for before it sends
anything. A weekday means the next one, never today. You can add a time to any form. Case does not matter. Task dates have no time zone.`,
      rows: dateForms,
    },
    {
      title: 'Durations (--duration, --total-effort)',
      text: `A day has ${limit.minutesPerDay} minutes of work.`,
      rows: durationForms,
    },
    {
      title: 'Valid combinations',
      rows: [
        ['planned', '--start with --due, or --start with --duration'],
        ['milestone', '--due with --milestone; --due alone if the task is already a milestone'],
        ['backlog', '--backlog without dates; --duration is allowed'],
      ],
    },
    {
      title: 'Weekends',
      text: `The service moves a start on a Saturday or a Sunday to Monday, unless the task works on weekends (--work-on-weekends). wm
says so before it sends the update.`,
    },
    {
      title: 'Updates that would lose dates',
      text: `A due date alone turns a planned task into a milestone, which loses its start and duration. So without --milestone, wm
reads the task first, also with --dry-run. A milestone is moved; for a planned task, wm asks on a terminal whether to keep the start
or move it too. For several tasks and for the rows of a file, wm reads no task: add --keep-start or --milestone.

--keep-start reads each task and sends its start along with --due; in CSV it is the column keep-start. A change of the start between
the two is lost.

A duration without a start clears the dates. To change the duration of a planned task, repeat its start and due date. To
clear the dates, add --allow-clearing-dates.`,
    },
  ],
  examples: {
    'Set the start and the due date': 'wm task update IEAAAAAQKQAB5BNG --start 2026-12-01 --due 2026-12-04',
    'Set them with times':
      "wm task update IEAAAAAQKQAB5BNG --start '2026-12-01 09:00' --due '2026-12-04 17:00'",
    'Set the start and the duration': "wm task update IEAAAAAQKQAB5BNG --start 'next monday' --duration 2d4h",
    'Move the due date, and keep the start': 'wm task update IEAAAAAQKQAB5BNG --due 2026-12-24 --keep-start',
    'Move a milestone': 'wm task update IEAAAAAQKQAB5MIL --due 2026-12-24',
    'Make it a milestone': 'wm task update IEAAAAAQKQAB5BNG --due 2026-12-24 --milestone',
    'Move it to the backlog': 'wm task update IEAAAAAQKQAB5BNG --backlog',
  },
} satisfies TopicPage;
