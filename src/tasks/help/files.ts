// `wm task update --help files`: many tasks from a file or standard input, and the outcome of each row.

import type { TopicPage } from '#cli/command.ts';

export default {
  parts: [
    {
      title: 'Input (--from FILE, or - for standard input)',
      text: `CSV has a header with "id" and names of flags (title, due, add-responsibles, "custom-field:Colours"). JSON has
objects, one after the other, in a list, or in a saved response: {"id": ..., and the service's own parameters}. From whole records, as \`wm task list --json\`
prints them, wm takes only the ids, so that it does not send old titles and dates back; --columns title,status takes those too. An empty
cell changes nothing. Cells are literal: @ and - do not name files. Flags on the command line apply to every row: lists are joined; for
anything else, the row wins.

wm skips and counts empty rows and columns without a name, which spreadsheets add. A first line "sep=;" names the delimiter. TRUE and
FALSE are accepted, and choices ignoring case. --ignore-column skips a column that does not belong to a task. If there are no rows, wm
exits with 2, or with 0 if you add --allow-empty.

If a date such as 12/31/2026 contradicts the account's date format, wm sends nothing: give the order with --date-order.

Give users, custom fields and custom statuses by id or name; names are looked up once for all rows. A due date
alone needs --keep-start or --milestone. One warning counts the descriptions that lose tags.

Up to 1,000 rows can be undone: wm reads the tasks first, 100 in a request, and if that fails, sends nothing. --no-undoable skips it;
for a longer file, add --undoable. To undo the run: wm task undo --run JOURNAL`,
    },
    {
      title: 'Results',
      text: `Each row of --from is printed on standard output (on a terminal only if it was not updated): its line in the input, its id, its
outcome and the reason. With --json it is an object with "outcome". Rows that the run did not reach are not printed. The plan, the
journal and the errors file use the same line numbers. The errors file has three more columns, "line", "outcome" and "error", which
are ignored when you send it again.`,
      rows: [
        ['updated', 'The service made the change'],
        ['failed', 'The service rejected it'],
        ['invalid', 'wm found an error and did not send it'],
        ['unknown', 'It was sent, and no usable response came'],
        ['not-sent', 'It never left this machine'],
      ],
    },
    {
      title: 'After a run that ended early',
      text: `--resume continues it: it skips rows that are done, sends rows that are unknown or not sent, and prints the
results that the journal does not record as printed (with --json, without their task). After a power cut, rows that may have been sent
although the journal lost them count as unknown; they are listed before they are sent again. If there is nothing to continue, as after a run
that reached its end, --resume starts a new run, which sends every row: a nightly job can always use it. If the file has changed since
the run that ended early, --resume starts with the new file, lists the ids of unfinished rows that the new file lacks, and exits with 8;
later runs do not list them again. With --journal FILE it does the same with that journal, and keeps the old journal as FILE.old.
--restart sends every row again. The exit status is 8 if a row failed, was not sent or has an unknown outcome, and 1 if all were updated
but an output could not be written. If a failure such as a rate limit ended the run before anything was changed, the exit status is that
failure's own.`,
    },
  ],
  examples: {
    'Change all tasks that a list finds':
      'wm task list --title page --json | wm task update --from - --importance High --yes',
    'The same by id; without a match, it does nothing':
      "wm task list --title page --jq '.[].id' | wm task update --ids - --importance High --yes --allow-empty",
    'Show the plan and the first requests': 'wm task update --from tasks.csv --dry-run',
    'Send it from a script': 'wm task update --from tasks.csv --yes --errors failed.csv',
    'Run it every night: finish the previous run first': 'wm task update --from tasks.csv --yes --resume',
  },
} satisfies TopicPage;
