// The entries of a picker, prepared for a terminal: sanitized, with the text that the filter searches.

import { sanitizeLine } from '../sanitize.ts';
import { displayWidth } from '../width.ts';
import { foldCase } from './fold-case.ts';

export interface Entry<T> {
  /** What it is known by, and shown first: a URL, a name. */
  readonly title: string;
  /** The most important first: those without room are left out from the end. The first tells two equal titles apart. */
  readonly details?: readonly string[];
  /** What the filter searches beyond title and details. */
  readonly search?: readonly string[];
  /** Listed only where the filter finds it. */
  readonly isOnlyFound?: boolean;
  readonly value: T;
}

export interface Row {
  readonly title: string;
  readonly details: readonly string[];
  /** In cells. Measured once: each keypress needs those of every row. */
  readonly titleWidth: number;
  readonly detailWidths: readonly number[];
  readonly isOnlyFound: boolean;
  /** In lower case. */
  readonly searchText: string;
}

/** No terminal has as many cells. */
const maxMeasured = 4096;

export function toRows(entries: readonly Entry<unknown>[]): readonly Row[] {
  return entries.map((entry) => {
    const title = sanitizeLine(entry.title);
    const details = (entry.details ?? []).map(sanitizeLine);
    return {
      title,
      details,
      isOnlyFound: entry.isOnlyFound === true,
      titleWidth: displayWidth(title.slice(0, maxMeasured)),
      detailWidths: details.map((detail) => displayWidth(detail.slice(0, maxMeasured))),
      searchText: foldCase([entry.title, ...(entry.details ?? []), ...(entry.search ?? [])].join('\n')),
    };
  });
}
