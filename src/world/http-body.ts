// The body of one response, collected as it arrives. The bytes are copied, since each chunk keeps a whole buffer of the socket
// alive: a response in chunks of one byte would otherwise take some hundred times its size.

const blockLength = 64 * 1024;

export class ResponseBody {
  /** The first chunk, which is usually all; it is not copied. */
  #first: Uint8Array | undefined;
  /** All full except the last one. */
  readonly #blocks: Uint8Array[] = [];
  /** Bytes used in the last block. */
  #used = 0;
  #length = 0;
  readonly #announced: number;

  /** `announced`: the Content-Length, which was checked against the limit; 0 if there is none. */
  constructor(announced = 0) {
    this.#announced = announced;
  }

  /** In bytes, so far. */
  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    if (this.#length === 0) this.#first = piece;
    else {
      if (this.#first) this.#copy(this.#first);
      this.#first = undefined;
      this.#copy(piece);
    }
    this.#length += piece.byteLength;
  }

  /** Returns all of it in one array, and forgets it. */
  take(): Uint8Array {
    const [block] = this.#blocks;
    const whole = this.#first ?? (block && this.#blocks.length === 1 ? block : concatenate(this.#blocks));
    this.#first = undefined;
    this.#blocks.length = 0;
    return new Uint8Array(whole.buffer, whole.byteOffset, this.#length);
  }

  #copy(piece: Uint8Array): void {
    for (let from = 0; from < piece.byteLength; ) {
      let block = this.#blocks.at(-1);
      if (!block || this.#used === block.byteLength) {
        // If the length is known, one block holds all of it, and nothing has to be joined.
        block = new Uint8Array(
          this.#blocks.length === 0 ? Math.max(blockLength, this.#announced) : blockLength,
        );
        this.#blocks.push(block);
        this.#used = 0;
      }
      const part = piece.subarray(from, from + block.byteLength - this.#used);
      block.set(part, this.#used);
      this.#used += part.byteLength;
      from += part.byteLength;
    }
  }
}

function concatenate(blocks: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(blocks.reduce((sum, block) => sum + block.byteLength, 0));
  let at = 0;
  for (const block of blocks) {
    whole.set(block, at);
    at += block.byteLength;
  }
  return whole;
}
