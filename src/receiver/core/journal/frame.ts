// Writes and finds the frames of a segment. A frame begins with a magic number, by which a reader finds the next
// frame after damage, and the segment's random salt, so that bytes inside a delivery cannot pass for a frame. See docs/decisions/delivery-journal.md.

import { crc32 } from 'node:zlib';

export const frameTypes = { checkpoint: 1, delivery: 2, note: 3 } as const;

/** The header of every frame: the magic number, the salt, the checksum, the length of the payload, its type. */
export const headerBytes = 20;
/** A longer payload means damage. */
export const maxPayloadBytes = 64 * 1024 * 1024;

/** `wmj1` */
const magic = 0x316a6d77;
const offsets = { salt: 4, checksum: 8, length: 12, type: 16 } as const;

/** The buffer never shrinks below `min`; `clear` releases a buffer above `max`. */
const bufferBytes = { min: 64 * 1024, max: 4 * 1024 * 1024 } as const;

/** Frames that wait to be written. */
export class FrameBuffer {
  /** The buffer to write to: `begin` may replace it. */
  bytes = Buffer.allocUnsafe(bufferBytes.min);
  /** How many of the bytes are frames. A lower number removes the last frames. */
  length = 0;

  /** Makes room for a frame and returns the start of its payload. The frame counts only after `end`. */
  begin(type: number, payloadBytes: number): number {
    const needed = this.length + headerBytes + payloadBytes;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.bytes.writeUInt32LE(magic, this.length);
    this.bytes.writeUInt32LE(type, this.length + offsets.type);
    return this.length + headerBytes;
  }

  /** `to`: the end of the payload. */
  end(to: number): void {
    this.bytes.writeUInt32LE(to - this.length - headerBytes, this.length + offsets.length);
    this.length = to;
  }

  /** Completes the frames once their segment is known. `prepare` may still write to each payload. */
  complete(salt: number, prepare: (payload: number) => void = () => {}): Uint8Array {
    this.visit((payload, end) => {
      prepare(payload);
      const start = payload - headerBytes;
      this.bytes.writeUInt32LE(salt, start + offsets.salt);
      this.bytes.writeUInt32LE(checksumOf(this.bytes, start, end), start + offsets.checksum);
    });
    return this.bytes.subarray(0, this.length);
  }

  visit(visitor: (start: number, end: number) => void): void {
    for (let start = 0; start < this.length; ) {
      const end = this.endAt(start);
      visitor(start + headerBytes, end);
      start = end;
    }
  }

  /** The end of the frame that begins at `start`. */
  endAt(start: number): number {
    return start + headerBytes + this.bytes.readUInt32LE(start + offsets.length);
  }

  add(frames: FrameBuffer): void {
    const start = this.begin(0, frames.length) - headerBytes;
    frames.bytes.copy(this.bytes, start, 0, frames.length);
    this.length += frames.length;
  }

  clear(): void {
    this.length = 0;
    if (this.bytes.length > bufferBytes.max) this.bytes = Buffer.allocUnsafe(bufferBytes.min);
  }
}

/** Covers the salt, the length, the type and the payload. */
function checksumOf(bytes: Buffer, start: number, end: number): number {
  const salt = bytes.readUInt32LE(start + offsets.salt);
  return crc32(bytes.subarray(start + offsets.length, end), salt);
}

/** Finds the frames in a segment that is fed to it in order. Creates no objects: start-up walks through tens of thousands. */
export class FrameParser {
  bytes: Buffer = Buffer.alloc(0);
  /** The segment's, once it is known. */
  salt: number | undefined;
  /** The next frame begins here in `bytes`. */
  #index = 0;
  /** `bytes` begins here in the file. */
  #offset = 0;

  /** After `frame`: its type, and its payload as a part of `bytes`. Valid until the next call. */
  type = 0;
  start = 0;
  end = 0;
  /** After `damage`: its position in the file, and the number of bytes up to the next valid frame. */
  damage = { offset: 0, bytes: 0 };

