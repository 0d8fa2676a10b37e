// Warns of HTML tags that the service drops silently, keeping their text. Loaded only for a text in HTML.

import { countOf } from '#cli/count-of.ts';
import { findStrippedCommentHtml, findStrippedHtml } from '#contract/stripped-html.ts';

const maxListed = 10;

export function droppedHtmlWarning(description: string): string | undefined {
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
  return formatWarning('The service drops from descriptions', dropped, (rows) => countOf(rows, 'row'));
}

function formatWarning(
  start: string,
  dropped: ReadonlyMap<string, number>,
  formatCount: (count: number) => string,
  help = 'wm task update --help html',
): string | undefined {
  if (dropped.size === 0) return undefined;
  const listed = [...dropped].slice(0, maxListed).map(([name, count]) => `${name} (${formatCount(count)})`);
  const more = dropped.size > maxListed ? `, and ${dropped.size - maxListed} more` : '';
  return `${start}: ${listed.join(', ')}${more}. See ${help}`;
}
