// `wm help exit-codes`: the meaning of each exit status, and its codes in `--json`.

import type { TopicPage } from '#cli/command.ts';
import { exitStatusRows } from '#cli/exit-statuses.ts';

export default {
  parts: [
    {
      text: `The exit status says what happened, so a script does not have to read messages. With --json, an error on standard error is an
object with a code, in parentheses below; if the service names an error, the code is the service's own.`,
    },
    {
      title: 'Exit statuses',
      rows: exitStatusRows().map(({ status, meaning, codes }) => [
        String(status),
        codes.length === 0 ? meaning : `${meaning} (${codes.join(', ')})`,
      ]),
    },
    {
      text: `After 2 to 7, nothing was changed. Only the service's own response counts: if a proxy or a sign-in page responded, the
status is 9 after a change, and 1 or 7 after a read; 429 is always a rate limit. After 9, look before you repeat the command: the error says how. A command that wm
emulator exec runs ends with its own exit status. Without a terminal, as under nohup, wm webhook listen, wm webhook forward, wm emulator
start, wm emulator exec and bulk runs ignore SIGHUP.`,
    },
  ],
  examples: {
    'Sign in again only if that is what is missing': 'wm whoami --quiet || test $? -ne 4 || wm login',
  },
} satisfies TopicPage;
