// `wm whoami`: asks the service who the token stands for.

import { operations } from '../contract/operation.ts';
import { knownBaseUrl } from '../login/account.ts';
import { command } from './command.ts';
import { identityColumns, readIdentity } from './identity.ts';
import { createRequestText } from './send.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Who is signed in', line: 'wm whoami' },
    { does: 'The account’s id, for a script', line: 'wm whoami --json' },
  ],
  columns: identityColumns,
  arguments: {},
  flags: {},
  async run(_input, context) {
    if (context.common.dryRun || context.common.curl) {
      const text = await createRequestText(context);
      await context.report.line(text(operations.getAccount, {}, {}));
      await context.report.line(text(operations.listContacts, {}, { me: true }));
      return;
    }
    const session = await context.session();
    const base = (await knownBaseUrl(context.world, context.account)) ?? '';
    const identity = await readIdentity(session, URL.canParse(base) ? new URL(base).host : '');
    await context.report.one({ columns: identityColumns, records: [identity], raw: [identity] });
  },
});
