// A set of sequence numbers, one bit for each: numbers that lie close together take next to no memory, and few scattered ones little.

/** How many numbers share an array of bits. */
const perPart = 1024;

export class SequenceSet {
  readonly #parts = new Map<number, { readonly bits: Buffer; count: number }>();

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  has(sequence: number): boolean {
    const bits = this.#parts.get(Math.floor(sequence / perPart))?.bits;
    return bits !== undefined && ((bits[byteOf(sequence)] ?? 0) & bitOf(sequence)) !== 0;
  }

  add(sequence: number): void {
    if (this.has(sequence)) return;
    const index = Math.floor(sequence / perPart);
    const part = this.#parts.get(index) ?? { bits: Buffer.alloc(perPart / 8), count: 0 };
    this.#parts.set(index, part);
    part.bits[byteOf(sequence)] = (part.bits[byteOf(sequence)] ?? 0) | bitOf(sequence);
    part.count += 1;
  }

  delete(sequence: number): void {
    if (!this.has(sequence)) return;
    const index = Math.floor(sequence / perPart);
    const part = this.#parts.get(index);
    if (!part) return;
    part.bits[byteOf(sequence)] = (part.bits[byteOf(sequence)] ?? 0) & ~bitOf(sequence);
    part.count -= 1;
    if (part.count === 0) this.#parts.delete(index);
  }

  *values(): Iterable<number> {
    for (const index of this.#parts.keys())
      for (let sequence = index * perPart; sequence < (index + 1) * perPart; sequence += 1)
        if (this.has(sequence)) yield sequence;
  }

  /** For JSON. */
  toParts(): readonly (readonly [number, string])[] {
    return [...this.#parts].map(([index, { bits }]) => [index, bits.toString('base64')]);
  }

  /** What `toParts` returned. */
  static fromParts(parts: ReturnType<SequenceSet['toParts']>): SequenceSet {
    const set = new SequenceSet();
    for (const [index, text] of parts)
      for (const [place, byte] of Buffer.from(text, 'base64').entries())
        for (let bit = 0; bit < 8; bit += 1)
          if ((byte & (1 << bit)) !== 0) set.add(index * perPart + 8 * place + bit);
    return set;
  }
}

const byteOf = (sequence: number) => (sequence % perPart) >> 3;
const bitOf = (sequence: number) => 1 << (sequence & 7);
