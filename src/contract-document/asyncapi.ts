// Describes the deliveries of webhooks as an AsyncAPI 3.0 document, for programs that generate or check receivers: OpenAPI 3.0
// cannot describe them. The view is the receiver's.

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
import { eventNames } from '#contract/event.ts';
import { limit } from '#contract/limit.ts';
import { challengePattern, signaturePattern } from '#contract/signature.ts';
import { eventReference, sampleEvent } from './asyncapi-event.ts';
import { assumptionsNote, Components, type JsonObject } from './json-schema.ts';

const description = `The requests that a work-management service sends to the hookUrl of a webhook, as wm knows them. Each delivery is a POST.

${assumptionsNote} Receivers must
accept events and members that are not listed here: the service adds some without a new version.`;

const signature = { type: 'string', pattern: signaturePattern.source, 'x-assumed': ['signature-text'] };

export function createAsyncApi(): JsonObject {
  const components = new Components('draft-7');
  const messages = {
    delivery: delivery(components),
    deliveryResponse: {
      summary: `Any response with one of these statuses: ${successStatuses.join(', ')}`,
      payload: named(components, 'ResponseBody', responseBody),
    },
    handshake: handshake(components),
    handshakeResponse: handshakeResponse(components),
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
    'x-delivery': { successStatuses, retriedClientErrors, attempts: maxDeliveryAttempts, senderAddresses },
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

const responseBody: JsonObject = { description: 'Any, or none' };

/** Generators name a type after its component, and invent names for other schemas. */
const named = (components: Components, name: string, schema: JsonObject): JsonObject =>
  components.reference(name, schema, () => schema);

function delivery(components: Components): JsonObject {
  const event = named(components, 'Event', {
    oneOf: eventNames.map((name) => eventReference(name, components)),
    discriminator: 'eventType',
  });
  const { idempotencyKey, signature: signatureHeader, secret } = deliveryHeaders;
  return {
    summary: 'Events, signed if the webhook has a secret',
    headers: named(components, 'DeliveryHeaders', {
      type: 'object',
      required: [idempotencyKey],
      properties: {
        [idempotencyKey]: {
          type: 'string',
          minLength: 1,
          description: 'Names the event; the same on every attempt',
          'x-assumed': ['shared-idempotency-key'],
        },
        [signatureHeader]: {
          ...signature,
          description: 'HMAC-SHA256 of the body under the secret; only if the webhook has one',
        },
        [secret]: {
          type: 'string',
          description: 'The same as the signature, or absent: only the body tells a handshake apart',
          'x-assumed': ['delivery-secret-header'],
        },
      },
    }),
    payload: named(components, 'Delivery', {
      type: 'array',
      minItems: 1,
      items: event,
      'x-assumed': ['events-per-delivery'],
    }),
    examples: eventNames.map((name) => ({ name, payload: [sampleEvent(name)] })),
  };
}

const challenge = {
  type: 'string',
  pattern: challengePattern.source,
  maxLength: limit.challengeCharacters,
  description: 'A challenge; respond to no other text, since it could be a forged body',
};

const handshake = (components: Components): JsonObject => ({
  summary: 'Asks for the HMAC of a challenge',
  headers: named(components, 'HandshakeHeaders', {
    type: 'object',
    required: [deliveryHeaders.secret, deliveryHeaders.signature],
    properties: {
      [deliveryHeaders.secret]: challenge,
      [deliveryHeaders.signature]: { ...signature, description: 'HMAC-SHA256 of the body under the secret' },
    },
  }),
  payload: named(components, 'Handshake', {
    type: 'object',
    required: [handshakeField],
    properties: { [handshakeField]: { type: 'string' } },
    'x-assumed': ['handshake-body'],
  }),
  examples: [{ name: 'handshake', payload: { [handshakeField]: handshakeText } }],
});

const handshakeResponse = (components: Components): JsonObject => ({
  summary: 'Proves that the receiver knows the secret',
  headers: named(components, 'HandshakeResponseHeaders', {
    type: 'object',
    required: [deliveryHeaders.secret],
    properties: {
      [deliveryHeaders.secret]: {
        ...signature,
        description: 'HMAC-SHA256 of the challenge under the secret',
      },
    },
  }),
  payload: named(components, 'ResponseBody', responseBody),
});
