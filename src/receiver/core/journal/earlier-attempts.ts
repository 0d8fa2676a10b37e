// Remembers the last attempt at each target of an unfinished delivery, so that no target gets it again after a restart. While a target
// is down, another may take a million deliveries: those with the same target, attempt and verdict share a set of bits.

import { parseJsonIfValid } from '#contract/json.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Attempt, LastAttempt } from '../intake/delivery-journal.ts';

interface Group extends LastAttempt {
  readonly deliveries: SequenceSet;
}

export class EarlierAttempts {
  readonly #groups = new Map<string, Group>();
  /** The deliveries that are retried have little in common, but are few: they were in a target's window. */
  readonly #retried = new Map<number, readonly LastAttempt[]>();

  list(sequence: number): readonly LastAttempt[] {
    const settled = [...this.#groups.values()].flatMap(({ target, attempt, verdict, deliveries }) =>
      deliveries.has(sequence) ? [{ target, attempt, verdict }] : [],
    );
    return [...settled, ...(this.#retried.get(sequence) ?? [])];
  }

  add({ sequence, target, attempt, verdict, stalledMs }: Attempt): void {
    this.#remove(sequence, (last) => last.target === target);
    this.#put(sequence, { target, attempt, verdict, ...omitUndefined({ stalledMs }) });
  }

  /** Drops the attempts at a finished delivery. */
  forget(sequence: number): void {
    this.#remove(sequence, () => true);
  }

  #put(sequence: number, last: LastAttempt): void {
    const { target, attempt, verdict } = last;
    const retried = this.#retried.get(sequence) ?? [];
    if (verdict === 'retry') return void this.#retried.set(sequence, [...retried, last]);
    const key = keyOf({ target, attempt, verdict });
    const group = this.#groups.get(key) ?? { target, attempt, verdict, deliveries: new SequenceSet() };
    this.#groups.set(key, group);
    group.deliveries.add(sequence);
  }

  #remove(sequence: number, matches: (last: LastAttempt) => boolean): void {
    const retried = this.#retried.get(sequence)?.filter((last) => !matches(last)) ?? [];
    if (retried.length > 0) this.#retried.set(sequence, retried);
    else this.#retried.delete(sequence);
    for (const [key, group] of this.#groups)
      if (matches(group)) {
        group.deliveries.delete(sequence);
        if (group.deliveries.isEmpty) this.#groups.delete(key);
      }
  }

  toJson(): string {
    const groups = [...this.#groups.values()].map(
      ({ deliveries, ...last }): Stored => ({ ...last, deliveries: deliveries.toParts() }),
    );
    return JSON.stringify([...groups, ...this.#retried]);
  }

  /** Accepts what `toJson` returns. Earlier versions stored all attempts in one of the two forms. */
  static parse(text: string): EarlierAttempts {
    const parsed = parseJsonIfValid(text);
    const earlier = new EarlierAttempts();
    for (const entry of Array.isArray(parsed) ? parsed : [])
      if (isStored(entry)) {
        const { target, attempt, verdict, deliveries } = entry;
        const group = { target, attempt, verdict, deliveries: new SequenceSet(deliveries) };
        earlier.#groups.set(keyOf(group), group);
      } else if (isRetried(entry)) for (const last of entry[1]) earlier.#put(entry[0], last);
    return earlier;
  }
}

const keyOf = ({ target, attempt, verdict }: LastAttempt) => `${verdict} ${attempt} ${target}`;

type Stored = LastAttempt & { readonly deliveries: ReturnType<SequenceSet['toParts']> };

/** The checksum was right, so wm wrote it. */
const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'deliveries' in value;
const isRetried = (value: unknown): value is readonly [number, readonly LastAttempt[]] =>
  Array.isArray(value) && typeof value[0] === 'number' && Array.isArray(value[1]);

/** How many numbers share an array of bits. */
const perPart = 1024;

class SequenceSet {
  readonly #parts: Map<number, Buffer>;

  /** `parts`: what `toParts` returned. */
  constructor(parts: readonly (readonly [number, string])[] = []) {
    this.#parts = new Map(parts.map(([index, text]) => [index, Buffer.from(text, 'base64')]));
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0;
  }

  has(sequence: number): boolean {
    const byte = this.#parts.get(Math.floor(sequence / perPart))?.[byteOf(sequence)] ?? 0;
    return (byte & bitOf(sequence)) !== 0;
  }

  add(sequence: number): void {
    const index = Math.floor(sequence / perPart);
    const bits = this.#parts.get(index) ?? Buffer.alloc(perPart / 8);
    this.#parts.set(index, bits);
    bits[byteOf(sequence)] = (bits[byteOf(sequence)] ?? 0) | bitOf(sequence);
  }

  delete(sequence: number): void {
    const index = Math.floor(sequence / perPart);
    const bits = this.#parts.get(index);
    if (!bits || !this.has(sequence)) return;
    bits[byteOf(sequence)] = (bits[byteOf(sequence)] ?? 0) & ~bitOf(sequence);
    if (bits.every((byte) => byte === 0)) this.#parts.delete(index);
  }

  toParts(): readonly (readonly [number, string])[] {
    return [...this.#parts].map(([index, bits]) => [index, bits.toString('base64')]);
  }
}

const byteOf = (sequence: number) => (sequence % perPart) >> 3;
const bitOf = (sequence: number) => 1 << (sequence & 7);
