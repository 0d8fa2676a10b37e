// `wm help scripting`: how to use wm in programs, without a user.

import type { TopicPage } from '#cli/command.ts';
import { exitStatuses } from '#cli/exit-statuses.ts';

export default {
  parts: [
    {
      title: 'Sign-in',
      text: `Set WM_TOKEN to a permanent token and WM_HOST to its host. No sign-in is stored, and nothing is refreshed. Never put
the token on a command line: other users of the machine could read it.`,
    },
    {
      title: 'Unattended',
      rows: [
        [
          '--no-input',
          'Never prompt: a missing value is a usage error that names the flag. The same under CI or WM_NO_INPUT',
        ],
        ['--yes', 'Confirm without a prompt'],
        ['--json', 'Results on standard output and errors on standard error, as JSON'],
        ['--jq EXPR', 'A part of that JSON; see wm help output'],
        ['--read-only', 'Send no request to the service that changes anything; WM_READ_ONLY does the same'],
        ['--dry-run', 'Print the request; change nothing'],
        ['--timeout SECONDS', 'The time limit for one request'],
      ],
    },
    {
      title: 'After a command',
      text: `Read the exit status: wm help exit-codes. wm repeats a request by itself where that is safe. Never repeat a change after 9
(${exitStatuses[9]}) without looking: the error says how.`,
    },
    {
      title: 'Many tasks',
      text: `wm task update --from FILE sends one row per task, and records each row before it is sent. --resume continues a run that
ended early, so a job can always use it. wm help task update files has the details.`,
    },
    {
      title: 'What wm can do',
      text: `wm help --json prints every command with its arguments, flags, choices and defaults, and the most that it may change.`,
    },
  ],
  examples: {
    'Update a task in a script': 'wm task update IEAAAAAQKQAB5BNG --metadata build=981 --json --no-input',
    'Describe one command to a program': 'wm help task update --json',
  },
} satisfies TopicPage;
