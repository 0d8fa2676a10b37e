// The name of an attachment, and the URL of its bytes.

import { apiPath } from '#contract/authorization.ts';
import type { StoredAttachment } from '../state/store.ts';

/** An attachment of the sample has only a URL, which ends with its name. */
export function attachmentName({ name, url = '' }: StoredAttachment): string {
  return name ?? url.split('/').at(-1) ?? '';
}

/** Within the API, because a download needs the token. */
export function attachmentUrl(workspace: string, attachment: StoredAttachment): string {
  const name = encodeURIComponent(attachmentName(attachment).toWellFormed());
  return `${workspace}${apiPath}/attachments/${attachment.id}/download/${name}`;
}
