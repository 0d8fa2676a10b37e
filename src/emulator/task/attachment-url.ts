// Where the bytes of an attachment are, and what it is called.

import { apiPath } from '#contract/authorization.ts';
import type { StoredAttachment } from '../state/store.ts';

/** An attachment of the sample has its name in its URL alone. */
export function attachmentName({ name, url = '' }: StoredAttachment): string {
  return name ?? url.split('/').at(-1) ?? '';
}

/** Below the API: a download needs the token. */
export function attachmentUrl(workspace: string, attachment: StoredAttachment): string {
  const name = encodeURIComponent(attachmentName(attachment).toWellFormed());
  return `${workspace}${apiPath}/attachments/${attachment.id}/download/${name}`;
}
