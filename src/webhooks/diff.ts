// `wm webhook diff`: shows how the webhooks at the service differ from a file, and what `apply` would do.

import { command } from '#cli/command.ts';
import { agree } from '#cli/count-of.ts';
import { printIfDryRun } from '#cli/send.ts';
import { webhookOperations } from '#contract/webhook.ts';
import { Failure } from '#failure.ts';
import { isChange } from './hooks-file/hooks-plan.ts';
import { planColumns, planFlags, readPlan, reportOthers, toPlanRow } from './hooks-file/plan-columns.ts';
import { fileArgument, readHooksFile } from './hooks-file/read-hooks-file.ts';
import { nameIds } from './matching/other-webhooks.ts';

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'Show what differs': 'wm webhook diff hooks.yaml',
    'In CI: exit status 10 means that something differs': 'wm webhook diff hooks.yaml --json',
  },
  details: `Shows each entry of the file and each webhook with the change that would bring them in line: none (same), create, replace,
suspend, resume or delete. \`other\` is a webhook that is not in the file and is left alone; \`blocked\` is a change that wm does
not make without --replace-unknown or a more complete file. The exit status is 10 if there is anything but \`same\` and \`other\`;
on a terminal only that is listed.

The file is complete for each URL and scope in it. wm does not compare settings that the service does not show and this machine
did not record, and says which. A secret is never compared.`,
  pipeColumns: planColumns,
  arguments: { file: fileArgument },
  flags: planFlags,
  async run({ arguments: { file }, flags }, context) {
    const entries = await readHooksFile(context, file);
    if (await printIfDryRun(context, webhookOperations.listWebhooks, [{ path: {}, parameters: {} }])) return;
    const { items } = await readPlan(context, entries, flags);
    const rows = items.map(toPlanRow);
    const changes = items.filter(isChange);
    const records = context.world.streams.output.isTerminal ? changes.map(toPlanRow) : rows;
    await context.report.list({ columns: planColumns, records, raw: rows });
    await reportOthers(context, items);
    if (changes.length === 0)
      return void (await context.report.info(`None of ${items.length} differs from the file.`));
    const urls = rows.flatMap(({ change, url }) => (change === 'blocked' ? [url] : []));
    const blocked = urls.length === 0 ? '' : `; ${urls.length} blocked: ${nameIds([...new Set(urls)])}`;
    throw new Failure('check_failed', {
      message: `${changes.length} of ${items.length} ${agree(changes.length, 'differs')} from the file${blocked}`,
    });
  },
});
