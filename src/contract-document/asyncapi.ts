// Describes the deliveries of webhooks as an AsyncAPI 3.0 document, for programs that generate or check receivers. OpenAPI 3.0
// cannot describe them. The document takes the receiver's view.

import { assumptions } from '#contract/assumption.ts';
import {
  deliveryHeaders,
  handshakeField,
  handshakeText,
  maxDeliveryAttempts,
  retriedClientErrors,
  senderAddresses,
  successStatuses,
} from '#contract/delivery.ts';
import { type EventName, eventNames, events, payloadFields } from '#contract/event.ts';
import { limit } from '#contract/limit.ts';
import { payloadSchemas, toPayload } from '#contract/payload.ts';
import { exampleIds, samplePayload } from '#contract/sample-payload.ts';
import { challengePattern, signaturePattern } from '#contract/signature.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { Components, type JsonObject } from './json-schema.ts';

const description = `The requests that a work-management service sends to the hookUrl of a webhook, as wm knows them. Each delivery is a POST.

Parts that the contract does not show are assumed: \`x-assumed\` lists the ids of their rows in \`x-assumptions\`. Receivers must
accept events and members that are not listed here: the service adds some without a new version.`;

const signature = { type: 'string', pattern: signaturePattern.source, 'x-assumed': ['signature-text'] };

export function createAsyncApi(): JsonObject {
  const components = new Components('draft-7');
  const messages = {
    delivery: delivery(components),
    deliveryResponse: {
      summary: `Any response with one of these statuses: ${successStatuses.join(', ')}`,
      payload: {},
    },
    handshake,
    handshakeResponse,
  };
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Work-management service webhooks',
      version: '4.0',
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    defaultContentType: 'application/json',
    channels: {
      hookUrl: {
        address: null,
        description: `The hookUrl of a webhook: http or https, a global address, port ${limit.hookUrlPorts.join(' or ')}`,
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
      },
    },
    operations: {
      receiveDelivery: receive('An event that the webhook subscribes to', 'delivery', 'deliveryResponse'),
      answerHandshake: receive(
        'A webhook with a secret is being created: prove that you know the secret',
        'handshake',
        'handshakeResponse',
      ),
    },
    components: { messages, schemas: components.schemas },
    'x-delivery': {
      successStatuses,
      retriedClientErrors,
      attempts: maxDeliveryAttempts,
      senderAddresses,
    },
    'x-assumptions': Object.fromEntries(assumptions.map(({ id, ...row }) => [id, { ...row }])),
  };
}

function receive(summary: string, message: string, reply: string): JsonObject {
  const channel = { $ref: '#/channels/hookUrl' };
  const inChannel = (name: string) => [{ $ref: `#/channels/hookUrl/messages/${name}` }];
  return {
    action: 'receive',
    summary,
    channel,
    messages: inChannel(message),
    bindings: { http: { method: 'POST' } },
    reply: { channel, messages: inChannel(reply) },
  };
}

function delivery(components: Components): JsonObject {
  const oneOf = eventNames.map((name) => eventReference(name, components));
  return {
    summary: 'Events, signed if the webhook has a secret',
    headers: {
      type: 'object',
      required: [deliveryHeaders.idempotencyKey],
      properties: {
        [deliveryHeaders.idempotencyKey]: {
          type: 'string',
          minLength: 1,
          description: 'Names the event; the same on every attempt',
        },
        [deliveryHeaders.signature]: {
          ...signature,
          description: 'HMAC-SHA256 of the body under the secret; only if the webhook has one',
        },
      },
    },
    payload: { type: 'array', minItems: 1, items: { oneOf }, 'x-assumed': ['events-per-delivery'] },
    examples: eventNames.map((name) => ({ name, payload: [sampleEvent(name)] })),
  };
}

const challenge = {
  type: 'string',
  pattern: challengePattern.source,
  maxLength: limit.challengeCharacters,
  description: 'A challenge; respond to no other text, since it could be a forged body',
};

const handshake: JsonObject = {
  summary: 'Asks for the HMAC of a challenge',
  headers: {
    type: 'object',
    required: [deliveryHeaders.secret, deliveryHeaders.signature],
    properties: {
      [deliveryHeaders.secret]: challenge,
      [deliveryHeaders.signature]: { ...signature, description: 'HMAC-SHA256 of the body under the secret' },
    },
  },
  payload: {
    type: 'object',
    required: [handshakeField],
    properties: { [handshakeField]: { type: 'string' } },
    'x-assumed': ['handshake-body'],
  },
  examples: [{ name: 'handshake', payload: { [handshakeField]: handshakeText } }],
};

const handshakeResponse: JsonObject = {
  summary: 'Proves that the receiver knows the secret',
  headers: {
    type: 'object',
    required: [deliveryHeaders.secret],
    properties: {
      [deliveryHeaders.secret]: {
        ...signature,
        description: 'HMAC-SHA256 of the challenge under the secret',
      },
    },
  },
  payload: {},
};

function eventReference(name: EventName, components: Components): JsonObject {
  return components.reference(name, events[name], () => eventSchema(name, components));
}

function eventSchema(name: EventName, components: Components): JsonObject {
  const { subject, note } = events[name];
  const rows = Object.entries(payloadSchemas(name));
  return {
    type: 'object',
    ...omitUndefined({ description: note }),
    required: rows.map(([field]) => field),
    properties: {
      ...Object.fromEntries(rows.map(([field, schema]) => [field, components.translate(schema, 'received')])),
      fields: {
        type: 'object',
        description: 'The fields that the webhook requests with `fields`',
        properties: Object.fromEntries(payloadFields[subject].map((field) => [field, {}])),
      },
    },
  };
}

const sampleDate = '2026-01-31T09:00:00Z';

const sampleSubjects = {
  taskId: exampleIds.task,
  folderId: exampleIds.folder,
  workItemId: exampleIds.task,
  createdTaskGroupId: exampleIds.folder,
  parentTaskGroupId: exampleIds.folder,
} as const;

function sampleEvent(name: EventName): JsonObject {
  const head = {
    webhookId: exampleIds.webhook,
    authorId: exampleIds.author,
    date: sampleDate,
    subjectId: sampleSubjects[events[name].idField],
  };
  return toPayload(name, head, samplePayload(name, exampleIds, 'A new title'));
}
