// Parses and formats the numbers of deliveries: 1042, '#1042' as wm prints it, or a range such as 1042-1050.

import { formatValue } from '#contract/schema.ts';
import { usageError } from '#failure.ts';

/** A range that includes both ends. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

/** Returns the ranges in the order typed. @throws {Failure} `usage` for any other text. */
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

/** Formats ascending numbers as a user can type them: `1-3, 7`. */
export function formatRanges(sequences: Iterable<number>): string {
  const ranges: { from: number; to: number }[] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last?.to === sequence - 1) last.to = sequence;
    else ranges.push({ from: sequence, to: sequence });
  }
  return ranges.map(formatRange).join(', ');
}

const formatRange = ({ from, to }: NumberRange) => (from === to ? `${from}` : `${from}-${to}`);

/** The requested numbers that were not found, as `7-9, 12`; `undefined` if all were. */
export function describeMissingNumbers(
  requested: readonly NumberRange[],
  deliveries: readonly { readonly sequence: number }[],
): string | undefined {
  const missing = requested
    .toSorted((a, b) => a.from - b.from)
    .filter((range) => !deliveries.some(({ sequence }) => includesNumber([range], sequence)));
  return missing.length === 0 ? undefined : missing.map(formatRange).join(', ');
}
