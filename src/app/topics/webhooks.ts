// `wm help webhooks`: how the service delivers events, which responses count as success, and how deliveries are signed.

import type { TopicPage } from '#cli/command.ts';
import { eventGroups } from '#cli/event-groups.ts';
import {
  deliveryHeaders,
  handshakeField,
  maxDeliveryAttempts,
  retriedClientErrors,
  senderAddresses,
  successStatuses,
} from '#contract/delivery.ts';
import { joinWithAnd, joinWithOr } from '#contract/format-list.ts';
import { limit } from '#contract/limit.ts';

const { signature, secret, idempotencyKey } = deliveryHeaders;

const addresses = Object.entries(senderAddresses)
  .map(([dataCentre, ranges]) => `${joinWithAnd(ranges)} (${dataCentre})`)
  .join('; ');

export default {
  parts: [
    {
      title: 'Events',
      text: `wm webhook events lists them, with the fields of their payloads. --events takes names, all, and these groups:
${eventGroups.join(', ')}.`,
    },
    {
      title: 'Receivers',
      text: `A webhook points to http or https on port ${joinWithOr(limit.hookUrlPorts.map(String))} of a public address. The emulator also delivers to
this machine: wm emulator start --allow-local-hooks.`,
    },
    {
      title: 'After a response',
      rows: [
        [joinWithAnd(successStatuses.map(String)), 'Delivered'],
        [
          `other 4xx, except ${joinWithAnd(retriedClientErrors.map(String))}`,
          'The webhook is suspended at once',
        ],
        [
          'anything else',
          `Up to ${maxDeliveryAttempts} attempts; a redirect is not followed. After the last one, the webhook is suspended`,
        ],
      ],
    },
    {
      title: 'Headers of a delivery',
      rows: [
        [signature, 'HMAC-SHA256 of the body under the secret, in hex, if the webhook has a secret'],
        [idempotencyKey, 'Names the event: the same on every attempt. The signature does not cover it'],
        [secret, 'May repeat the signature. Only the body tells a handshake apart'],
      ],
    },
    {
      title: 'Handshake',
      text: `When a webhook with a secret is created, the service sends a signed body that holds only "${handshakeField}", with a challenge in
${secret}. The receiver checks the signature, then responds with the HMAC-SHA256 of the challenge in the same header. It refuses a
challenge of more than ${limit.challengeCharacters} characters, or with other characters than letters and digits.`,
    },
    {
      title: 'Worth knowing',
      text: `An event may be delivered more than once. Mass actions in the web workspace deliver nothing. Deliveries come from these addresses:
${addresses}.`,
    },
  ],
  examples: {
    'List the events': 'wm webhook events',
    'Sign a body as the service does': "printf '[]' | WM_WEBHOOK_SECRET=sample-secret wm webhook sign",
  },
} satisfies TopicPage;
