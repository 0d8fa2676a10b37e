// The HTML of comments: line breaks, links, mentions, and quotes of a comment or of a description; everything else goes
// and leaves its text. How a text is read is html.ts.

import {
  commentTags,
  mentionClass,
  quoteAttributes,
  quotedEntityTypes,
} from '../../contract/allowed-html.ts';
import { decodeEntities } from '../../contract/html-tokenizer.ts';
import { escapeHtml, linkTag, type OpeningTag, sanitizeHtml } from './sanitize.ts';

const userId = /^[A-Z0-9]{8}$/;

function quote(attributes: ReadonlyMap<string, string>): string | undefined {
  const has = (names: readonly string[]) => names.every((name) => attributes.has(name));
  const ofDescription =
    quotedEntityTypes.includes(attributes.get('data-entrytype') ?? '') && has(quoteAttributes.description);
  const names = has(quoteAttributes.comment)
    ? quoteAttributes.comment
    : ofDescription
      ? quoteAttributes.description
      : undefined;
  if (names === undefined) return undefined;
  return `<blockquote ${names.map((name) => `${name}="${escapeHtml(attributes.get(name) ?? '')}"`).join(' ')}>`;
}

const opening: OpeningTag = ({ name, attributes }, context) => {
  if (!commentTags.includes(name)) return undefined;
  if (name === 'blockquote') return quote(attributes);
  const whom = attributes.get('rel') ?? '';
  return attributes.get('class') === mentionClass && userId.test(whom)
    ? `<a class="${mentionClass}" rel="${whom}">`
    : linkTag(attributes.get('href') ?? '', context);
};

/** `workspace`: links that begin so stay in the workspace. */
export function sanitizeComment(html: string, workspace: string): string {
  return sanitizeHtml(html, { images: [], workspace }, opening);
}

/** A comment without its tags; a line break stays one. */
export function commentText(html: string): string {
  return decodeEntities(html.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]*>/g, ''));
}
