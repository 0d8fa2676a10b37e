// Warns of HTML that the service drops silently, keeping its text, and of entities in URLs that are hardly meant. Loaded only for a
// text that may be HTML.

import { countOf } from '#cli/count-of.ts';
import { type HtmlFindings, readComment, readDescription } from './stripped-html.ts';

const maxListed = 10;
/** Of many rows. */
const maxCounted = 50;

export const htmlWarnings = (description: string) => formatWarnings(readDescription(description));

export const commentHtmlWarnings = (comment: string) =>
  formatWarnings(readComment(comment), 'wm task comment --help');

/** For many rows: counts the rows that have each tag and entity. */
export function createHtmlWarnings() {
  const dropped = new Map<string, number>();
  const inUrls = new Map<string, number>();
  const count = (counts: Map<string, number>, found: HtmlFindings[keyof HtmlFindings]) => {
    for (const name of found.keys())
      if (counts.has(name) || counts.size < maxCounted) counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  return {
    add(description: string): void {
      const found = readDescription(description);
      count(dropped, found.dropped);
      count(inUrls, found.inUrls);
    },
    texts: () => formatWarnings({ dropped, inUrls }, undefined, (rows) => countOf(rows, 'row')),
  };
}

function formatWarnings(
  { dropped, inUrls }: HtmlFindings,
  help = 'wm task update --help html',
  formatRows?: (count: number) => string,
): readonly string[] {
  const list = (counts: HtmlFindings[keyof HtmlFindings]) => {
    const listed = [...counts].slice(0, maxListed);
    const more = counts.size > maxListed ? `, and ${counts.size - maxListed} more` : '';
    return `${listed.map(([name, count]) => `${name} (${formatRows?.(count) ?? count})`).join(', ')}${more}. `;
  };
  const [from, of] = formatRows ? [' from descriptions', ' of descriptions'] : ['', ''];
  return [
    dropped.size > 0 && `The service drops${from}: ${list(dropped)}See ${help}`,
    inUrls.size > 0 &&
      `The service reads these as characters in URLs${of}: ${list(inUrls)}Write &amp; for &. See ${help}`,
  ].filter((warning) => warning !== false);
}
