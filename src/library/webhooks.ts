// What `import ... from 'wm-cli/webhooks'` gives a program that receives deliveries in its own server. Loads neither the client nor
// anything that connects: it only passes on what others define, as library.ts does.

export { type EventName, eventNames } from '#contract/event.ts';
export type { EventOf, UnknownEvent, WebhookEvent } from '#contract/typed-event.ts';
export {
  handshake,
  parseEvents,
  type RawBody,
  type Secrets,
  verifySignature,
} from './check-request.ts';
export {
  createReceiver,
  type Delivery,
  type Receiver,
  type ReceiverOptions,
  type ReceiverRejection,
} from './create-receiver.ts';
export type { RequestHeaders } from './request-headers.ts';
