// Writes a delivery as the payload of a frame, and reads it back. What start-up needs is at fixed offsets, so it parses no JSON.

import { hash } from 'node:crypto';
import { parseJsonIfValid } from '#contract/json.ts';
import type { ReceivedDelivery, StoredDelivery } from '../intake/delivery-journal.ts';
import { type FrameBuffer, frameTypes, maxPayloadBytes } from './frame.ts';

const offsets = { sequence: 0, receivedAt: 8, fingerprint: 16, headLength: 32 } as const;
const fixedBytes = 36;
export const fingerprintBytes = 16;

/** Stands for the length of the key in a delivery without one. */
const noKey = 0xffff_ffff;

/** The most bytes that UTF-8 needs for one UTF-16 unit. */
const bytesPerUnit = 3;

/**
 * Adds a frame, still without its sequence number. Returns the position of its fingerprint, a hash of its key and bytes, or `undefined`
 * if the delivery has no key. Throws if the delivery is too large.
 */
export function addDelivery(frames: FrameBuffer, delivery: ReceivedDelivery): number | undefined {
  const { receivedAt, body, idempotencyKey } = delivery;
  const head = formatHead(delivery);
  const maxBytes =
    fixedBytes + 4 + bytesPerUnit * (head.length + (idempotencyKey?.length ?? 0)) + body.length;
  if (maxBytes > maxPayloadBytes) throw new Error('the delivery is too large to be stored');
  const start = frames.begin(frameTypes.delivery, maxBytes);
  const { bytes } = frames;
  bytes.writeDoubleLE(receivedAt, start + offsets.receivedAt);
  const headLength = bytes.write(head, start + fixedBytes);
  bytes.writeUInt32LE(headLength, start + offsets.headLength);
  const keyStart = start + fixedBytes + headLength;
  const keyLength = idempotencyKey === undefined ? 0 : bytes.write(idempotencyKey, keyStart + 4);
  bytes.writeUInt32LE(idempotencyKey === undefined ? noKey : keyLength, keyStart);
  const end = keyStart + 4 + keyLength + body.length;
  bytes.set(body, keyStart + 4 + keyLength);
  frames.end(end);
  if (idempotencyKey === undefined) {
    bytes.fill(0, start + offsets.fingerprint, start + offsets.headLength);
    return undefined;
  }
  // The key is preceded by its length, so that no other split into key and body has the same hash.
  const digest = hash('sha256', bytes.subarray(keyStart, end), 'binary');
  bytes.write(digest, start + offsets.fingerprint, fingerprintBytes, 'latin1');
  return start + offsets.fingerprint;
}

export function writeSequence(bytes: Buffer, payload: number, sequence: number): void {
  bytes.writeDoubleLE(sequence, payload + offsets.sequence);
}

export function readSequence(bytes: Buffer, payload: number): number {
  return bytes.readDoubleLE(payload + offsets.sequence);
}

export function readReceivedAt(bytes: Buffer, payload: number): number {
  return bytes.readDoubleLE(payload + offsets.receivedAt);
}

/** The position of the fingerprint in `bytes`; `undefined` for a delivery without a key. */
export function locateFingerprint(bytes: Buffer, payload: number): number | undefined {
  const keyStart = payload + fixedBytes + bytes.readUInt32LE(payload + offsets.headLength);
  return bytes.readUInt32LE(keyStart) === noKey ? undefined : payload + offsets.fingerprint;
}

/** Copies, because the bytes will be overwritten. */
export function readDelivery(bytes: Buffer, payload: number, end: number): StoredDelivery {
  const keyStart = payload + fixedBytes + bytes.readUInt32LE(payload + offsets.headLength);
  const { path, headers, signature } = parseHead(bytes.toString('utf8', payload + fixedBytes, keyStart));
  const keyLength = bytes.readUInt32LE(keyStart);
  const bodyStart = keyStart + 4 + (keyLength === noKey ? 0 : keyLength);
  return {
    sequence: readSequence(bytes, payload),
    receivedAt: readReceivedAt(bytes, payload),
    path,
    headers,
    body: Uint8Array.prototype.slice.call(bytes, bodyStart, end),
    idempotencyKey: keyLength === noKey ? undefined : bytes.toString('utf8', keyStart + 4, bodyStart),
    signature,
  };
}

/** One line for each part: HTTP allows no line breaks in them, and JSON would take three times as long. */
function formatHead({ path, headers, signature }: ReceivedDelivery): string {
  let head = `${signature}\n${path}`;
  for (const [name, value] of headers) head += `\n${name}:${value}`;
  return head;
}

type Head = Pick<StoredDelivery, 'path' | 'headers' | 'signature'>;

/** The first builds stored an object. */
function parseHead(head: string): Head {
  const parsed = head.startsWith('{') ? parseJsonIfValid(head) : undefined;
  if (isHead(parsed)) return parsed;
  const [signature, path = '/', ...lines] = head.split('\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1)] as const;
  });
  return { path, headers, signature: signature === 'valid' ? 'valid' : 'unsigned' };
}

/** The checksum was right, so wm wrote it. */
const isHead = (value: unknown): value is Head =>
  typeof value === 'object' && value !== null && 'headers' in value;
