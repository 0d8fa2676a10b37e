// Writes webhooks as a file. The same webhooks always give the same text, so that a repository shows only real changes.

import { webhookStatus } from '#contract/webhook.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { describeScope, type Scope } from './hooks-file.ts';
import { findUnknown, type WebhookFacts } from './webhook-facts.ts';

export interface ExportedEntry {
  readonly id: string;
  readonly comment: string;
  readonly content: object;
}

/** The webhooks that have a URL, sorted by it. `stored`: the ids whose secrets are stored on this machine. */
export function toEntries(
  webhooks: readonly WebhookFacts[],
  stored: ReadonlySet<string>,
): readonly ExportedEntry[] {
  return webhooks
    .flatMap((facts) => (facts.url === undefined ? [] : [toEntry(facts, facts.url, stored)]))
    .toSorted((a, b) => (a.sortedBy < b.sortedBy ? -1 : 1));
}

function toEntry(
  facts: WebhookFacts,
  url: string,
  stored: ReadonlySet<string>,
): ExportedEntry & { sortedBy: string } {
  const { id, label, scope, recursive, events, customItemTypes, isSigned } = facts;
  const { parameterisedEvents = [] } = facts;
  const status = webhookStatus.choices?.find((choice) => choice === facts.status);
  const secret = isSigned && stored.has(id) ? { stored: id } : undefined;
  const unknown = findUnknown(facts);
  // The webhook is signed, but the file cannot say where its secret is.
  const notShown = isSigned && secret === undefined ? [...unknown, 'secret'] : unknown;
  const content = {
    ...omitUndefined({ label }),
    url,
    ...omitUndefined({ scope: scope && formatScope(scope) }),
    ...(recursive ? { recursive } : {}),
    ...(events === undefined || events.length === 0 ? {} : { events }),
    ...(parameterisedEvents.length === 0 ? {} : { parameterisedEvents }),
    ...(customItemTypes === undefined || customItemTypes.length === 0 ? {} : { customItemTypes }),
    ...omitUndefined({ status, secret }),
    ...(notShown.length === 0 ? {} : { notShown }),
  };
  const signed = isSigned && secret === undefined ? ', signed: name the variable with its secret' : '';
  return {
    id,
    comment: `${id}${signed}`,
    content,
    sortedBy: JSON.stringify([url, describeScope(scope, recursive), content, id]),
  };
}

function formatScope({ folderId, spaceId }: Scope): object | string {
  if (folderId !== undefined) return { folder: folderId };
  return spaceId === undefined ? 'account' : { space: spaceId };
}

/** The members that are written on one line. */
export const inlineMembers = ['scope', 'secret', 'notShown'];

export function fileComment(
  host: string,
  { isIncomplete, hasStored }: { readonly isIncomplete: boolean; readonly hasStored: boolean },
): string {
  return [
    `The webhooks of ${host}, as \`wm webhook export\` wrote them. To see what differs: wm webhook diff FILE`,
    ...(hasStored
      ? [
          'secret: {stored: ID} is a secret that is stored on the machine that wrote this file. If another machine applies the file,',
          'such as CI, name the variable that has the secret there: secret: {variable: NAME}',
        ]
      : []),
    ...(isIncomplete
      ? [
          'notShown: settings that the service does not show and this machine did not record. Add them, and remove the names',
          'from notShown: until then wm does not compare them, and does not create or replace that webhook.',
        ]
      : []),
  ].join('\n');
}
