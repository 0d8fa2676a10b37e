// `wm webhook get`: one webhook or several, up to a hundred in one call.

import { operations } from '../../contract/operation.ts';
import { Failure } from '../../failure.ts';
import { command } from '../command.ts';
import { send } from '../send.ts';
import { webhookColumns } from './columns.ts';

export default command({
  showsRequests: true,
  examples: [
    { does: 'Is it delivering?', line: 'wm webhook get IEAAAAAQJAAAAAAB' },
    { does: 'Several, as JSON', line: 'wm webhook get IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --json' },
  ],
  columns: webhookColumns,
  arguments: { id: { help: 'the id of a webhook', many: true } },
  flags: {},
  async run({ arguments: { id } }, context) {
    const answer = await send(context, operations.getWebhooks, { webhookIds: id }, {});
    if (!answer) return;
    if (answer.records.length === 0)
      throw new Failure('not_found', { what: `The service knows no webhook of ${id.join(', ')}` });
    const shown = { columns: webhookColumns, records: answer.records, raw: answer.raw };
    await (id.length > 1 ? context.report.list(shown) : context.report.one(shown));
  },
});
