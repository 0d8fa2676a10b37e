// Collects bytes that arrive in pieces. A single piece, the usual case, is not copied. Several grow in a buffer, because a list of
// one-byte pieces would take a hundred times the size of the whole.

const minCapacity = 16 * 1024;
/** Shared: a new one takes as long as reading a short response. */
const none = new Uint8Array();

export class GrowingBytes {
  #bytes: Uint8Array = none;
  #length = 0;
  readonly #expected: number;

  /** `expected`: the length of the whole, if it is known. */
  constructor(expected = 0) {
    this.#expected = expected;
  }

  /** How many bytes there are. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const end = this.#length + piece.length;
    if (this.#length === 0) this.#bytes = piece;
    else {
      if (end > this.#bytes.length) {
        const capacity = end > this.#expected ? Math.max(minCapacity, 2 * end) : this.#expected;
        const larger = Buffer.allocUnsafe(capacity);
        larger.set(this.#bytes);
        this.#bytes = larger;
      }
      this.#bytes.set(piece, this.#length);
    }
    this.#length = end;
  }

  /** Returns the whole, and forgets it. */
  take(): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    const whole = new Uint8Array(buffer, byteOffset, this.#length);
    this.#bytes = none;
    this.#length = 0;
    return whole;
  }
}
