// Reduces a description to the HTML that the service keeps: the allowed tags with their allowed attributes, regular
// tables, links with safe protocols. Text always stays; a tag that is not allowed goes and leaves what it held.
// One pass over the text, since a description may hold a million characters.

import {
  type AllowedTag,
  allowedColor,
  descriptionTags,
  externalLinkRel,
  linkProtocols,
} from '../../contract/allowed-html.ts';
import { decodeEntities, type Tag, tokenizeHtml } from '../../contract/html-tokenizer.ts';

export interface LinkContext {
  /** Addresses of the task's own attachments: the only images. */
  readonly images: readonly string[];
  /** Links that begin so stay in the workspace. */
  readonly workspace: string;
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Only what would begin a tag; the rest of a text stays as it was sent. */
const escapeText = (text: string) => text.replace(/</g, '&lt;');

/** Tags nested deeper than this go, so that looking through the open ones stays cheap. */
const maxDepth = 100;

export function linkTag(href: string, { workspace }: LinkContext): string | undefined {
  if (!URL.canParse(href) || !linkProtocols.includes(new URL(href).protocol)) return undefined;
  const leaves = new URL(href).origin !== new URL(workspace).origin;
  return `<a href="${escapeHtml(href)}"${leaves ? ` rel="${externalLinkRel}"` : ''}>`;
}

/** An opening tag as it is kept, or nothing where it goes. */
export type OpeningTag = (tag: Tag, context: LinkContext) => string | undefined;

/** Those of a description. */
function descriptionTag({ name, attributes }: Tag, context: LinkContext): string | undefined {
  const row = rowOf(name);
  if (row === undefined) return undefined;
  if (row.attribute === undefined) return `<${name}>`;
  const value = attributes.get(row.attribute) ?? '';
  if (row.attribute === 'href') return linkTag(value, context);
  if (row.attribute === 'src') return undefined;
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
  readonly #opening: OpeningTag;
  /** Cells of each row of the innermost table, and where in the output each row ends. */
  #rows: { cells: number; end: number }[] = [];

  constructor(context: LinkContext, opening: OpeningTag) {
    this.#context = context;
    this.#opening = opening;
  }

  text(text: string): void {
    const parent = this.#open.at(-1);
    if (parent !== 'table' && parent !== 'tr') this.#out.push(escapeText(text));
    else if (text.trim() !== '' && this.#rows.length > 0 && parent === 'tr') {
      this.tag({ name: 'td', closes: false, attributes: new Map() });
      this.#out.push(escapeText(text));
    }
  }

  tag(tag: Tag): void {
    if (tag.closes) {
      this.#close(tag.name);
      return;
    }
    if (tag.name === 'br') {
      if (this.#open.at(-1) !== 'table' && this.#open.at(-1) !== 'tr') this.#out.push('<br>');
      return;
    }
    if (tag.name === 'img') {
      const source = tag.attributes.get('src') ?? '';
      if (this.#context.images.includes(source)) this.#out.push(`<img src="${escapeHtml(source)}">`);
      return;
    }
    const kept = this.#opening(tag, this.#context);
    if (kept !== undefined) this.#begin(tag.name, kept);
  }

  #begin(name: string, kept: string): void {
    // An open item, cell or row ends where its next one begins.
    if (name === 'li' && this.#open.at(-1) === 'li') this.#close('li');
    if (name === 'td' && this.#open.includes('td')) this.#close('td');
    if (name === 'tr' && this.#open.includes('tr')) this.#close('tr');
    if (name === 'table' && this.#open.includes('table')) return;
    const parents = rowOf(name)?.parents;
    if (this.#open.length >= maxDepth) return;
    if (parents !== undefined && !parents.includes(this.#open.at(-1) ?? '')) return;
    if (name === 'table') this.#rows = [];
    if (name === 'tr') this.#rows.push({ cells: 0, end: -1 });
    const row = this.#rows.at(-1);
    if (name === 'td' && row) row.cells++;
    this.#open.push(name);
    this.#out.push(kept);
  }

  #close(name: string): void {
    const place = this.#open.lastIndexOf(name);
    if (place === -1) return;
    while (this.#open.length > place) {
      const last = this.#open.pop() ?? '';
      const row = this.#rows.at(-1);
      if (last === 'tr' && row) row.end = this.#out.length;
      if (last === 'table') this.#squareUp();
      this.#out.push(`</${last}>`);
    }
  }

  /** Every row gets as many cells as the longest has. */
  #squareUp(): void {
    const most = Math.max(0, ...this.#rows.map(({ cells }) => cells));
    for (const { cells, end } of this.#rows) {
      if (end >= 0 && cells < most) this.#out[end] = `${'<td></td>'.repeat(most - cells)}</tr>`;
    }
    this.#rows = [];
  }

  finish(): string {
    const first = this.#open[0];
    if (first !== undefined) this.#close(first);
    while (this.#open.length > 0) this.#close(this.#open[0] ?? '');
    return this.#out.join('');
  }
}

/** `open`: the tags that are kept, those of a description where nothing is said. */
export function sanitizeHtml(html: string, context: LinkContext, open: OpeningTag = descriptionTag): string {
  if (!html.includes('<')) return escapeText(html);
  const reduction = new Sanitizer(context, open);
  tokenizeHtml(html, { text: (text) => reduction.text(text), tag: (tag) => reduction.tag(tag) });
  return reduction.finish();
}

/** The text alone, in one line. */
export function toPlainText(html: string): string {
  return decodeEntities(html.replace(/<br\s*\/?>|<\/(?:li|tr|td|h[1-6])>/gi, ' ').replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
