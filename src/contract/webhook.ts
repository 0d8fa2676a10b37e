// The webhook: its record, and the operations that read, change and delete one.

import { identifier } from './identifier.ts';
import { isJsonObject } from './json.ts';
import { operation, withNames } from './operation.ts';
import { assumed, boolean, choice, list, object, openText, optional, type TypeOf, text } from './schema.ts';

export const webhookStatus = choice('WebhookStatus', ['Active', 'Suspended']);
export const webhookId = identifier('WebhookId');

export const webhookRecord = object('Webhook', {
  // The contract shows no pattern. Only in a path can an id be invalid.
  id: text('text', { notEmpty: true }),
  accountId: optional(identifier('AccountId')),
  folderId: optional(identifier('FolderId')),
  hookUrl: optional(text('URL')),
  status: optional(openText(webhookStatus)),
  events: assumed(list(text('event')), 'webhook-record'),
  recursive: assumed(boolean, 'webhook-record'),
});

export type Webhook = TypeOf<typeof webhookRecord>;
export type WebhookStatus = TypeOf<typeof webhookStatus>;

const webhookUpdateParameters = {
  status: { schema: webhookStatus, meaning: 'Active or Suspended', required: true },
} as const;

const { readLeniently = webhookRecord.validate } = webhookRecord;
/** Of a list, in which a webhook without an id does not hide the others: its id is empty. */
const listedWebhook = {
  ...webhookRecord,
  readLeniently(input: unknown): Webhook {
    if (!isJsonObject(input) || (input['id'] && typeof input['id'] === 'string')) return readLeniently(input);
    return { ...readLeniently({ ...input, id: 'none' }), id: '' };
  },
};

/** For `kind` and `record` of an operation that responds with webhooks. */
export const webhooks = { kind: 'webhooks', record: webhookRecord } as const;

export const webhookOperations = withNames({
  listWebhooks: operation('GET', '/webhooks', { ...webhooks, record: listedWebhook }),
  getWebhooks: operation('GET', '/webhooks/{webhookIds}', webhooks),
  updateWebhook: operation('PUT', '/webhooks/{webhookId}', {
    parameters: webhookUpdateParameters,
    ...webhooks,
  }),
  deleteWebhook: operation('DELETE', '/webhooks/{webhookId}', {
    ...webhooks,
    assumption: 'webhook-delete-response',
  }),
});
