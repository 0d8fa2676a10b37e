// The HTML of comments: line breaks, links, mentions, and quotes of a comment or of a description; everything else goes
// and leaves its text. How a text is read is html.ts.

import { decodeEntities, escapeHtml, link, type Opening, reduceHtml } from './html.ts';

const mention = /^stream-user-id avatar$/;
const userId = /^[A-Z0-9]{8}$/;
const ofComment = ['data-entrytype', 'data-entryid', 'data-user', 'data-date'];
const ofDescription = ['data-entrytype', 'data-entryid', 'data-title'];

function quote(attributes: ReadonlyMap<string, string>): string | undefined {
  const has = (names: readonly string[]) => names.every((name) => attributes.has(name));
  const described = ['task', 'folder'].includes(attributes.get('data-entrytype') ?? '');
  const names = has(ofComment) ? ofComment : described && has(ofDescription) ? ofDescription : undefined;
  if (names === undefined) return undefined;
  return `<blockquote ${names.map((name) => `${name}="${escapeHtml(attributes.get(name) ?? '')}"`).join(' ')}>`;
}

const opening: Opening = ({ name, attributes }, around) => {
  if (name === 'blockquote') return quote(attributes);
  if (name !== 'a') return undefined;
  const whom = attributes.get('rel') ?? '';
  return mention.test(attributes.get('class') ?? '') && userId.test(whom)
    ? `<a class="stream-user-id avatar" rel="${whom}">`
    : link(attributes.get('href') ?? '', around);
};

/** `workspace`: links that begin so stay in the workspace. */
export function reduceComment(html: string, workspace: string): string {
  return reduceHtml(html, { images: [], workspace }, opening);
}

/** A comment without its tags; a line break stays one. */
export function commentText(html: string): string {
  return decodeEntities(html.replace(/<br\s*\/?>/gi, '\n').replace(/<[^<>]*>/g, ''));
}
