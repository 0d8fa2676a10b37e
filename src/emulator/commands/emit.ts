// `wm emulator emit EVENT`: causes any event in a running emulator, which delivers it to its webhooks.

import { command } from '#cli/command.ts';
import { parseEventName } from '#cli/event-name.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { number, object, readLeniently, type TypeOf, text } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { controlFlags, sendControlRequest } from './control-request.ts';
import { jsonObjectFlag } from './json-flags.ts';

const emitted = object('event', { idempotencyKey: text('key'), deliveries: number('count') });

const pipeColumns: readonly Column<TypeOf<typeof emitted> & { readonly eventType: string }>[] = [
  { title: 'event', cell: ({ eventType }) => eventType },
  { title: 'deliveries', cell: ({ deliveries }) => String(deliveries) },
  { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey },
];

export default command({
  sendsRequests: true,
  changes: 'the emulator',
  examples: {
    'Emit a comment on the sample task': 'wm emulator emit CommentAdded',
    'Emit an event with your own payload': `wm emulator emit TimelogChanged --payload '{"taskId":"IEAAAAAQKQAB5BNG","hours":"2.5"}'`,
    'Check that a receiver survives a duplicate': 'wm emulator emit TaskCreated --duplicate',
  },
  details:
    '`wm webhook events` lists the events with their payload fields. Fields that you do not set have sample values. Each value must have the type of its field.',
  pipeColumns,
  arguments: { event: { help: 'the name of the event', completes: 'event' } },
  flags: {
    payload: jsonObjectFlag(
      '--payload',
      "Set payload fields, such as the subject's id",
      '{"taskId":"IEAAAAAQKQAB5BNG"}',
    ),
    duplicate: booleanFlag('Deliver it twice, with the same Idempotency-Key'),
    singleObject: booleanFlag('Deliver it as an object, not as a list of one'),
    outOfOrder: booleanFlag('Then deliver an event that is a minute older'),
    ...controlFlags,
  },
  async run({ arguments: { event }, flags }, context) {
    const { payload, duplicate, singleObject, outOfOrder } = flags;
    const requested = { duplicate, 'single-object': singleObject, 'out-of-order': outOfOrder };
    const variants = Object.keys(omitUndefined(requested));
    const eventType = parseEventName(event);
    const body = { ...payload, eventType, ...(variants.length > 0 && { variants }) };
    const response = await sendControlRequest(context, 'POST /events', body);
    if (response === undefined) return;
    const result = readLeniently(emitted, response);
    await context.report.one({ columns: pipeColumns, records: [{ eventType, ...result }], raw: [response] });
    if (result.deliveries === 0)
      await context.report.info(
        `Nothing was delivered: no active webhook in the emulator covers ${eventType} of this subject.\nTo create one: ${formatCommandWith(context, 'webhook create', ['URL'], '--events', eventType)}`,
      );
  },
});
