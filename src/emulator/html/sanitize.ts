// Sanitizes the HTML of a description: allowed tags with allowed attributes, regular tables, links with safe protocols. Other tags are
// removed, and their text stays. Works in one pass, because a description may have a million characters.

import {
  type AllowedTag,
  allowedColor,
  descriptionTags,
  externalLinkRel,
  linkProtocols,
} from '#contract/allowed-html.ts';
import type { AssumptionId } from '#contract/assumption.ts';
import { escapeHtml } from './escape.ts';
import { type OpenTag, readHtml } from './read-html.ts';

export interface LinkContext {
  /** URLs of the task's own attachments: the only allowed images. */
  readonly images: readonly string[];
  /** The origin of the web workspace: links to it do not leave it. */
  readonly workspace: string;
  /** Called if a tag was removed. */
  readonly assume?: (id: AssumptionId) => void;
}

/** Escapes only what could start a tag. */
const escapeText = (text: string) => text.replace(/</g, '&lt;');

/** Removes tags that are nested deeper, so that searching the open tags stays cheap. */
const maxDepth = 100;

export function linkTag(href: string, { workspace }: LinkContext): string | undefined {
  if (!URL.canParse(href) || !linkProtocols.includes(new URL(href).protocol)) return undefined;
  const isExternal = new URL(href).origin !== new URL(workspace).origin;
  return `<a href="${escapeHtml(href)}"${isExternal ? ` rel="${externalLinkRel}"` : ''}>`;
}

export type SanitizeTag = (tag: OpenTag, context: LinkContext) => string | undefined;

function sanitizeDescriptionTag({ name, attributes }: OpenTag, context: LinkContext): string | undefined {
  const row = rowOf(name);
  if (row === undefined) return undefined;
  if (row.attribute === undefined) return `<${name}>`;
  const value = attributes.get(row.attribute) ?? '';
  if (row.attribute === 'href') return linkTag(value, context);
  if (row.attribute === 'src')
    return context.images.includes(value) ? `<img src="${escapeHtml(value)}">` : undefined;
  const color = allowedColor(value);
  return color === undefined ? undefined : `<${name} style="color: ${color}">`;
}

function rowOf(name: string): AllowedTag | undefined {
  return Object.hasOwn(descriptionTags, name) ? descriptionTags[name] : undefined;
}

class Sanitizer {
  readonly #out: string[] = [];
  readonly #open: string[] = [];
  readonly #context: LinkContext;
  readonly #sanitizeTag: SanitizeTag;
  /** Cells of each row of the innermost table, and where in the output each row ends. */
  #rows: { cells: number; end: number }[] = [];

  constructor(context: LinkContext, sanitizeTag: SanitizeTag) {
    this.#context = context;
    this.#sanitizeTag = sanitizeTag;
  }

  text(text: string): void {
    const parent = this.#open.at(-1);
    if (parent !== 'table' && parent !== 'tr') this.#out.push(escapeText(text));
    else if (text.trim() !== '' && parent === 'tr') {
      this.open({ name: 'td', attributes: new Map() });
      this.#out.push(escapeText(text));
    }
  }

  open(tag: OpenTag): void {
    if (tag.name === 'br') {
      if (this.#open.at(-1) !== 'table' && this.#open.at(-1) !== 'tr') this.#out.push('<br>');
      return;
    }
    const sanitized = this.#sanitizeTag(tag, this.#context);
    if (sanitized === undefined) this.#context.assume?.('other-html');
    else if (tag.name === 'img') this.#out.push(sanitized);
    else this.#begin(tag.name, sanitized);
  }

  #begin(name: string, sanitized: string): void {
    // The next item, cell or row closes an open one.
    if (name === 'li' && this.#open.at(-1) === 'li') this.close('li');
    if (name === 'td' && this.#open.includes('td')) this.close('td');
    if (name === 'tr' && this.#open.includes('tr')) this.close('tr');
    if (name === 'table' && this.#open.includes('table')) return;
    const parents = rowOf(name)?.parents;
    if (this.#open.length >= maxDepth) return;
    if (parents !== undefined && !parents.includes(this.#open.at(-1) ?? '')) return;
    if (name === 'table') this.#rows = [];
    if (name === 'tr') this.#rows.push({ cells: 0, end: -1 });
    const row = this.#rows.at(-1);
    if (name === 'td' && row) row.cells++;
    this.#open.push(name);
    this.#out.push(sanitized);
  }

  close(name: string): void {
    const index = this.#open.lastIndexOf(name);
    if (index !== -1) this.#closeFrom(index);
  }

  /** Closes the open tags from this index on, the innermost first. */
  #closeFrom(index: number): void {
    for (const name of this.#open.splice(index).reverse()) {
      const row = this.#rows.at(-1);
      if (name === 'tr' && row) row.end = this.#out.length;
      if (name === 'table') this.#padRows();
      this.#out.push(`</${name}>`);
    }
  }

  /** Pads every row to the length of the longest. */
  #padRows(): void {
    const width = Math.max(0, ...this.#rows.map(({ cells }) => cells));
    for (const { cells, end } of this.#rows) {
      if (end >= 0 && cells < width) this.#out[end] = `${'<td></td>'.repeat(width - cells)}</tr>`;
    }
    this.#rows = [];
  }

  finish(): string {
    this.#closeFrom(0);
    return this.#out.join('');
  }
}

export function sanitizeHtml(
  html: string,
  context: LinkContext,
  sanitizeTag: SanitizeTag = sanitizeDescriptionTag,
): string {
  if (!html.includes('<')) return escapeText(html);
  const sanitizer = new Sanitizer(context, sanitizeTag);
  readHtml(html, {
    text: (source) => sanitizer.text(source),
    open: (tag) => sanitizer.open(tag),
    close: (name) => sanitizer.close(name),
    hide: () => context.assume?.('other-html'),
  });
  return sanitizer.finish();
}

const blocks: readonly string[] = ['li', 'tr', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

export function textOf(html: string, lineBreak: string, blockEnd: string): string {
  let text = '';
  readHtml(html, {
    text: (_, decoded) => {
      text += decoded;
    },
    open: ({ name }) => {
      if (name === 'br') text += lineBreak;
    },
    close: (name) => {
      if (blocks.includes(name)) text += blockEnd;
    },
  });
  return text;
}

/** The text of a sanitized description, on one line. */
export function toPlainText(html: string): string {
  return textOf(html, ' ', ' ').replace(/\s+/g, ' ').trim();
}
