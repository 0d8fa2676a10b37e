// The formats of ids. Otherwise ids are opaque: never trimmed, split or changed in case.

import { type Schema, type TextRules, text } from './schema.ts';

const eight = { regex: /^[A-Z0-9]{8}$/, description: '8 characters, upper-case letters and digits' };
const sixteen = { regex: /^[A-Z0-9]{16}$/, description: '16 characters, upper-case letters and digits' };
const long = {
  regex: /^[A-Za-z0-9\-_:.=]{1,256}$/,
  description: '1 to 256 characters from letters, digits and - _ : . =',
};
/** The contract shows no pattern for these ids. Invalid are characters that a path or a list of ids cannot contain. */
const opaque: NonNullable<TextRules['pattern']> = {
  // Compiled on first use, because Node takes long to list the characters of \p{C}.
  get regex() {
    return /^[^\s,/?#%\\\p{C}]{1,256}$/u;
  },
  description: '1 to 256 characters without spaces, commas or slashes',
  assumption: 'webhook-id-pattern',
};
/** The same for a webhook, which comes from a list: only these cannot be sent, even percent-encoded. */
const sendable = {
  regex: /^(?!\.\.?$)[^\ud800-\udfff]+$/u,
  description: '1 or more characters, but not . or ..',
  assumption: 'webhook-id-pattern',
} as const;

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
  WebhookId: sendable,
  JobId: opaque,
  WorkflowId: opaque,
  CommentId: opaque,
  AttachmentId: opaque,
  TimelogId: opaque,
} as const;

export type IdentifierType = keyof typeof patterns;

export const identifierTypes = Object.keys(patterns) as readonly IdentifierType[];

/** Whether a text has the form of such an id. No record may have it, or it may be a name that looks like an id. */
export function isIdentifier(type: IdentifierType, text: string): boolean {
  return patterns[type].regex.test(text);
}

/** The schema of an id. Contract: Identifier formats. */
export function identifier(type: IdentifierType): Schema<string> {
  return text(type, { pattern: patterns[type] });
}
