// The identifier formats. Ids are opaque beyond these patterns: never trimmed, never changed in case, never taken apart.

import { type Schema, text } from './schema.ts';

const eight = { test: /^[A-Z0-9]{8}$/, says: '8 characters, upper-case letters and digits' };
const sixteen = { test: /^[A-Z0-9]{16}$/, says: '16 characters, upper-case letters and digits' };
const long = {
  test: /^[A-Za-z0-9\-_:.=]{1,256}$/,
  says: '1 to 256 characters from letters, digits and - _ : . =',
};
/** No pattern is shown for a webhook's id, so only what could not stand in a path or a list of ids is refused. */
const opaque = {
  test: /^[^\s,/?#%\\\p{C}]{1,256}$/u,
  says: '1 to 256 characters without spaces, commas or slashes',
};

const patterns = {
  AccountId: eight,
  UserId: eight,
  CustomFieldId: sixteen,
  EntityTypeId: sixteen,
  PlaceholderId: sixteen,
  CustomStatusId: sixteen,
  WorkScheduleId: sixteen,
  TaskId: long,
  FolderId: long,
  DependencyId: long,
  WebhookId: opaque,
} as const;

export type IdentifierType = keyof typeof patterns;

export const identifierTypes = Object.keys(patterns) as readonly IdentifierType[];

/** Whether a text has the form of such an id: it may still be the id of nothing, or a name that looks like one. */
export function isIdentifier(type: IdentifierType, text: string): boolean {
  return patterns[type].test.test(text);
}

export function identifier(type: IdentifierType): Schema<string> {
  return text(type, { pattern: patterns[type] });
}
