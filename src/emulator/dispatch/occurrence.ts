// An occurrence of an event, before the webhooks for it are looked up: its author, subject and payload fields.

import type { EventName } from '#contract/event.ts';
import type { Subject } from '../state/access.ts';

export interface Occurrence {
  /** The idempotency key, the same for all webhooks. */
  readonly id: string;
  readonly event: EventName;
  readonly authorId: string;
  readonly date: string;
  readonly subject: Subject;
  /** Without the fields that all events have. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The folders that contain the subject directly. */
  readonly placeIds: readonly string[];
}
