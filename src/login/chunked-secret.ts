// A secret in a keychain: one item, or several if an item is too small for it. A reader notices parts of two secrets.

import { createHash } from 'node:crypto';
import type { Keychain, KeychainFault } from '#world/world.ts';

/** Counts code points, so that none is cut in half; each may take two characters. */
const chunkPattern = /.{1,600}/gsu;
/** Another process may replace the secret between two reads of chunks. */
const maxReads = 3;

type KeychainItem = {
  readonly keychain: Keychain;
  readonly service: string;
  readonly account: string;
};

/** Two successive secrets use different slots, so their chunks have different names. */
function chunkAccount({ account }: KeychainItem, slot: number, number: number): string {
  return `${account}#${slot}.${number}`;
}

function formatHeader(slot: number, count: number, text: string): string {
  return `in parts: ${slot} ${count} ${createHash('sha256').update(text).digest('hex')}`;
}

/** If the chunks do not match the header's hash, the result is the header itself, which the caller cannot parse as tokens. */
export async function readChunkedSecret(
  item: KeychainItem,
): Promise<{ readonly secret?: string } | KeychainFault> {
  const { keychain, service, account } = item;
  for (let attempt = 1; ; attempt++) {
    const main = await keychain.read(service, account);
    if ('fault' in main) return main;
    const { secret } = main;
    if (secret === undefined) return {};
    const [, slot, count] = /^in parts: ([01]) (\d{1,3}) /.exec(secret) ?? [];
    if (slot === undefined) return { secret };
    let text = '';
    for (let number = 0; number < Number(count); number++) {
      const chunk = await keychain.read(service, chunkAccount(item, Number(slot), number));
      if ('fault' in chunk) return chunk;
      text += chunk.secret ?? '';
    }
    if (formatHeader(Number(slot), Number(count), text) === secret) return { secret: text };
    if (attempt === maxReads) return { secret };
  }
}

/** Writes a secret, in chunks if an item is too small for it. `generation` must grow by one from each secret to the next. */
export async function writeChunkedSecret(item: KeychainItem, text: string, generation: number) {
  const { keychain, service, account } = item;
  const written = await keychain.write(service, account, text);
  if (!('fault' in written && written.fault === 'too-large')) return written;
  const slot = generation % 2;
  const chunks = Array.from(text.matchAll(chunkPattern), ([chunk]) => chunk);
  for (const [number, chunk] of chunks.entries()) {
    const result = await keychain.write(service, chunkAccount(item, slot, number), chunk);
    if ('fault' in result) return result;
  }
  const header = await keychain.write(service, account, formatHeader(slot, chunks.length, text));
  if (!('fault' in header)) await removeChunks(item, 1 - slot);
  return header;
}

/** Removes a secret with all its chunks. `removed` is true if there was one. */
export async function removeChunkedSecret(item: KeychainItem) {
  const removed = await item.keychain.remove(item.service, item.account);
  if ('fault' in removed) return removed;
  return (await removeChunks(item, 0)) ?? (await removeChunks(item, 1)) ?? removed;
}

async function removeChunks(item: KeychainItem, slot: number): Promise<KeychainFault | undefined> {
  const { keychain, service } = item;
  const accounts: string[] = [];
  for (let number = 0; ; number++) {
    const account = chunkAccount(item, slot, number);
    const chunk = await keychain.read(service, account);
    if ('fault' in chunk) return chunk;
    if (chunk.secret === undefined) break;
    accounts.push(account);
  }
  // From the last to the first: after an interruption, the next removal still finds the remaining items.
  for (const account of accounts.reverse()) {
    const result = await keychain.remove(service, account);
    if ('fault' in result) return result;
  }
  return undefined;
}
