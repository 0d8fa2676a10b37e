// Compares the settings of two webhooks, of each of which some may be unknown.

import { describeScope, type WebhookSettings } from './coverage.ts';

/** The names of the settings in a webhook file. */
export const members = [
  'scope',
  'recursive',
  'events',
  'parameterisedEvents',
  'customItemTypes',
  'secret',
] as const;

export type Member = (typeof members)[number];

/** Equal for values that are the same but for the order of their lists. Undefined for an unknown value. */
export function keyOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    Array.isArray(inner) ? [...new Set(inner.map(keyOf))].toSorted() : inner,
  );
}

function memberKey(settings: WebhookSettings, member: Member): string | undefined {
  return keyOf(member === 'secret' ? settings.signed : settings[member]);
}

/** A key for all settings but the secret. */
export function settingsKey({ signed: _, ...settings }: WebhookSettings): string {
  return JSON.stringify(members.map((member) => memberKey(settings, member)));
}

export function findUnknown(settings: WebhookSettings): readonly Member[] {
  return members.filter((member) => memberKey(settings, member) === undefined);
}

export type Comparison = ReturnType<typeof compareSettings>;

/** `notCompared`: unknown on either side. */
export function compareSettings(one: WebhookSettings, other: WebhookSettings) {
  const unknown = new Set([...findUnknown(one), ...findUnknown(other)]);
  return {
    different: members.filter(
      (member) => !unknown.has(member) && memberKey(one, member) !== memberKey(other, member),
    ),
    notCompared: members.filter((member) => unknown.has(member)),
  };
}

/** `events: TaskCreated in the file, TaskDeleted at the service`. */
export function describeDifference(
  member: Member,
  inFile: WebhookSettings,
  atService: WebhookSettings,
): string {
  return `${member}: ${format(member, inFile)} in the file, ${format(member, atService)} at the service`;
}

function format(member: Member, { scope, signed, ...settings }: WebhookSettings): string {
  if (member === 'scope') return describeScope({ scope });
  if (member === 'secret') return signed ? 'signed' : 'not signed';
  const value = settings[member];
  if (typeof value !== 'object') return String(value);
  if (value.length === 0) return 'none';
  return member === 'parameterisedEvents' ? JSON.stringify(value) : value.join(', ');
}
