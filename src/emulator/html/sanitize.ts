// Sanitizes the HTML of a description: allowed tags with allowed attributes, regular tables, links with safe protocols. Other tags are
// removed, and their text stays. Works in one pass, because a description may have a million characters.

import { allowedColors, descriptionTag, externalLinkRel, isAllowedLink } from '#contract/allowed-html.ts';
import type { AssumptionId } from '#contract/assumption.ts';
import { type OpenTag, readHtml, textOf } from '#html-reader/read-html.ts';
import { escapeHtml } from '#web/html-template.ts';

export interface LinkContext {
  /** URLs of the task's own attachments: the only allowed images. */
  readonly images?: readonly string[];
  /** The origin of the web workspace: links to it do not leave it. */
  readonly workspace: string;
  /** Called if a tag was removed. */
  readonly assume?: (id: AssumptionId) => void;
}

const references: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', "'": '&#39;', '@': '&#64;' };

/** Comments have more of it escaped, emoji too; what was escaped already stays. */
export const escapeCommentText = (text: string) =>
  text.replace(
    /[<>'@]|[\u{10000}-\u{10ffff}]/gu,
    (one) => references[one] ?? `&#x${one.codePointAt(0)?.toString(16)};`,
  );

export function linkTag(href: string, { workspace }: LinkContext): string | undefined {
  if (!isAllowedLink(href)) return undefined;
  const isExternal = new URL(href).origin !== new URL(workspace).origin;
  return `<a href="${escapeHtml(href)}"${isExternal ? ` rel="${externalLinkRel}"` : ''}>`;
}

export type SanitizeTag = (tag: OpenTag, context: LinkContext) => string | undefined;

function sanitizeDescriptionTag({ name, attributes }: OpenTag, context: LinkContext): string | undefined {
  const row = descriptionTag(name);
  if (row === undefined) return undefined;
  if (row.attribute === undefined) return `<${name}>`;
  const value = attributes.get(row.attribute) ?? '';
  if (row.attribute === 'href') return linkTag(value, context);
  if (row.attribute === 'src')
    return context.images?.some((url) => value === url || value.startsWith(`${url}?`))
      ? `<img src="${escapeHtml(value)}" />`
      : undefined;
  const colors = allowedColors(value).filter((color) => color !== undefined);
  return colors.length === 0 ? undefined : `<${name} style="${colors.join(' ')}">`;
}

/** `escapeText`: by default, it escapes only what could start a tag. */
export function sanitizeHtml(
  html: string,
  context: LinkContext,
  sanitizeTag: SanitizeTag = sanitizeDescriptionTag,
  escapeText = (text: string) => text.replace(/</g, '&lt;'),
): string {
  context.assume?.('stored-html');
  if (!html.includes('<')) return escapeText(html);
  const out: string[] = [];
  const openTags: string[] = [];
  /** Cells of each row of the innermost table, and where in the output each row ends. */
  let rows: { cells: number; end: number }[] = [];
  const parent = () => openTags.at(-1) ?? '';
  const isBetweenCells = () => parent() === 'table' || parent() === 'tr';

  function open(tag: OpenTag): void {
    if (tag.name === 'br') {
      if (!isBetweenCells()) out.push('<br />');
      return;
    }
    const sanitized = sanitizeTag(tag, context);
    if (sanitized === undefined) context.assume?.('other-html');
    else if (tag.name === 'img') out.push(sanitized);
    else begin(tag.name, sanitized);
  }

  function begin(name: string, sanitized: string): void {
    // The next item, cell or row closes an open one.
    if (name === 'li' && parent() === 'li') close('li');
    if (name === 'td' || name === 'tr') close(name);
    if (name === 'table' && openTags.includes('table')) return;
    const parents = descriptionTag(name)?.parents;
    // Tags that are nested deeper are removed, so that searching the open tags stays cheap.
    if (openTags.length >= 100 || (parents !== undefined && !parents.includes(parent()))) return;
    if (name === 'table') rows = [];
    if (name === 'tr') rows.push({ cells: 0, end: -1 });
    const row = rows.at(-1);
    if (name === 'td' && row) row.cells++;
    openTags.push(name);
    out.push(sanitized);
  }

  function close(name: string): void {
    const index = openTags.lastIndexOf(name);
    if (index !== -1) closeFrom(index);
  }

  /** Closes the open tags from this index on, the innermost first. */
  function closeFrom(index: number): void {
    for (const name of openTags.splice(index).reverse()) {
      const row = rows.at(-1);
      if (name === 'tr' && row) row.end = out.length;
      if (name === 'table') padRows();
      out.push(`</${name}>`);
    }
  }

  /** Pads every row to the length of the longest. */
  function padRows(): void {
    const width = Math.max(0, ...rows.map(({ cells }) => cells));
    for (const { cells, end } of rows)
      if (end >= 0 && cells < width) out[end] = `${'<td></td>'.repeat(width - cells)}</tr>`;
    rows = [];
  }

  readHtml(html, {
    text(source) {
      if (isBetweenCells()) {
        if (source.trim() === '' || parent() === 'table') return;
        begin('td', '<td>');
      }
      out.push(escapeText(source));
    },
    open,
    close,
    hide: () => context.assume?.('other-html'),
  });
  closeFrom(0);
  return out.join('');
}

const briefCharacters = 125;
/** Of a longer description no more is converted than the brief one needs: it would make every list slow. */
const readCharacters = briefCharacters * 20;
/** A tag or an entity that a cut has left without its end. Both are escaped in texts and attributes. */
const unfinished = /(?:<[^>]*|&[^;\s&<]{0,10})$/;

/** The brief description in a record: the first characters of a sanitized description, on one line and without tags. */
export function briefDescription(description: string): string {
  for (let length = readCharacters; ; length *= 2) {
    const isWhole = description.length <= length;
    const html = isWhole ? description : description.slice(0, length).replace(unfinished, '');
    const plain = textOf(html, ' ', ' ').replace(/\s+/g, ' ').trim();
    const characters = plain.length > briefCharacters ? [...plain] : [];
    if (characters.length > briefCharacters) return `${characters.slice(0, briefCharacters).join('')}...`;
    if (isWhole) return plain;
  }
}
