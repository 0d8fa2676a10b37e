// Compares the settings of two webhooks, of each of which some may be unknown.

import { words } from '#contract/words.ts';
import { describeScope, type WebhookSettings } from './coverage.ts';

/** The names of the settings in a webhook file. */
export const settingMembers = words('scope recursive events parameterisedEvents customItemTypes');
export const members = [...settingMembers, 'secret'] as const;

export type Member = (typeof members)[number];

/** Equal for values that are the same but for the order of their lists. Undefined for an unknown value. */
export function keyOf(value: unknown): string | undefined {
  return JSON.stringify(value, (_, inner: unknown) =>
    Array.isArray(inner) ? [...new Set(inner.map(keyOf))].toSorted() : inner,
  );
}

/** The settings that are known, each as its key. */
export type SettingKeys = ReadonlyMap<Member, string>;

export function settingKeys({ signed, ...settings }: WebhookSettings): SettingKeys {
  const keys = new Map<Member, string>();
  for (const member of members) {
    const key = keyOf(member === 'secret' ? signed : settings[member]);
    if (key !== undefined) keys.set(member, key);
  }
  return keys;
}

export function unknownIn(keys: SettingKeys): readonly Member[] {
  return members.filter((member) => !keys.has(member));
}

export const findUnknown = (settings: WebhookSettings): readonly Member[] => unknownIn(settingKeys(settings));

/** A key for all settings but the secret; undefined if one of them is unknown. */
export function wholeKey(keys: SettingKeys): string | undefined {
  const known = settingMembers.flatMap((name) => keys.get(name) ?? []);
  return known.length === settingMembers.length ? known.join('\n') : undefined;
}

export type Comparison = ReturnType<typeof compareSettings>;

/** `notCompared`: unknown on either side. */
export function compareSettings(one: SettingKeys, other: SettingKeys) {
  const isCompared = (member: Member) => one.has(member) && other.has(member);
  return {
    different: members.filter((member) => isCompared(member) && one.get(member) !== other.get(member)),
    notCompared: members.filter((member) => !isCompared(member)),
  };
}

/** `events: TaskCreated in the file, TaskDeleted at the service`. */
export function describeDifference(member: Member, inFile: WebhookSettings, atService: WebhookSettings) {
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
