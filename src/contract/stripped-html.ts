// Finds what the service will remove from a description or a comment, to warn before it is sent. Only the service knows whether
// an image is an attachment of the task, and whether a table is regular.

import {
  allowedColors,
  commentTags,
  descriptionTag,
  isAllowedLink,
  isMention,
  linkProtocols,
  quoteAttributes,
} from './allowed-html.ts';
import { decodeEntities } from './html-entities.ts';
import { type Tag, tokenizeHtml } from './html-tokenizer.ts';

/** A normal description has few kinds; hostile ones are cut off. */
const maxKinds = 50;

export const findStrippedHtml = (description: string) => findStripped(description, describeStripped);
export const findStrippedCommentHtml = (comment: string) => findStripped(comment, describeStrippedInComment);

/** Counts each kind, in order of appearance. */
function findStripped(html: string, describe: (tag: Tag) => readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!html.includes('<')) return counts;
  const add = (kind: string) => {
    if (counts.size < maxKinds || counts.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  };
  const open = new Map<string, number>();
  const countOpen = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by);
  tokenizeHtml(html, {
    tag: (tag) => {
      const { name, closes } = tag;
      if (!closes) for (const kind of describe(tag)) add(kind);
      // An end tag whose start was listed is not listed again.
      else if ((open.get(name) ?? 0) <= 0) return add(`</${truncate(name)}>`);
      countOpen(name, closes ? -1 : 1);
    },
    skipped(name) {
      add(`<${truncate(name)}> with its content`);
      countOpen(name, 1);
    },
    dropped: (source) =>
      add(source.startsWith('<!--') ? `${truncate(source)} without an end` : truncate(source)),
  });
  return counts;
}

/** Comments, tags, and URLs outside of them. */
const urlOrTag = /<!--[\s\S]*?(?:-->|$)|<[a-z][^<>]*|\b(?:https?|ftp):\/\/[^\s<>"']*/gi;

/** Counts names in URLs that are read as a character, as `&copy` of `?a=1&copy=2` is. `&lt;` and the like are meant. */
export function findUrlEntities(html: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (!html.includes('&')) return counts;
  for (const [piece] of html.matchAll(urlOrTag))
    if (!piece.startsWith('<!'))
      decodeEntities(piece, piece.startsWith('<'), (source, character) => {
        const isMeant = source.endsWith(';') && character <= '\u00a0';
        if (!isMeant) counts.set(source, (counts.get(source) ?? 0) + 1);
      });
  return counts;
}

function describeStripped({ name, attributes }: Tag): readonly string[] {
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
function describeStrippedInComment({ name, attributes }: Tag): readonly string[] {
  const tag = `<${truncate(name)}>`;
  if (!commentTags.includes(name)) return [tag];
  const isQuote = Object.values(quoteAttributes).some((names) =>
    names.every((attribute) => attributes.has(attribute)),
  );
  if (name === 'blockquote' && !isQuote) return [`${tag} without the attributes of a quote`];
  if (name === 'a' && !isMention(attributes) && !isAllowedLink(attributes.get('href') ?? ''))
    return [`${tag} without ${linkProtocols.join(', ')}`];
  const allowed = name === 'a' ? ['href', 'class', 'rel'] : name === 'br' ? [] : quoteNames;
  return listOtherAttributes(attributes, allowed, tag);
}

function listOtherAttributes(
  attributes: Tag['attributes'],
  allowed: readonly string[],
  tag: string,
): readonly string[] {
  return [...attributes.keys()]
    .filter((name) => !allowed.includes(name))
    .map((name) => `${truncate(name)} of ${tag}`);
}

const quoteNames: readonly string[] = Object.values(quoteAttributes).flat();

const maxNameLength = 30;

function truncate(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name;
}
