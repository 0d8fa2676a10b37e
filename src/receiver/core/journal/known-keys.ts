// Recognises duplicates for seven days, by a table of fingerprints for each segment. A table outlives its segment.

import type { Files } from '#world/world.ts';
import type { KeyTable } from './key-table.ts';
import { dayMs } from './retention.ts';
import { keysPath } from './segment-names.ts';

/** How long duplicates are recognised. */
const keyDays = 7;

export class KnownKeys {
  readonly #files: Pick<Files, 'write' | 'remove'>;
  readonly #folder: string;
  /** The tables of sealed segments, by segment number. */
  readonly #sealed = new Map<number, KeyTable>();
  /** The segments whose table has no file yet. */
  readonly #unsaved = new Set<number>();
  current: KeyTable;

  constructor(files: Pick<Files, 'write' | 'remove'>, folder: string, current: KeyTable) {
    this.#files = files;
    this.#folder = folder;
    this.current = current;
  }

  get bytes(): number {
    let sum = 0;
    for (const table of this.#sealed.values()) sum += table.bytes;
    return sum;
  }

  find(bytes: Buffer, start: number): number | undefined {
    let sequence = this.current.find(bytes, start);
    for (const table of this.#sealed.values()) sequence ??= table.find(bytes, start);
    return sequence;
  }

  addSealed(number: number, table: KeyTable, { isSaved = false } = {}): void {
    this.#sealed.set(number, table);
    if (!isSaved) this.#unsaved.add(number);
  }

  /** Closes the table of segment `number`; new keys go into `next`. */
  seal(number: number, next: KeyTable): void {
    if (number > 0) this.addSealed(number, this.current);
    this.current = next;
  }

  /** Writes the tables that have no file yet. Rejects with the system's own error. */
  async save(): Promise<void> {
    for (const number of this.#unsaved) {
      const table = this.#sealed.get(number);
      if (table) await this.#files.write(keysPath(this.#folder, number), table.seal(), { mode: 0o600 });
      this.#unsaved.delete(number);
    }
  }

  /** Writes the table of the current segment, before that segment is dropped. */
  async saveCurrent(number: number): Promise<void> {
    await this.#files.write(keysPath(this.#folder, number), this.current.seal(), { mode: 0o600 });
  }

  isSaved(number: number): boolean {
    return !this.#unsaved.has(number);
  }

  /** Drops tables that are too old. If a file cannot be removed now, a later start removes it. */
  async forgetOld(time: number): Promise<void> {
    for (const [number, table] of this.#sealed) {
      if (!isTooOld(table.newest, time)) continue;
      this.#sealed.delete(number);
      this.#unsaved.delete(number);
      await this.#files.remove(keysPath(this.#folder, number)).catch(() => {});
    }
  }
}

export const isTooOld = (newest: number, time: number): boolean => time - newest > keyDays * dayMs;
