// `wm webhook diff`: shows how the webhooks at the service differ from a file, and what `apply` would do.

import { command } from '#cli/command.ts';
import { send } from '#cli/send.ts';
import { operations } from '#contract/operation.ts';
import { Failure } from '#failure.ts';
import { isChange } from './hooks-file/hooks-plan.ts';
import { planColumns, toPlanJson } from './hooks-file/plan-columns.ts';
import { fileArgument, readHooksFile } from './hooks-file/read-hooks-file.ts';
import { planFlags, planFrom, reportOthers, toPlanOptions } from './hooks-file/read-plan.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: [
    { description: 'Show what differs', command: 'wm webhook diff hooks.yaml' },
    {
      description: 'In CI: exit status 10 means that something differs',
      command: 'wm webhook diff hooks.yaml --json',
    },
  ],
  details: `Shows each entry of the file and each webhook with what brings the two in line: nothing (same), create, replace, suspend,
resume or delete it. \`other\` is a webhook that is not in the file and is left alone; \`blocked\` is what wm does not do without
--replace-unknown or a more complete file. The exit status is 10 if anything but \`same\` and \`other\` is there.

The file says everything about each URL and scope in it. What the service does not show, and this machine did not record, is
not compared, and the line says so. A secret is never compared.`,
  pipeColumns: planColumns,
  arguments: { file: fileArgument },
  flags: planFlags,
  async run({ arguments: { file }, flags }, context) {
    const entries = await readHooksFile(context, file);
    const response = await send(context, operations.listWebhooks, {}, {});
    if (!response) return;
    const { items } = await planFrom(context, response, entries, toPlanOptions(flags));
    await context.report.list({ columns: planColumns, records: items, raw: items.map(toPlanJson) });
    await reportOthers(context, items);
    const changes = items.filter(isChange);
    if (changes.length === 0) return;
    throw new Failure('check_failed', {
      message: `${changes.length} of ${items.length} ${changes.length === 1 ? 'differs' : 'differ'} from the file`,
    });
  },
});
