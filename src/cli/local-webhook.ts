// What this machine knows about a webhook that the service does not show: the label and the note that users gave it, what it
// was created with, and since when it has had its status.

import {
  boolean,
  choice,
  list,
  object,
  optional,
  readLeniently,
  type TypeOf,
  text,
} from '#contract/schema.ts';

/** A time in ISO 8601, UTC. */
const time = text('time', { notEmpty: true });

/** Who suspended it, when and why. */
const suspendNote = object('note', {
  text: text('text'),
  /** The user, as the account or the system names them. */
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

/** A rotation of its secret that has begun, and what it takes to continue it. Stored with the old webhook. */
const rotationState = object('rotation', {
  began: time,
  /** What the successor is created with. */
  settings: createdAs,
  /** What becomes of the old webhook. */
  old: choice('what becomes of the old webhook', ['suspend', 'delete']),
  /** True if the old webhook was active when the rotation began: the successor is to have the same status. */
  wasActive: boolean,
  /** True if the successor's secret is to be stored on this machine. */
  storeSecret: boolean,
  /** True if wm generated the new secret: then it is stored until the rotation has ended. */
  generated: optional(boolean),
  /** True if the generated secret has been printed. */
  shown: optional(boolean),
  /** Tells whether a later run gives the same secret. Never printed. */
  secretCheck: object('secret check', { salt: text('salt'), hash: text('hash') }),
  /** When the request for the successor was about to be sent, and which webhooks had the URL then. */
  createSent: optional(object('sent request', { at: time, before: list(text('WebhookId')) })),
  successor: optional(text('WebhookId')),
});

/** With the successor: the webhook that it replaces; from when to when, once it is over, both delivered. */
const replaces = object('replaced webhook', { id: text('WebhookId'), from: time, to: optional(time) });

/** With a webhook whose rotation is complete: its successor. */
const replacedBy = object('successor', { id: text('WebhookId'), at: time });

export const localWebhook = object('local webhook', {
  /** Whose it is: profiles of several accounts have one host. Nothing where an earlier version of wm recorded it. */
  accountId: optional(text('AccountId')),
  label: optional(text('label', { notEmpty: true })),
  note: optional(suspendNote),
  /** When a user suspended it although it was suspended already: it is to stay so. */
  keptSuspended: optional(time),
  /** When a receiver that had created it suspended it at its end: it is there for the next one. */
  suspendedAtEnd: optional(time),
  created: optional(createdAs),
  observed: optional(observedStatus),
  rotation: optional(rotationState),
  replaces: optional(replaces),
  replacedBy: optional(replacedBy),
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
export type RotationState = TypeOf<typeof rotationState>;

/** What may be printed of it. */
export function toShownLocal(known: LocalWebhook): object {
  const { rotation, accountId: _account, ...rest } = known;
  if (rotation === undefined) return rest;
  const { secretCheck: _, ...shown } = rotation;
  return { ...rest, rotation: shown };
}

/** False if the webhook was active after the note: then another suspension came, which the note does not explain. */
export function isCurrentNote({ note, observed }: LocalWebhook, status: string | undefined): boolean {
  if (note === undefined || status === 'Active') return false;
  return observed?.before === undefined || Date.parse(observed.before) <= Date.parse(note.at);
}

/** True if it is as a receiver left it at its end: nobody has resumed it since, and nobody wants it to stay suspended. */
export function isLeftByReceiver(local: LocalWebhook | undefined): boolean {
  const { suspendedAtEnd, observed, note, keptSuspended } = local ?? {};
  if (suspendedAtEnd === undefined || note !== undefined || keptSuspended !== undefined) return false;
  return observed?.status === 'Suspended' && Date.parse(observed.since) <= Date.parse(suspendedAtEnd);
}

/** Without those that are known to be another account's. */
export function ofAccount(all: LocalWebhooks, accountId: string | undefined): LocalWebhooks {
  const isOther = (known: LocalWebhook) => known.accountId !== undefined && known.accountId !== accountId;
  return accountId === undefined ? all : new Map([...all].filter(([, known]) => !isOther(known)));
}

/** By the ids of the webhooks. */
export type LocalWebhooks = ReadonlyMap<string, LocalWebhook>;

export const noLocalWebhooks: LocalWebhooks = new Map();

/** A member that is not as expected is left out: the rest still helps. */
export const parseLocalWebhook = (input: unknown): LocalWebhook => readLeniently(localWebhook, input);