  /** `salt`: the segment's, if known; otherwise the parser takes the first frame's. */
  constructor(salt?: number) {
    this.salt = salt;
  }

  /** The position of the next frame in the file. */
  get position(): number {
    return this.#offset + this.#index;
  }
  /** How many bytes were fed since `position`. */
  get remaining(): number {
    return this.bytes.length - this.#index;
  }
  /** How many bytes are needed from `position` on, as far as the parser knows. */
  get needed(): number {
    const needed = this.remaining < headerBytes ? headerBytes : headerBytes + this.#lengthAt(this.#index);
    return needed > headerBytes + maxPayloadBytes ? headerBytes : needed;
  }

  /** Takes the bytes that follow those fed before. */
  feed(piece: Uint8Array): void {
    const fed = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const rest = this.bytes.subarray(this.#index);
    this.#offset += this.#index;
    this.#index = 0;
    this.bytes = rest.length === 0 ? fed : Buffer.concat([rest, fed]);
  }

  /** Forgets what was fed since `position`, to read it again. */
  forgetRest(): void {
    this.#offset += this.#index;
    this.#index = 0;
    this.bytes = Buffer.alloc(0);
  }

  /** `more`: the bytes since `position` hold no valid frame yet. */
  next(): 'frame' | 'damage' | 'more' {
    const end = this.#validEnd(this.#index);
    if (end !== undefined) {
      this.salt ??= this.bytes.readUInt32LE(this.#index + offsets.salt);
      this.type = this.bytes.readUInt32LE(this.#index + offsets.type);
      this.start = this.#index + headerBytes;
      this.end = end;
      this.#index = end;
      return 'frame';
    }
    const next = this.#findValid(this.#index + 1);
    if (next === undefined) return 'more';
    this.damage = { offset: this.position, bytes: next - this.#index };
    this.#index = next;
    return 'damage';
  }

  /** After `more`: the rest is an incomplete frame, as a kill or a power cut leaves it. */
  isCutOff(): boolean {
    const rest = this.bytes.subarray(this.#index);
    let length = rest.length;
    while (length > 0 && rest[length - 1] === 0) length -= 1;
    const prefix = this.#framePrefix();
    const compared = Math.min(length, prefix.length);
    if (!rest.subarray(0, compared).equals(prefix.subarray(0, compared))) return false;
    return length < headerBytes || headerBytes + this.#lengthAt(this.#index) > length;
  }

  /** The end of the valid frame at `start`. */
  #validEnd(start: number): number | undefined {
    const bytes = this.bytes;
    if (bytes.length - start < headerBytes || bytes.readUInt32LE(start) !== magic) return undefined;
    if (this.salt !== undefined && bytes.readUInt32LE(start + offsets.salt) !== this.salt) return undefined;
    const end = start + headerBytes + this.#lengthAt(start);
    if (end > bytes.length) return undefined;
    return checksumOf(bytes, start, end) === bytes.readUInt32LE(start + offsets.checksum) ? end : undefined;
  }

  #findValid(from: number): number | undefined {
    const prefix = this.#framePrefix();
    for (let start = from; ; start += 1) {
      start = this.bytes.indexOf(prefix, start);
      if (start === -1) return undefined;
      if (this.#validEnd(start) !== undefined) return start;
    }
  }

  /** The first bytes of each frame: the magic number and, once it is known, the salt. */
  #framePrefix(): Buffer {
    const prefix = Buffer.alloc(this.salt === undefined ? offsets.salt : offsets.checksum);
    prefix.writeUInt32LE(magic);
    if (this.salt !== undefined) prefix.writeUInt32LE(this.salt, offsets.salt);
    return prefix;
  }

  #lengthAt(start: number): number {
    return this.bytes.readUInt32LE(start + offsets.length);
  }
}
