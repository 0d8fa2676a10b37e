// `wm auth token`: prints an access token that is valid for at least another minute, and nothing else.

import { command } from '#cli/command.ts';

export default command({
  changes: 'nothing',
  examples: {
    'Send a request with curl':
      'curl -H "Authorization: Bearer $(wm auth token)" https://api.example.com/api/v4/account',
  },
  async run(_input, { credentials, report }) {
    const { token } = await (await credentials()).access();
    if (report.wantsJson) await report.withSecrets().json({ token });
    else await report.withSecrets().line(token);
  },
});
