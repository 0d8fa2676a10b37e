// Limits how many bytes of bodies are in memory: those that are arriving, and those that wait for the disk. Without a limit, a
// stranger with large bodies or a disk that hangs would use up all memory. Small bodies that are arriving do not count, so that large
// ones from strangers cannot keep deliveries out; the limit on connections covers them.

/** A body up to this size is small. Deliveries seen so far have a few kilobytes. */
export const smallBodyBytes = 256 * 1024;

export class BodyMemory {
  readonly #limit: number;
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Returns false if there is no room for them; then nothing is held. */
  hold(bytes: number): boolean {
    if (this.#held + bytes > this.#limit) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** How many bytes of a body of this length count while it is arriving. */
export const countedBytes = (length: number) => Math.max(0, length - smallBodyBytes);
