// Limits the memory for bodies, both arriving and waiting for the disk: otherwise large bodies from strangers, or a hanging disk, could
// use all of it. Small arriving bodies do not count, so deliveries still get in; the limit on connections covers these.

/** The maximum size of a small body. Deliveries so far have had a few kilobytes. */
export const smallBodyBytes = 256 * 1024;

export class BodyMemory {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false, and holds nothing, if the bytes exceed the limit. */
  hold(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** The bytes of a body that count while it is arriving. */
export const countedBytes = (length: number) => Math.max(0, length - smallBodyBytes);
