// Warns of HTML that the service drops silently, keeping its text, and of entities in URLs that are hardly meant. Loaded only for a
// text in HTML.

import { countOf } from '#cli/count-of.ts';
import { findStrippedCommentHtml, findStrippedHtml, findUrlEntities } from '#contract/stripped-html.ts';

const maxListed = 10;
/** Of many rows. */
const maxCounted = 50;

const drops = { says: 'drops', ofRows: 'from', advice: '' };
const reads = { says: 'reads as characters in URLs', ofRows: 'of', advice: ' Write &amp; for &.' };

export const htmlWarnings = (description: string) =>
  formatWarnings(findStrippedHtml(description), findUrlEntities(description));

export const commentHtmlWarnings = (comment: string) =>
  formatWarnings(findStrippedCommentHtml(comment), findUrlEntities(comment), 'wm task comment --help');

/** For many rows: counts the rows that have each tag and entity. */
export function createHtmlWarnings() {
  const dropped = new Map<string, number>();
  const inUrls = new Map<string, number>();
  const add = (counts: Map<string, number>, found: ReadonlyMap<string, number>) => {
    for (const name of found.keys())
      if (counts.has(name) || counts.size < maxCounted) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  return {
    add(description: string): void {
      add(dropped, findStrippedHtml(description));
      add(inUrls, findUrlEntities(description));
    },
    texts: () => formatWarnings(dropped, inUrls, undefined, (rows) => countOf(rows, 'row')),
  };
}

type Counts = ReadonlyMap<string, number>;

function formatWarnings(
  dropped: Counts,
  inUrls: Counts,
  help = 'wm task update --help html',
  formatRows?: (count: number) => string,
): readonly string[] {
  const format = (counts: Counts, { says, ofRows, advice }: typeof drops) => {
    if (counts.size === 0) return [];
    const listed = [...counts].slice(0, maxListed);
    const list = listed.map(([name, count]) => `${name} (${formatRows?.(count) ?? count})`).join(', ');
    const more = counts.size > maxListed ? `, and ${counts.size - maxListed} more` : '';
    const what = formatRows ? `${says} ${ofRows} descriptions` : says;
    return [`The service ${what}: ${list}${more}.${advice} See ${help}`];
  };
  return [...format(dropped, drops), ...format(inUrls, reads)];
}
