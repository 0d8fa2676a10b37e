// `wm emulator mails`: the e-mails that the service would have sent, such as for a suspended webhook.

import { command } from '#cli/command.ts';
import { anyText, object, type TypeOf } from '#contract/schema.ts';
import type { Column } from '#terminal/table.ts';
import { listFlags, reportList, sendControlRequest } from './control-request.ts';

const mail = object('mail', { to: anyText, subject: anyText, text: anyText, date: anyText });

const pipeColumns: readonly Column<TypeOf<typeof mail>>[] = [
  { title: 'date', cell: ({ date }) => date, unbroken: true },
  { title: 'to', cell: ({ to }) => to },
  { title: 'subject', cell: ({ subject }) => subject },
  { title: 'text', cell: (email) => email.text },
];

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'List them all, oldest first': 'wm emulator mails',
    'Print them in full, as JSON': 'wm emulator mails --json',
  },
  details:
    'The service e-mails the author of a webhook that it suspends after the last failed attempt. The emulator sends no e-mail.',
  pipeColumns,
  flags: listFlags,
  async run({ flags: { long } }, context) {
    const response = await sendControlRequest(context, 'GET /mails');
    await reportList(context, response, ['mails', mail, pipeColumns], { none: 'No e-mails.', long });
  },
});
