// A secret in a keychain whose items may be too small for it: an item of Windows holds 1,280 characters. What does not
// fit is cut into parts, each an item of its own, and the item itself only names them. It is written last, and the parts
// of the one before are left alone until then, so that whenever all ends there is the old secret or the new one.

import { createHash } from 'node:crypto';
import type { Keychain, KeychainFault } from '../world/world.ts';

/** In code points, so that none is cut in half; each may take two characters. */
const chunkPattern = /.{1,600}/gsu;
/** Someone may replace the secret between the reading of two parts. */
const maxReads = 3;

type KeychainItem = { readonly keychain: Keychain; readonly service: string; readonly account: string };

/** The parts of two secrets that follow each other have different names. */
function chunkAccount({ account }: KeychainItem, slot: number, number: number): string {
  return `${account}#${slot}.${number}`;
}

function formatHeader(slot: number, count: number, text: string): string {
  return `in parts: ${slot} ${count} ${createHash('sha256').update(text).digest('hex')}`;
}

export async function readChunkedSecret(
  place: KeychainItem,
): Promise<{ readonly secret?: string } | KeychainFault> {
  const { keychain, service, account } = place;
  for (let reading = 1; ; reading++) {
    const whole = await keychain.read(service, account);
    if ('fault' in whole) return whole;
    const { secret } = whole;
    if (secret === undefined) return {};
    const [, slot, count] = /^in parts: ([01]) (\d{1,3}) /.exec(secret) ?? [];
    if (slot === undefined) return { secret };
    let text = '';
    for (let number = 0; number < Number(count); number++) {
      const part = await keychain.read(service, chunkAccount(place, Number(slot), number));
      if ('fault' in part) return part;
      text += part.secret ?? '';
    }
    if (formatHeader(Number(slot), Number(count), text) === secret) return { secret: text };
    // What is torn is no secret; the caller says so.
    if (reading === maxReads) return { secret };
  }
}

/** `turn` grows by one from each secret to the next. */
export async function writeChunkedSecret(
  place: KeychainItem,
  text: string,
  turn: number,
): Promise<KeychainFault | { readonly written: true }> {
  const { keychain, service, account } = place;
  const written = await keychain.write(service, account, text);
  if (!('fault' in written && written.fault === 'too-large')) return written;
  const slot = turn % 2;
  const parts = text.match(chunkPattern) ?? [];
  for (const [number, part] of parts.entries()) {
    const result = await keychain.write(service, chunkAccount(place, slot, number), part);
    if ('fault' in result) return result;
  }
  const head = await keychain.write(service, account, formatHeader(slot, parts.length, text));
  if (!('fault' in head)) await removeChunks(place, 1 - slot);
  return head;
}

/** True where there was one. */
export async function removeChunkedSecret(
  place: KeychainItem,
): Promise<{ readonly removed: boolean } | KeychainFault> {
  const removed = await place.keychain.remove(place.service, place.account);
  if ('fault' in removed) return removed;
  return (await removeChunks(place, 0)) ?? (await removeChunks(place, 1)) ?? removed;
}

async function removeChunks(place: KeychainItem, slot: number): Promise<KeychainFault | undefined> {
  for (let number = 0; ; number++) {
    const result = await place.keychain.remove(place.service, chunkAccount(place, slot, number));
    if ('fault' in result) return result;
    if (!result.removed) return undefined;
  }
}
