// Warns, before it is sent, of what the service will remove from a description or a comment, keeping its text, and of entities in its
// URLs. Only the service knows whether an image is an attachment of the task, and whether a table is regular. Loaded on demand.

import { countOf } from '#cli/count-of.ts';
import {
  allowedColors,
  commentTags,
  descriptionTag,
  isAllowedLink,
  isMention,
  linkProtocols,
  quoteNames,
} from '#contract/allowed-html.ts';
import { type OpenTag, readHtml, textOf } from '#html-reader/read-html.ts';

/** A normal description has few kinds; hostile ones are cut off. */
const maxKinds = 50;

export const readDescription = (description: string) => find(description, describeStripped);
export const readComment = (comment: string) => find(comment, describeStrippedInComment);

function find(html: string, describe: (tag: OpenTag) => readonly string[]) {
  /** Each kind of what is removed, in order of appearance. */
  const dropped = new Map<string, number>();
  /** Names in URLs that are read as a character, as `&copy` of `?a=1&copy=2` is. */
  const inUrls = new Map<string, number>();
  const open = new Map<string, number>();
  const countOpen = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by);
  readHtml(html, {
    text(source, decoded) {
      if (source === decoded) return;
      for (const [url] of source.matchAll(urls))
        readHtml(url, { text: (_source, _decoded, references) => addEntities(inUrls, references) });
    },
    open: (tag) => {
      for (const kind of describe(tag)) add(dropped, kind);
      const inLinks = tag.references
        .filter(([attribute]) => attribute === 'href')
        .map(([, source]) => source);
      addEntities(inUrls, inLinks);
      countOpen(tag.name, 1);
    },
    close: (name) => {
      // An end tag whose start was listed is not listed again.
      if ((open.get(name) ?? 0) > 0) countOpen(name, -1);
      else add(dropped, `</${truncate(name)}>`);
    },
    hide: (name) => add(dropped, `<${truncate(name)}> with its content`),
    drop: (source) =>
      add(dropped, source.startsWith('<!--') ? `${truncate(source)} without an end` : truncate(source)),
  });
  return { dropped, inUrls };
}

function add(counts: Map<string, number>, kind: string): void {
  if (counts.size < maxKinds || counts.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
}

const urls = /\b(?:https?|ftp):\/\/[^\s"'<>]*/gi;

/** `&lt;` and the like are meant, and so are numbers. */
function addEntities(inUrls: Map<string, number>, references: readonly string[]): void {
  for (const reference of references)
    if (!/^&#/.test(reference) && !(reference.endsWith(';') && textOf(reference) <= '\u00a0'))
      add(inUrls, reference);
}

function describeStripped({ name, attributes }: OpenTag): readonly string[] {
  const tag = `<${truncate(name)}>`;
  const row = descriptionTag(name);
  if (row === undefined) return [tag];
  const { attribute } = row;
  const value = attribute === undefined ? '' : (attributes.get(attribute) ?? '');
  if (attribute === 'src') return [`${tag} unless it is an attachment of the task`];
  if (attribute === 'href' && !isAllowedLink(value)) return [`${tag} without ${linkProtocols.join(', ')}`];
  const colors = attribute === 'style' ? allowedColors(value) : [];
  if (attribute === 'style' && !colors.some(Boolean)) return [`${tag} without a color`];
  return [
    ...(colors.includes(undefined) ? [`style of ${tag} other than its color`] : []),
    ...listOtherAttributes(attributes, [attribute ?? '', ...(name === 'a' ? ['rel'] : [])], tag),
  ];
}

/** Allowed are links, mentions, line breaks, and quotes with all attributes that name what is quoted. */
function describeStrippedInComment({ name, attributes }: OpenTag): readonly string[] {
  const tag = `<${truncate(name)}>`;
  if (!commentTags.includes(name)) return [tag];
  const inQuote = quoteNames(attributes);
  if (name === 'blockquote' && !inQuote) return [`${tag} without the attributes of a quote`];
  const hasMention = isMention(attributes);
  if (name === 'a' && !hasMention && !isAllowedLink(attributes.get('href') ?? ''))
    return [`${tag} without ${linkProtocols.join(', ')}`];
  const inLink = [hasMention ? 'class' : 'href', 'rel'];
  const allowed = { a: inLink, blockquote: inQuote }[name] ?? [];
  return listOtherAttributes(attributes, allowed, tag);
}

function listOtherAttributes(attributes: OpenTag['attributes'], allowed: readonly string[], tag: string) {
  const others = [...attributes.keys()].filter((name) => !allowed.includes(name));
  return others.map((name) => `${truncate(name)} of ${tag}`);
}

const maxNameLength = 30;

function truncate(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name;
}

const maxListed = 10;

export const htmlWarnings = (description: string) => formatWarnings(readDescription(description));

export const commentHtmlWarnings = (comment: string) =>
  formatWarnings(readComment(comment), 'wm task comment --help');

/** For many rows: counts the rows that have each tag and entity. */
export function createHtmlWarnings() {
  const dropped = new Map<string, number>();
  const inUrls = new Map<string, number>();
  return {
    add(description: string): void {
      const found = readDescription(description);
      for (const kind of found.dropped.keys()) add(dropped, kind);
      for (const reference of found.inUrls.keys()) add(inUrls, reference);
    },
    texts: () => formatWarnings({ dropped, inUrls }, undefined, (rows) => countOf(rows, 'row')),
  };
}

function formatWarnings(
  { dropped, inUrls }: ReturnType<typeof find>,
  help = 'wm task update --help html',
  formatRows?: (count: number) => string,
): readonly string[] {
  const list = (counts: Map<string, number>) => {
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
