// This machine's record of a webhook, with what the service does not show: its label, its note, the settings that it was
// created with, and since when it has its status.

import { boolean, choice, list, object, optional, type TypeOf, text } from '#contract/schema.ts';
import type { Secrets } from '#world/world.ts';

/** A time in ISO 8601, UTC. */
const time = text('time', { notEmpty: true });

export const suspendNote = object('note', {
  /** Begins with the earlier notes of the same suspension, each with its user and time. */
  text: text('text'),
  /** The user, as the account or the system names them. */
  by: text('text'),
  at: time,
  /** When an undo put it back. */
  restored: optional(time),
});

/** The settings at creation. The service's record takes precedence where it shows them. */
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
  /** {@link recordedUrl}: names it once the service no longer does. */
  url: optional(text('URL')),
});

/** A running rotation of the secret, with what is needed to continue it. Stored with the old webhook. */
const rotationState = object('rotation', {
  began: time,
  settings: createdAs,
  old: choice('what becomes of the old webhook', ['suspend', 'delete']),
  /** True if the old webhook was active when the rotation began: the successor is to have the same status. */
  wasActive: boolean,
  /** True if the successor's secret is to be stored on this machine. */
  storeSecret: boolean,
  /** True if wm generated the new secret: then it is stored until the rotation has ended. */
  generated: optional(boolean),
  /** True if the generated secret has been printed. */
  shown: optional(boolean),
  /** Detects whether a later run gives the same secret. Never printed. */
  secretCheck: object('secret check', { salt: text('salt'), hash: text('hash') }),
  /** When the request for the successor was about to be sent, and which webhooks had the URL then. */
  createSent: optional(object('sent request', { at: time, before: list(text('WebhookId')) })),
  successor: optional(text('WebhookId')),
});

/** Stored with the successor: the webhook that it replaces, and the time during which both delivered. */
const replaces = object('replaced webhook', { id: text('WebhookId'), from: time, to: optional(time) });

/** Stored with a webhook whose rotation is complete: its successor. */
const replacedBy = object('successor', { id: text('WebhookId'), at: time });

export const localWebhook = object('local webhook', {
  /** The account, since several accounts share a host. Absent in records of older versions of wm. */
  accountId: optional(text('AccountId')),
  label: optional(text('label', { notEmpty: true })),
  note: optional(suspendNote),
  /** When a user suspended it again, to keep it suspended. */
  keptSuspended: optional(time),
  /** When the receiver that created it suspended it at its end, for the next run. */
  suspendedAtEnd: optional(time),
  created: optional(createdAs),
  observed: optional(observedStatus),
  rotation: optional(rotationState),
  replaces: optional(replaces),
  replacedBy: optional(replacedBy),
});

export type LocalWebhook = TypeOf<typeof localWebhook>;
/** A note before it is stored: it gets the time of the change, and the change does not wait for the user's name. */
export interface NewNote {
  readonly text: string;
  /** Reads the user's name once. Never rejects. */
  by(): Promise<string>;
}
export type CreatedAs = TypeOf<typeof createdAs>;
export type ObservedStatus = TypeOf<typeof observedStatus>;
export type RotationState = TypeOf<typeof rotationState>;

/** Leaves out what often holds a secret: the user, the query and the fragment. Undefined for what is not a URL. */
export function withoutQuery(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** What may be recorded of a webhook's URL: not its query, which may hold a secret. */
export function recordedUrl({ redactCredentials }: Pick<Secrets, 'redactCredentials'>, hookUrl = '') {
  const url = withoutQuery(hookUrl);
  return url !== undefined && redactCredentials(url) === url ? url : undefined;
}

/** The members that may be printed. */
export function toShownLocal({ rotation, accountId: _account, ...rest }: LocalWebhook): object {
  if (rotation === undefined) return rest;
  const { secretCheck: _, ...shownRotation } = rotation;
  return { ...rest, rotation: shownRotation };
}

/** False if the webhook was active after the note, so that the note explains an earlier suspension. */
export function isCurrentNote({ note, observed }: LocalWebhook, status: string | undefined): boolean {
  if (note === undefined || status === 'Active') return false;
  // A suspension may not be recorded yet.
  const active = observed?.status === 'Active' ? observed.seen : observed?.before;
  return active === undefined || Date.parse(active) <= Date.parse(note.restored ?? note.at);
}

/** True if a receiver suspended it at its end, and users have neither resumed it nor asked to keep it suspended. */
export function isLeftByReceiver(local: LocalWebhook | undefined): boolean {
  const { suspendedAtEnd, observed, note, keptSuspended } = local ?? {};
  if (suspendedAtEnd === undefined || note !== undefined || keptSuspended !== undefined) return false;
  return observed?.status === 'Suspended' && Date.parse(observed.since) <= Date.parse(suspendedAtEnd);
}

/** By webhook id. */
export type LocalWebhooks = ReadonlyMap<string, LocalWebhook>;

export const noLocalWebhooks: LocalWebhooks = new Map();
