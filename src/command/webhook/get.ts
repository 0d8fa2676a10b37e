// `wm webhook get`: webhooks by their ids, however many.

import { operations } from '../../contract/operation.ts';
import { command } from '../command.ts';
import { found, missing, readSeveral } from '../read-several.ts';
import { webhookColumns, webhookColumnsWith } from './columns.ts';
import { titlesForPerson } from './folder-titles.ts';
import { listAll } from './pick.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Is it delivering?', line: 'wm webhook get IEAAAAAQJAAAAAAB' },
    {
      does: 'Several, one JSON object per line',
      line: 'wm webhook get IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --json',
    },
  ],
  details: 'Prints those that are found, in the order given; the exit status is 5 if any is not.',
  columns: webhookColumns,
  arguments: { id: { help: 'the id of a webhook', many: true } },
  flags: {},
  async run({ arguments: { id } }, context) {
    const several = await readSeveral(context, operations.getWebhooks, 'webhookIds', id, {});
    if (!several) return;
    const { reads, ending } = several;
    const seen = found(reads);
    const records = seen.map(({ record }) => record);
    await context.report.each({
      columns: webhookColumnsWith(await titlesForPerson(context, records)),
      records,
      raw: seen.map(({ raw }) => raw),
    });
    const failure = ending ?? missing(reads, 'webhooks', listAll(context));
    if (failure) throw failure;
  },
});
