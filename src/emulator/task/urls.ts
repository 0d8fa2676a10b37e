// The URLs of records: of their pictures, of the bytes of an attachment, and permalinks, as the web workspace writes them: with a number that only the
// service can resolve.

import { randomText } from '#random-values.ts';
import type { World } from '#world/world.ts';
import type { StoredAttachment } from '../state/store.ts';

/** An attachment of the sample has only a URL, which ends with its name. */
export function attachmentName({ name, url = '' }: StoredAttachment): string {
  return name ?? url.split('/').at(-1) ?? '';
}

export const avatarUrlOf = (id: string): string => `https://files.example.com/avatars/${id}.png`;

export const filesPath = '/files/';

/** Without its signature (endpoints/attachments.ts). */
export function attachmentUrl(workspace: string, attachment: StoredAttachment): string {
  const name = encodeURIComponent(attachmentName(attachment).toWellFormed()).replaceAll('%20', '+');
  return `${workspace}${filesPath}${attachment.id}/${name}`;
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** By the letters after the account: tasks, folders, spaces, and the root and the bin. Each has 2^30 numbers of its own. */
const ranges = ['KQ', 'I4', 'I5', 'I7'];
const rangeSize = 2 ** 30;
const firstNumber = 1_000_000_000;

/**
 * Ten digits. No two records of an account share a number, if their ids are the emulator's own (see newId). For an id of another form, as
 * in a seed, it is a hash with 32 bits in the last range: of 1,000 such records, two share one with a probability of 1 in 8,600.
 */
export function numberOf(id: string): string {
  const range = id.length === 16 ? ranges.indexOf(id.slice(8, 10)) : -1;
  let [number, hash] = [range, 0xdeadbeef];
  for (let index = 10; range >= 0 && index < 16; index++) {
    const digit = base32.indexOf(id.charAt(index));
    number = digit === -1 ? Number.NaN : number * 32 + digit;
  }
  if (number >= 0) return String(firstNumber + number);
  for (let index = 0; index < id.length; index++)
    hash = Math.imul(hash ^ id.charCodeAt(index), 2_654_435_761);
  return String(firstNumber + ranges.length * rangeSize + ((hash ^ (hash >>> 16)) >>> 0));
}

/** `kind`: the letters after the account. `taken`: the records of this kind. */
export function newId(
  world: Pick<World, 'randomBytes'>,
  accountId: string,
  kind: string,
  taken: ReadonlyMap<string, unknown>,
): string {
  const id = `${accountId}${kind}${randomText(world, 6, base32)}`;
  return taken.has(id) ? newId(world, accountId, kind, taken) : id;
}

/** `workspace`: the origin of the web workspace. */
export const permalinkOf = (workspace: string, { id }: { readonly id: string }): string =>
  `${workspace}/open.htm?id=${numberOf(id)}`;
