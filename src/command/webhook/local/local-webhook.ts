// What this machine knows about a webhook that the service does not show: the label and the note that users gave it, what it
// was created with, and since when it has had its status.

import {
  boolean,
  list,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
} from '../../../contract/schema.ts';

/** A time in ISO 8601, UTC. */
const time = text('time', { notEmpty: true });

/** Who suspended it, when and why. */
const suspendNote = object('note', {
  text: text('text'),
  /** The person, as the account or the system names them. */
  by: text('text'),
  at: time,
});

/** What it was created with. Only the service's own record counts for what that shows. */
const createdAs = object('created', {
  at: time,
  hookUrl: text('URL'),
  folderId: optional(text('FolderId')),
  spaceId: optional(text('FolderId')),
  recursive: optional(boolean),
  events: optional(list(text('event'))),
  parameterisedEvents: optional(
    list(
      object('parameterised event', {
        event: text('event'),
        recurrent: optional(boolean),
        customFields: optional(list(text('CustomFieldId'))),
        fields: optional(list(text('field name'))),
      }),
    ),
  ),
  customItemTypes: optional(list(text('EntityTypeId'))),
  /** True if it has a secret, so that its deliveries are signed. Never the secret. */
  signed: boolean,
});

/** Its status each time `wm` read it. */
const observedStatus = object('observed status', {
  status: text('status'),
  /** When `wm` first saw the status. */
  since: time,
  /** When `wm` last saw another status; absent if it never did. */
  before: optional(time),
  /** When `wm` last saw the status. */
  seen: time,
  /** True if `wm` made the change, so that `since` is exact. */
  byWm: optional(boolean),
});

export const localWebhook = object('local webhook', {
  label: optional(text('label', { notEmpty: true })),
  note: optional(suspendNote),
  created: optional(createdAs),
  observed: optional(observedStatus),
});

export type LocalWebhook = TypeOf<typeof localWebhook>;
export type SuspendNote = TypeOf<typeof suspendNote>;
/** A note before it is stored: its time is that of the change, and nobody waits for the name before the change. */
export interface NewNote {
  readonly text: string;
  /** Reads it once. Never rejects. */
  by(): Promise<string>;
}
export type CreatedAs = TypeOf<typeof createdAs>;
export type ObservedStatus = TypeOf<typeof observedStatus>;

/** False if the webhook was active after the note: then another suspension came, which the note does not explain. */
export function isCurrentNote({ note, observed }: LocalWebhook, status: string | undefined): boolean {
  if (note === undefined || status === 'Active') return false;
  return observed?.before === undefined || Date.parse(observed.before) <= Date.parse(note.at);
}

/** By the ids of the webhooks. */
export type LocalWebhooks = ReadonlyMap<string, LocalWebhook>;

export const noLocalWebhooks: LocalWebhooks = new Map();

/** A member that is not as expected is left out: the rest still helps. */
export const parseLocalWebhook = (input: unknown): LocalWebhook => readLeniently(localWebhook, input);
