// Sanitizes the HTML of a comment: line breaks, links, mentions, and quotes of a comment or a description. Other tags are removed, and
// their text stays.

import { commentTags, mentionClass, quoteAttributes, quotedEntityTypes } from '#contract/allowed-html.ts';
import { escapeHtml } from './escape.ts';
import { type LinkContext, linkTag, type SanitizeTag, sanitizeHtml, textOf } from './sanitize.ts';

const userIdPattern = /^[A-Z0-9]{8}$/;

function quote(attributes: ReadonlyMap<string, string>): string | undefined {
  const commentQuote = quoteWith(quoteAttributes.comment, attributes);
  if (commentQuote !== undefined) return commentQuote;
  return quotedEntityTypes.includes(attributes.get('data-entrytype') ?? '')
    ? quoteWith(quoteAttributes.description, attributes)
    : undefined;
}

/** The tag with these attributes, if it has them all. */
function quoteWith(names: readonly string[], attributes: ReadonlyMap<string, string>): string | undefined {
  const pairs: string[] = [];
  for (const name of names) {
    const value = attributes.get(name);
    if (value === undefined) return undefined;
    pairs.push(`${name}="${escapeHtml(value)}"`);
  }
  return `<blockquote ${pairs.join(' ')}>`;
}

const sanitizeCommentTag: SanitizeTag = ({ name, attributes }, context) => {
  if (!commentTags.includes(name)) return undefined;
  if (name === 'blockquote') return quote(attributes);
  const userId = attributes.get('rel') ?? '';
  return attributes.get('class') === mentionClass && userIdPattern.test(userId)
    ? `<a class="${mentionClass}" rel="${userId}">`
    : linkTag(attributes.get('href') ?? '', context);
};

/** `workspace`: the origin of the web workspace; links to it do not leave it. */
export function sanitizeComment(html: string, context: Omit<LinkContext, 'images'>): string {
  return sanitizeHtml(html, { ...context, images: [] }, sanitizeCommentTag);
}

/** The text of a sanitized comment, with its line breaks. */
export function commentText(html: string): string {
  return textOf(html, '\n', '');
}
