// A hash table of one segment's fingerprints and their sequence numbers. It consists of plain bytes, stored in a file and loaded as they
// are: a million keys as objects would take seconds.

import { crc32 } from 'node:zlib';
import { fingerprintBytes } from './delivery-frame.ts';

/** A fingerprint and a sequence number relative to the segment's first, in words of 32 bits. */
const entryWords = fingerprintBytes / 4 + 1;
const entryBytes = 4 * entryWords;
const offsetWord = entryWords - 1;
/** The file's header: magic number, checksum of all that follows, capacity, count, first sequence number, newest time. */
const headerBytes = 32;
const offsets = { checksum: 4, capacity: 8, count: 12, first: 16, newest: 24 } as const;
/** `wmk1` */
const magic = 0x316b6d77;
/** Capacities are multiples of four, so that the words in the file are aligned. */
const minCapacity = 64;
/** The share of used slots: a fuller table takes more steps for each look-up. */
const loadFactor = { max: 0.75, sealed: 0.7 } as const;

export class KeyTable {
  readonly first: number;
  /** When its newest delivery was received, in milliseconds since 1970. */
  newest: number;
  #count = 0;
  #capacity: number;
  /** One byte for each slot: 0 if free, otherwise seven bits of the fingerprint. Only these fit the processor's cache. */
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

  /** Finds the sequence number for the fingerprint at `start`. */
  find(bytes: Buffer, start: number): number | undefined {
    if (this.#count === 0) return undefined;
    const word = (index: number) => bytes.readUInt32LE(start + 4 * index);
    const slot = this.#findSlot(word(0), word(1), word(2), word(3));
    if (this.#tags[slot] === 0) return undefined;
    return this.first + (this.#entries[slot * entryWords + offsetWord] ?? 0);
  }

  clear(): void {
    this.#tags.fill(0);
    this.#count = 0;
  }

  /** If two deliveries have the same fingerprint, the table keeps the later one. */
  add(bytes: Buffer, start: number, sequence: number, receivedAt: number): void {
    if (this.#count + 1 > this.#capacity * loadFactor.max) this.#resize(2 * this.#capacity);
    this.newest = Math.max(this.newest, receivedAt);
    for (let index = 0; index < offsetWord; index += 1)
      this.#words[index] = bytes.readUInt32LE(start + 4 * index);
    this.#put(this.#words, 0, sequence - this.first);
  }

  /** Returns the content of the table's file. */
  seal(): Uint8Array {
    this.#resize(capacityFor(this.#count));
    const header = Buffer.alloc(headerBytes);
    header.writeUInt32LE(magic);
    header.writeUInt32LE(this.#capacity, offsets.capacity);
    header.writeUInt32LE(this.#count, offsets.count);
    header.writeDoubleLE(this.first, offsets.first);
    header.writeDoubleLE(this.newest, offsets.newest);
    const { buffer, byteOffset, byteLength } = this.#entries;
    const file = Buffer.concat([header, this.#tags, Buffer.from(buffer, byteOffset, byteLength)]);
    file.writeUInt32LE(crc32(file.subarray(offsets.capacity)), offsets.checksum);
    return file;
  }

  /** Reads what `seal` returned; `undefined` if it is damaged. */
  static read(content: Uint8Array): KeyTable | undefined {
    const file = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    if (file.length < headerBytes || file.readUInt32LE() !== magic) return undefined;
    const capacity = file.readUInt32LE(offsets.capacity);
    if (file.length !== headerBytes + capacity * (1 + entryBytes)) return undefined;
    if (crc32(file.subarray(offsets.capacity)) !== file.readUInt32LE(offsets.checksum)) return undefined;
    const table = new KeyTable(file.readDoubleLE(offsets.first), file.readDoubleLE(offsets.newest));
    table.#count = file.readUInt32LE(offsets.count);
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
    for (let slot = 0; slot < tags.length; slot += 1)
      if (tags[slot] !== 0)
        this.#put(entries, slot * entryWords, entries[slot * entryWords + offsetWord] ?? 0);
  }

  /** The fingerprint begins at `from` in `words`. */
  #put(words: Uint32Array, from: number, offset: number): void {
    const word = (index: number) => words[from + index] ?? 0;
    const slot = this.#findSlot(word(0), word(1), word(2), word(3));
    if (this.#tags[slot] === 0) this.#count += 1;
    this.#tags[slot] = tagOf(word(1));
    const entry = slot * entryWords;
    for (let index = 0; index < offsetWord; index += 1) this.#entries[entry + index] = word(index);
    this.#entries[entry + offsetWord] = offset;
  }

  /** The slot of the fingerprint, or the free slot where it belongs. */
  #findSlot(word0: number, word1: number, word2: number, word3: number): number {
    const tag = tagOf(word1);
    const entries = this.#entries;
    // Multiplying is cheaper than a remainder, since the capacity need not be a power of two.
    let slot = Math.floor((word0 / 2 ** 32) * this.#capacity);
    for (;;) {
      const storedTag = this.#tags[slot];
      if (storedTag === 0) return slot;
      const entry = slot * entryWords;
      if (
        storedTag === tag &&
        entries[entry] === word0 &&
        entries[entry + 1] === word1 &&
        entries[entry + 2] === word2 &&
        entries[entry + 3] === word3
      )
        return slot;
      slot = slot + 1 === this.#capacity ? 0 : slot + 1;
    }
  }
}

/** Uses bits that do not choose the slot. */
const tagOf = (word: number) => 0x80 | (word & 0x7f);

function capacityFor(count: number): number {
  return Math.max(minCapacity, 4 * Math.ceil(count / loadFactor.sealed / 4));
}

/** Copies only bytes that are not aligned. */
function wordsOf(bytes: Buffer): Uint32Array {
  const { buffer, byteOffset, length } = bytes;
  if (byteOffset % 4 === 0) return new Uint32Array(buffer, byteOffset, length / 4);
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}
