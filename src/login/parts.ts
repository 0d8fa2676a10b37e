// A secret in a keychain whose items may be too small for it: an item of Windows holds 1,280 characters. What does not
// fit is cut into parts, each an item of its own, and the item itself only names them. It is written last, and the parts
// of the one before are left alone until then, so that whenever all ends there is the old secret or the new one.

import { createHash } from 'node:crypto';
import type { Keychain, KeychainFault } from '../world/world.ts';

/** In code points, so that none is cut in half; each may take two characters. */
const partPattern = /.{1,600}/gsu;
/** Someone may replace the secret between the reading of two parts. */
const readings = 3;

type Place = { readonly keychain: Keychain; readonly service: string; readonly account: string };

/** The parts of two secrets that follow each other have different names. */
function partOf({ account }: Place, slot: number, number: number): string {
  return `${account}#${slot}.${number}`;
}

function headOf(slot: number, count: number, text: string): string {
  return `in parts: ${slot} ${count} ${createHash('sha256').update(text).digest('hex')}`;
}

export async function readParts(place: Place): Promise<{ readonly secret?: string } | KeychainFault> {
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
      const part = await keychain.read(service, partOf(place, Number(slot), number));
      if ('fault' in part) return part;
      text += part.secret ?? '';
    }
    if (headOf(Number(slot), Number(count), text) === secret) return { secret: text };
    // What is torn is no secret; the caller says so.
    if (reading === readings) return { secret };
  }
}

/** `turn` grows by one from each secret to the next. */
export async function writeParts(
  place: Place,
  text: string,
  turn: number,
): Promise<KeychainFault | { readonly written: true }> {
  const { keychain, service, account } = place;
  const written = await keychain.write(service, account, text);
  if (!('fault' in written && written.fault === 'too-large')) return written;
  const slot = turn % 2;
  const parts = text.match(partPattern) ?? [];
  for (const [number, part] of parts.entries()) {
    const result = await keychain.write(service, partOf(place, slot, number), part);
    if ('fault' in result) return result;
  }
  const head = await keychain.write(service, account, headOf(slot, parts.length, text));
  if (!('fault' in head)) await removeSlot(place, 1 - slot);
  return head;
}

/** True where there was one. */
export async function removeParts(place: Place): Promise<{ readonly removed: boolean } | KeychainFault> {
  const removed = await place.keychain.remove(place.service, place.account);
  if ('fault' in removed) return removed;
  return (await removeSlot(place, 0)) ?? (await removeSlot(place, 1)) ?? removed;
}

async function removeSlot(place: Place, slot: number): Promise<KeychainFault | undefined> {
  for (let number = 0; ; number++) {
    const result = await place.keychain.remove(place.service, partOf(place, slot, number));
    if ('fault' in result) return result;
    if (!result.removed) return undefined;
  }
}
