// Warns about tags of a description that the service drops silently. Only a warning, since the service keeps their text.

import { findStrippedCommentHtml, findStrippedHtml } from '#contract/stripped-html.ts';

const maxNamed = 10;

export function droppedHtmlWarning(description: string | undefined): string | undefined {
  if (description === undefined) return undefined;
  return formatWarning('The service drops', findStrippedHtml(description), String);
}

export function droppedCommentHtmlWarning(comment: string): string | undefined {
  return formatWarning(
    'The service drops',
    findStrippedCommentHtml(comment),
    String,
    'wm task comment --help',
  );
}

/** For many rows: `dropped` counts the rows that have each tag. */
export function droppedHtmlWarningForRows(dropped: ReadonlyMap<string, number>): string | undefined {
  return formatWarning('The service drops from descriptions', dropped, (rows) =>
    rows === 1 ? '1 row' : `${rows} rows`,
  );
}

function formatWarning(
  what: string,
  dropped: ReadonlyMap<string, number>,
  counted: (count: number) => string,
  help = 'wm task update --help html',
): string | undefined {
  if (dropped.size === 0) return undefined;
  const named = [...dropped].slice(0, maxNamed).map(([name, count]) => `${name} (${counted(count)})`);
  const more = dropped.size > maxNamed ? `, and ${dropped.size - maxNamed} more` : '';
  return `${what}: ${named.join(', ')}${more}. See ${help}`;
}
