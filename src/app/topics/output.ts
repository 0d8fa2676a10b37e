// `wm help output`: what commands print on a terminal, in a pipe and with --json.

import type { TopicPage } from '#cli/command.ts';

export default {
  parts: [
    {
      text: `Only results go to standard output. Prompts, progress, warnings and errors go to standard error; --quiet
leaves only warnings and errors.`,
    },
    {
      title: 'Results',
      rows: [
        [
          'on a terminal',
          'Tables and blocks as wide as the terminal, in colour; --no-color or NO_COLOR turns colour off',
        ],
        ['in a pipe', 'One line per record, tab-separated, without a header; nothing is shortened'],
        ['with --json', 'JSON with the field names of the service'],
      ],
    },
    {
      title: 'Long tables',
      text: `On a terminal, wm shows a list in the pager that WM_PAGER or PAGER names, or in less, which quits at once if everything fits.
--no-pager, --no-input, CI, ACCESSIBLE and TERM=dumb turn the pager off; WM_PAGER=cat does so for wm alone.`,
    },
    {
      title: 'In a pipe',
      text: `A tab, a line break or a backslash in a value is written \\t, \\n (\\r) or \\\\, and any other control character \\xNN, its number in
hexadecimal: \\x1b is ESC. \`wm COMMAND --help all\` lists the columns of a command; their order
is part of the interface.`,
    },
    {
      title: 'With --json',
      text: `In a pipe each document is on one line; on a terminal it is indented. A list is an array, [] if it is empty. A command that
takes ID... prints one object per line, even for one id; wm history ID... prints an array. An error is an object on standard error:
{"error":{"code","message","hint","httpStatus","next"}}, where next is a command that helps, if there is one.
If standard error is not a terminal, each other message is a line of JSON there too: {"info"}, {"warning"}, {"trace"} of --verbose, and
{"details"} with named values.`,
    },
    {
      title: 'With --jq EXPR',
      text: `Filters that JSON with jq, which wm brings along. Strings are printed without quotes. An invalid filter is a usage error before
anything is sent. debug and stderr of jq write to standard error; if the command fails, its
error is the last line there. A filter gets no environment: --arg NAME=VALUE sets $NAME in it. jq holds a list as a whole, up to some
30,000 tasks: for more, begin the filter with .[], alone, with a path or before a pipe, or give --limit.`,
    },
    {
      text: `On a terminal, control characters in text from the service are shown as escapes. JSON carries the text unchanged.`,
    },
  ],
  examples: {
    'Take one column': 'wm webhook events | cut -f1',
    'Print the same as JSON': 'wm webhook events --json',
    'Give the filter a value': "wm webhook events --jq '.[] | select(.name == $name)' --arg name=TaskCreated",
    'Print the names alone': "wm webhook events --jq '.[].name'",
  },
} satisfies TopicPage;
