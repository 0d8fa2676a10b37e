// The URLs of records: of the bytes of an attachment, and permalinks, as the web workspace writes them: with a number that only the
// service can resolve.

import type { StoredAttachment } from '../state/store.ts';

/** An attachment of the sample has only a URL, which ends with its name. */
export function attachmentName({ name, url = '' }: StoredAttachment): string {
  return name ?? url.split('/').at(-1) ?? '';
}

export const filesPath = '/files/';

/** Without its signature (endpoints/stored-files.ts). */
export function attachmentUrl(workspace: string, attachment: StoredAttachment): string {
  const name = encodeURIComponent(attachmentName(attachment).toWellFormed()).replaceAll('%20', '+');
  return `${workspace}${filesPath}${attachment.id}/${name}`;
}

/** A hash of the id with 53 bits, so that two records hardly ever share a number. Fast, since each record shows it. */
export function numberOf(id: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < id.length; index++) {
    const code = id.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return String(4_294_967_296 * (2_097_151 & low) + (high >>> 0));
}

/** `workspace`: the origin of the web workspace. */
export const permalinkOf = (workspace: string, { id }: { readonly id: string }): string =>
  `${workspace}/open.htm?id=${numberOf(id)}`;
