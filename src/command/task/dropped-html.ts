// The warning about tags of a description that the service drops without a word. It stays a warning: the text is kept.

import { findStrippedHtml } from '../../contract/stripped-html.ts';

const mostNamed = 10;

export function droppedWarning(description: string | undefined): string | undefined {
  if (description === undefined) return undefined;
  return warningOf('The service drops', findStrippedHtml(description), String);
}

/** Of many rows: `dropped` has how many of them have each. */
export function droppedFromRows(dropped: ReadonlyMap<string, number>): string | undefined {
  return warningOf('The service drops from descriptions', dropped, (rows) =>
    rows === 1 ? '1 row' : `${rows} rows`,
  );
}

function warningOf(
  what: string,
  dropped: ReadonlyMap<string, number>,
  counted: (count: number) => string,
): string | undefined {
  if (dropped.size === 0) return undefined;
  const named = [...dropped].slice(0, mostNamed).map(([name, count]) => `${name} (${counted(count)})`);
  const more = dropped.size > mostNamed ? `, and ${dropped.size - mostNamed} more` : '';
  return `${what}: ${named.join(', ')}${more}. See wm task update --help html`;
}
