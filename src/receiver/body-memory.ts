// How many bytes of bodies are in memory: those that are still coming, and those that wait for the disk. Anyone can send large
// bodies, and a disk can hang, so without a limit either would take all memory. Small bodies that are still coming are not
// counted, so that large ones of strangers cannot keep deliveries out; the limit on connections limits them.

/** A body up to this size is small. Deliveries seen so far have a few kilobytes. */
export const smallBodyBytes = 256 * 1024;

export class BodyMemory {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** False if that is too much; then nothing is held. */
  hold(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Of a body of this length, the bytes that are held while it is still coming. */
export const countedBytes = (length: number) => Math.max(0, length - smallBodyBytes);
