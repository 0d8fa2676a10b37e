// The exports of `wm-cli/webhooks`, for programs that receive deliveries in their own server. Loads neither the client nor anything
// that connects. Like wm-cli.ts, only re-exports.

export { type EventName, eventNames } from '#contract/event.ts';
export type { EventOf, UnknownEvent, WebhookEvent } from '#contract/typed-event.ts';
export type { RequestHeaders } from './check-request.ts';
export { handshake, parseEvents, type RawBody, type Secrets, verifySignature } from './check-request.ts';
export {
  createReceiver,
  type Delivery,
  type Receiver,
  type ReceiverOptions,
  type ReceiverRejection,
} from './create-receiver.ts';
