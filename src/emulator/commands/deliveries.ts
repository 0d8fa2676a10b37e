// `wm emulator deliveries`: what a running emulator has delivered, with every attempt and its response.

import { command } from '#cli/command.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { anyJson, anyText, list, object, optional, type TypeOf } from '#contract/schema.ts';
import type { Column } from '#terminal/table.ts';
import { listFlags, reportList, sendControlRequest, withQuery } from './control-request.ts';

const delivery = object('delivery', {
  webhookId: anyText,
  hookUrl: anyText,
  eventType: anyText,
  idempotencyKey: anyText,
  state: anyText,
  attempts: list(object('attempt', { date: optional(anyText), result: optional(anyJson) })),
});

const pipeColumns: readonly Column<TypeOf<typeof delivery>>[] = [
  { title: 'event', cell: ({ eventType }) => eventType, unbroken: true },
  { title: 'webhook', cell: ({ webhookId }) => webhookId, unbroken: true },
  { title: 'state', cell: ({ state }) => state },
  { title: 'responses', cell: ({ attempts }) => attempts.map(({ result }) => String(result)).join(', ') },
  { title: 'to', cell: ({ hookUrl }) => hookUrl },
  { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey },
];

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'List them all, once none is pending': 'wm emulator deliveries --settled',
    'Print bodies and times too, as JSON': 'wm emulator deliveries --json',
  },
  pipeColumns,
  flags: {
    webhook: textFlag('ID', 'List only the deliveries of this webhook', 'webhook'),
    settled: booleanFlag('Wait until no delivery is pending'),
    ...listFlags,
  },
  async run({ flags: { webhook, settled, long } }, context) {
    const name = withQuery('GET /deliveries', { settled, webhookId: webhook });
    const response = await sendControlRequest(context, name, undefined, settled);
    const list = ['deliveries', delivery, pipeColumns] as const;
    await reportList(context, response, list, { none: 'No deliveries.', long });
  },
});
