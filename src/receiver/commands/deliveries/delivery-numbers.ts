// The numbers by which users name deliveries: 1042, '#1042' as wm prints it, or a range such as 1042-1050.

import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

/** Both ends included. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** As wm prints a delivery's number. */
export function formatNumber(sequence: number): string {
  return `#${sequence}`;
}

/** In the order in which they were typed. @throws {Failure} `usage` for anything else. */
export function parseNumbers(texts: readonly string[]): readonly NumberRange[] {
  return texts.flatMap((text) => text.split(',')).map(parseRange);
}

function parseRange(text: string): NumberRange {
  const [, from, to = from] = /^#?(\d{1,15})(?:-#?(\d{1,15}))?$/.exec(text.trim()) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (from === undefined || range.from < 1)
    throw usageError(
      `${formatValue(text)} is not the number of a delivery`,
      'Give a number such as 1042, or a range such as 1042-1050.',
    );
  if (range.to < range.from)
    throw usageError(`${formatValue(text)} is not a range`, 'Give the smaller number first.');
  return range;
}

export function includesNumber(ranges: readonly NumberRange[], sequence: number): boolean {
  return ranges.some(({ from, to }) => from <= sequence && sequence <= to);
}

/** `1-3, 7`: ascending numbers, in a form that can be typed again. */
export function formatRanges(sequences: Iterable<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last?.to === sequence - 1) last.to = sequence;
    else ranges.push({ from: sequence, to: sequence });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** The numbers that were asked for and not found, as `7-9, 12`; `undefined` if none is missing. */
export function describeMissingNumbers(
  wanted: readonly NumberRange[],
  found: readonly number[],
): string | undefined {
  const missing = wanted
    .toSorted((a, b) => a.from - b.from)
    .filter(({ from, to }) => !found.some((sequence) => from <= sequence && sequence <= to));
  if (missing.length === 0) return undefined;
  return missing.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}
