// The `wm emulator` commands of events: emit one, list deliveries and e-mails. Rows of control-commands.ts.

import { parseEventName } from '#cli/event-name.ts';
import { booleanFlag, textFlag } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import * as schema from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Column } from '#terminal/table.ts';
import { controlCommand, jsonObjectFlag, listOf, texts } from './control-command.ts';

const delivery = schema.object('delivery', {
  ...texts('webhookId', 'hookUrl', 'eventType', 'idempotencyKey', 'state'),
  attempts: schema.list(schema.object('attempt', { result: schema.optional(schema.anyJson) })),
});

const emitted = schema.object('event', {
  idempotencyKey: schema.text('key'),
  deliveries: schema.number('count'),
});

const emittedColumns: readonly Column<schema.TypeOf<typeof emitted> & { readonly eventType: string }>[] = [
  { title: 'event', cell: ({ eventType }) => eventType },
  { title: 'deliveries', cell: ({ deliveries }) => String(deliveries) },
  { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey },
];

export const eventCommands = {
  emit: controlCommand({
    examples: {
      'Emit a comment on the sample task': 'wm emulator emit CommentAdded',
      'Emit an event with your own payload': `wm emulator emit TimelogChanged --payload '{"taskId":"IEAAAAAQKQAB5BNG","hours":"2.5"}'`,
      'Check that a receiver survives a duplicate': 'wm emulator emit TaskCreated --duplicate',
    },
    details:
      '`wm webhook events` lists the events with their payload fields. Fields that you do not set have sample values. Each value must have the type of its field.',
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
    },
    call({ arguments: { event }, flags: { payload, duplicate, singleObject, outOfOrder } }) {
      const requested = { duplicate, 'single-object': singleObject, 'out-of-order': outOfOrder };
      const variants = Object.keys(omitUndefined(requested));
      const body = { ...payload, eventType: parseEventName(event), ...(variants.length > 0 && { variants }) };
      return { path: '/events', body };
    },
    pipeColumns: emittedColumns,
    async print(response, context, { arguments: { event } }) {
      const eventType = parseEventName(event);
      const { report } = context;
      const result = schema.readLeniently(emitted, response);
      await report.one({ columns: emittedColumns, records: [{ eventType, ...result }], raw: [response] });
      if (result.deliveries === 0)
        await report.info(
          `Nothing was delivered: no active webhook in the emulator covers ${eventType} of this subject.\nTo create one: ${formatCommandWith(context, 'webhook create', ['URL'], '--events', eventType)}`,
        );
    },
  }),
  deliveries: controlCommand({
    onlyReads: true,
    examples: {
      'List them all, once none is pending': 'wm emulator deliveries --settled',
      'Print bodies and times too, as JSON': 'wm emulator deliveries --json',
    },
    flags: {
      webhook: textFlag('ID', 'List only the deliveries of this webhook', 'webhook'),
      settled: booleanFlag('Wait until no delivery is pending'),
    },
    call: ({ flags: { webhook: webhookId, settled } }) => ({
      path: '/deliveries',
      query: { settled, webhookId },
      waitsForDeliveries: settled,
    }),
    ...listOf(
      'deliveries',
      delivery,
      [
        { title: 'event', cell: ({ eventType }) => eventType, unbroken: true },
        { title: 'webhook', cell: ({ webhookId }) => webhookId, unbroken: true },
        { title: 'state', cell: ({ state }) => state },
        {
          title: 'responses',
          cell: ({ attempts }) => attempts.map(({ result }) => String(result)).join(', '),
        },
        { title: 'to', cell: ({ hookUrl }) => hookUrl },
        { title: 'key', cell: ({ idempotencyKey }) => idempotencyKey },
      ],
      'No deliveries.',
      true,
    ),
  }),
  mails: controlCommand({
    onlyReads: true,
    examples: {
      'List them all, oldest first': 'wm emulator mails',
      'Print them in full, as JSON': 'wm emulator mails --json',
    },
    details:
      'The service e-mails the author of a webhook that it suspends after the last failed attempt. The emulator sends no e-mail.',
    flags: {},
    call: () => ({ path: '/mails' }),
    ...listOf(
      'mails',
      schema.object('mail', texts('to', 'subject', 'text', 'date')),
      [
        { title: 'date', cell: ({ date }) => date, unbroken: true },
        { title: 'to', cell: ({ to }) => to },
        { title: 'subject', cell: ({ subject }) => subject },
        { title: 'text', cell: (mail) => mail.text },
      ],
      'No e-mails.',
      true,
    ),
  }),
} as const;
