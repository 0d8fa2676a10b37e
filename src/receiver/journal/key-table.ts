// The fingerprints of the deliveries of one segment, each with its sequence number: a hash table in plain bytes, which is
// written to a file and read back as it is. A million keys as objects would take seconds to load.

import { crc32 } from 'node:zlib';
import { fingerprintBytes } from './delivery-frame.ts';

/** A fingerprint, then its sequence number less that of the segment. */
const entryBytes = fingerprintBytes + 4;
/** Of the file: its mark, the checksum of all that follows, the capacity, the count, the first sequence number, the newest time. */
const headerBytes = 32;
const at = { checksum: 4, capacity: 8, count: 12, first: 16, newest: 24 } as const;
/** `wmk1` */
const mark = 0x316b6d77;
const leastCapacity = 64;
/** Fuller tables take more steps for each look-up. */
const fullness = { most: 0.75, sealed: 0.7 } as const;

export class KeyTable {
  readonly first: number;
  /** When the newest of its deliveries was received, in milliseconds since 1970. */
  newest: number;
  #count = 0;
  #capacity: number;
  /** One byte for each place: 0 if it is free, otherwise seven bits of the fingerprint: these alone fit the processor's cache. */
  #tags: Buffer;
  #entries: Buffer;

  constructor(first: number, newest = 0, capacity = leastCapacity) {
    this.first = first;
    this.newest = newest;
    this.#capacity = capacity;
    this.#tags = Buffer.alloc(capacity);
    this.#entries = Buffer.allocUnsafe(capacity * entryBytes);
  }

  get count(): number {
    return this.#count;
  }
  get bytes(): number {
    return headerBytes + this.#capacity * (1 + entryBytes);
  }

  /** The sequence number of the delivery with the fingerprint that begins there. */
  find(bytes: Buffer, start: number): number | undefined {
    const place = this.#placeOf(bytes, start);
    return this.#tags[place] === 0 ? undefined : this.first + this.#entries.readUInt32LE(entryEnd(place) - 4);
  }

  /** Of two with the same fingerprint, the later is remembered. */
  add(bytes: Buffer, start: number, sequence: number, receivedAt: number): void {
    if (this.#count + 1 > this.#capacity * fullness.most) this.#resize(2 * this.#capacity);
    this.newest = Math.max(this.newest, receivedAt);
    this.#put(bytes, start, sequence - this.first);
  }

  /** Its file. */
  seal(): Uint8Array {
    this.#resize(Math.max(leastCapacity, Math.ceil(this.#count / fullness.sealed)));
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(mark);
    header.writeUInt32LE(this.#capacity, at.capacity);
    header.writeUInt32LE(this.#count, at.count);
    header.writeDoubleLE(this.first, at.first);
    header.writeDoubleLE(this.newest, at.newest);
    const file = Buffer.concat([header, this.#tags, this.#entries]);
    file.writeUInt32LE(crc32(file.subarray(at.capacity)), at.checksum);
    return file;
  }

  /** What `seal` returned; `undefined` if it is damaged. */
  static read(content: Uint8Array): KeyTable | undefined {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (file.length < headerBytes || file.readUInt32LE() !== mark) return undefined;
    const capacity = file.readUInt32LE(at.capacity);
    if (file.length !== headerBytes + capacity * (1 + entryBytes)) return undefined;
    if (crc32(file.subarray(at.capacity)) !== file.readUInt32LE(at.checksum)) return undefined;
    const table = new KeyTable(file.readDoubleLE(at.first), file.readDoubleLE(at.newest), 0);
    table.#count = file.readUInt32LE(at.count);
    table.#capacity = capacity;
    table.#tags = file.subarray(headerBytes, headerBytes + capacity);
    table.#entries = file.subarray(headerBytes + capacity);
    return table;
  }

  #resize(capacity: number): void {
    const [tags, entries] = [this.#tags, this.#entries];
    this.#count = 0;
    this.#capacity = capacity;
    this.#tags = Buffer.alloc(capacity);
    // The bytes of free places are written to the file too.
    this.#entries = Buffer.alloc(capacity * entryBytes);
    for (const [place, tag] of tags.entries())
      if (tag !== 0)
        this.#put(entries, entryEnd(place) - entryBytes, entries.readUInt32LE(entryEnd(place) - 4));
  }

  #put(bytes: Buffer, start: number, offset: number): void {
    const place = this.#placeOf(bytes, start);
    if (this.#tags[place] === 0) this.#count += 1;
    this.#tags[place] = tagOf(bytes, start);
    bytes.copy(this.#entries, entryEnd(place) - entryBytes, start, start + fingerprintBytes);
    this.#entries.writeUInt32LE(offset, entryEnd(place) - 4);
  }

  /** Where it is, or the free place where it belongs. */
  #placeOf(bytes: Buffer, start: number): number {
    const tag = tagOf(bytes, start);
    // Not the remainder: with that, a capacity that is no power of two would cost a division.
    let place = Math.floor((bytes.readUInt32LE(start) / 2 ** 32) * this.#capacity);
    for (;;) {
      const found = this.#tags[place];
      if (found === 0) return place;
      if (found === tag && this.#isAt(place, bytes, start)) return place;
      place = place + 1 === this.#capacity ? 0 : place + 1;
    }
  }

  #isAt(place: number, bytes: Buffer, start: number): boolean {
    const entry = entryEnd(place) - entryBytes;
    return (
      this.#entries.compare(bytes, start, start + fingerprintBytes, entry, entry + fingerprintBytes) === 0
    );
  }
}

const entryEnd = (place: number) => (place + 1) * entryBytes;
/** Of bytes that do not choose the place. */
const tagOf = (bytes: Buffer, start: number) => 0x80 | (bytes[start + 4] ?? 0);
