// A hash table of one segment's fingerprints and their sequence numbers. It consists of plain bytes, stored in a file and loaded as they
// are: a million keys as objects would take seconds.

import { crc32 } from 'node:zlib';
import { fingerprintBytes } from './delivery-frame.ts';

/** A fingerprint and a sequence number relative to the segment's first, in words of 32 bits. */
const entryWords = fingerprintBytes / 4 + 1;
const entryBytes = 4 * entryWords;
const offsetWord = entryWords - 1;
/** The file's header: mark, checksum of all that follows, capacity, count, first sequence number, newest time. */
const headerBytes = 32;
const at = { checksum: 4, capacity: 8, count: 12, first: 16, newest: 24 } as const;
/** `wmk1` */
const mark = 0x316b6d77;
/** Capacities are multiples of four, so that the words in the file are aligned. */
const leastCapacity = 64;
/** A fuller table takes more steps for each look-up. */
const fullness = { most: 0.75, sealed: 0.7 } as const;

export class KeyTable {
  readonly first: number;
  /** When its newest delivery was received, in milliseconds since 1970. */
  newest: number;
  #count = 0;
  #capacity: number;
  /** One byte for each place: 0 if free, otherwise seven bits of the fingerprint. Only these fit the processor's cache. */
  #tags: Buffer;
  #entries: Uint32Array;
  /** The words of the fingerprint that is being added. */
  readonly #words = new Uint32Array(offsetWord);

  /** `expected`: the probable number of keys. */
  constructor(first: number, newest = 0, expected = 0) {
    const capacity = capacityFor(expected);
    this.first = first;
    this.newest = newest;
    this.#capacity = capacity;
    this.#tags = Buffer.alloc(capacity);
    this.#entries = new Uint32Array(capacity * entryWords);
  }

  get bytes(): number {
    return headerBytes + this.#capacity * (1 + entryBytes);
  }

  /** Finds the sequence number for a fingerprint, given as four words of 32 bits. */
  find(one: number, two: number, three: number, four: number): number | undefined {
    const place = this.#placeOf(one, two, three, four);
    if (this.#tags[place] === 0) return undefined;
    return this.first + (this.#entries[place * entryWords + offsetWord] ?? 0);
  }

  /** Finds the sequence number for the fingerprint at `start`. */
  findAt(bytes: Buffer, start: number): number | undefined {
    if (this.#count === 0) return undefined;
    return this.find(
      bytes.readUInt32LE(start),
      bytes.readUInt32LE(start + 4),
      bytes.readUInt32LE(start + 8),
      bytes.readUInt32LE(start + 12),
    );
  }

  clear(): void {
    this.#tags.fill(0);
    this.#count = 0;
  }

  /** If two deliveries have the same fingerprint, the table keeps the later one. */
  add(bytes: Buffer, start: number, sequence: number, receivedAt: number): void {
    if (this.#count + 1 > this.#capacity * fullness.most) this.#resize(2 * this.#capacity);
    this.newest = Math.max(this.newest, receivedAt);
    for (let index = 0; index < offsetWord; index += 1)
      this.#words[index] = bytes.readUInt32LE(start + 4 * index);
    this.#put(this.#words, 0, sequence - this.first);
  }

  /** Returns the content of the table's file. */
  seal(): Uint8Array {
    this.#resize(capacityFor(this.#count));
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(mark);
    header.writeUInt32LE(this.#capacity, at.capacity);
    header.writeUInt32LE(this.#count, at.count);
    header.writeDoubleLE(this.first, at.first);
    header.writeDoubleLE(this.newest, at.newest);
    const { buffer, byteOffset, byteLength } = this.#entries;
    const file = Buffer.concat([header, this.#tags, Buffer.from(buffer, byteOffset, byteLength)]);
    file.writeUInt32LE(crc32(file.subarray(at.capacity)), at.checksum);
    return file;
  }

  /** Reads what `seal` returned; `undefined` if it is damaged. */
  static read(content: Uint8Array): KeyTable | undefined {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (file.length < headerBytes || file.readUInt32LE() !== mark) return undefined;
    const capacity = file.readUInt32LE(at.capacity);
    if (file.length !== headerBytes + capacity * (1 + entryBytes)) return undefined;
    if (crc32(file.subarray(at.capacity)) !== file.readUInt32LE(at.checksum)) return undefined;
    const table = new KeyTable(file.readDoubleLE(at.first), file.readDoubleLE(at.newest));
    table.#count = file.readUInt32LE(at.count);
    table.#capacity = capacity;
    table.#tags = file.subarray(headerBytes, headerBytes + capacity);
    table.#entries = wordsOf(file.subarray(headerBytes + capacity));
    return table;
  }

  #resize(capacity: number): void {
    const [tags, entries] = [this.#tags, this.#entries];
    this.#count = 0;
    this.#capacity = capacity;
    this.#tags = Buffer.alloc(capacity);
    this.#entries = new Uint32Array(capacity * entryWords);
    for (let place = 0; place < tags.length; place += 1)
      if (tags[place] !== 0)
        this.#put(entries, place * entryWords, entries[place * entryWords + offsetWord] ?? 0);
  }

  /** The fingerprint begins at `from` in `words`. */
  #put(words: Uint32Array, from: number, offset: number): void {
    const word = (index: number) => words[from + index] ?? 0;
    const place = this.#placeOf(word(0), word(1), word(2), word(3));
    if (this.#tags[place] === 0) this.#count += 1;
    this.#tags[place] = tagOf(word(1));
    const entry = place * entryWords;
    for (let index = 0; index < offsetWord; index += 1) this.#entries[entry + index] = word(index);
    this.#entries[entry + offsetWord] = offset;
  }

  /** The place of the fingerprint, or the free place where it belongs. */
  #placeOf(one: number, two: number, three: number, four: number): number {
    const tag = tagOf(two);
    const entries = this.#entries;
    // Multiplying is cheaper than a remainder, since the capacity need not be a power of two.
    let place = Math.floor((one / 2 ** 32) * this.#capacity);
    for (;;) {
      const found = this.#tags[place];
      if (found === 0) return place;
      const entry = place * entryWords;
      if (
        found === tag &&
        entries[entry] === one &&
        entries[entry + 1] === two &&
        entries[entry + 2] === three &&
        entries[entry + 3] === four
      )
        return place;
      place = place + 1 === this.#capacity ? 0 : place + 1;
    }
  }
}

/** Uses bits that do not choose the place. */
const tagOf = (word: number) => 0x80 | (word & 0x7f);

function capacityFor(count: number): number {
  return Math.max(leastCapacity, 4 * Math.ceil(count / fullness.sealed / 4));
}

/** Copies only bytes that are not aligned. */
function wordsOf(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = bytes;
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, length / 4);
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
