// `wm task update --help files`: many tasks, from a file or standard input, and what comes of each row.

import type { TopicPage } from '../../command.ts';

const page: TopicPage = {
  parts: [
    {
      title: 'Input (--from FILE, or - for standard input)',
      text: `CSV has a header with "id" and names of flags (title, due, add-responsibles, "custom-field:Colours"). NDJSON has lines of
{"id": ..., and the service's own parameters}. An empty cell leaves the field as it is. Cells are literal: @ and - stand for no
file. Flags on the command line apply to every row. Lists add up; of anything else, the value of the row counts.

People, custom fields and custom statuses can be given by name, and are looked up once for all rows. No task is read, so a
due date alone needs --milestone, and a description that loses tags is counted in one warning.`,
    },
    {
      title: 'Results',
      text: `Each row of --from is a line on standard output (on a terminal: each that was not updated): its line in the input, its id, its
outcome, and the reason. With --json it is an object with "outcome". Rows that were not reached have no line. The same line
numbers are in the plan, the journal and the file of --errors, whose added columns "line" and "error" are skipped when it is
sent again.`,
      rows: [
        ['updated', 'The service made the change'],
        ['failed', 'The service rejected it'],
        ['refused', 'It is invalid, and was not sent'],
        ['unknown', 'It was sent, and no response came'],
        ['unsent', 'It never left this machine'],
      ],
    },
    {
      title: 'After a run that ended early',
      text: `--resume continues it: rows with a response are not sent again, those of unknown outcome are, and results that are
not recorded as listed are listed (with --json, without their task). Where there is nothing to continue, --resume starts a new run, so
that a nightly job can always say it. --restart sends every row again. The exit status is 8 when a row failed, was not sent or
is of unknown outcome; 1 when all were updated, but an output could not be written.`,
    },
  ],
  examples: [
    {
      description: 'Show the plan and the first requests',
      command: 'wm task update --from tasks.csv --dry-run',
    },
    {
      description: 'Send it, in a script',
      command: 'wm task update --from tasks.csv --yes --errors failed.csv',
    },
    {
      description: 'Every night: first finish what the last run has left',
      command: 'wm task update --from tasks.csv --yes --resume',
    },
  ],
};

export default page;
