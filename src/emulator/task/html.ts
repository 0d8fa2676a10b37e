// Reduces a description to the HTML that the service keeps: the allowed tags with their allowed attributes, regular
// tables, links with safe protocols. Text always stays; a tag that is not allowed goes and leaves what it held.
// One pass over the text, since a description may hold a million characters.

import { descriptionTags, leavingRel, linkProtocols, type TagRow } from '../../contract/html.ts';

/** What these hold is not text for a reader. */
const dropped = ['script', 'style', 'template', 'iframe', 'noscript', 'title', 'textarea'];

const safeColor = /^[a-z]{1,30}$|^#[0-9a-f]{3,8}$|^rgba?\([\d\s.,%]{1,40}\)$/i;

export interface Surroundings {
  /** Addresses of the task's own attachments: the only images. */
  readonly images: readonly string[];
  /** Links that begin so stay in the workspace. */
  readonly workspace: string;
}

export interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole;
    },
  );
}

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** Only what would begin a tag; the rest of a text stays as it was sent. */
const escapeText = (text: string) => text.replace(/</g, '&lt;');

/** Tags nested deeper than this go, so that looking through the open ones stays cheap. */
const deepest = 100;

/** Where the tag that begins at `from` ends: a `>` inside a quoted attribute does not end it. -1: nowhere. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let i = from; i < html.length; i++) {
    const character = html[i] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return i;
    else if ((character === '"' || character === "'") && /=\s*$/.test(html.slice(Math.max(0, i - 8), i)))
      quote = character;
  }
  return -1;
}

function readTag(text: string): Tag | undefined {
  const head = /^(\/?)([a-z][a-z0-9-]*)/i.exec(text);
  if (head === null) return undefined;
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text
    .slice(head[0].length)
    .matchAll(/([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare ?? ''));
  }
  return { name: (head[2] ?? '').toLowerCase(), closes: head[1] === '/', attributes };
}

export function link(href: string, { workspace }: Surroundings): string | undefined {
  if (!URL.canParse(href) || !linkProtocols.includes(new URL(href).protocol)) return undefined;
  const leaves = new URL(href).origin !== new URL(workspace).origin;
  return `<a href="${escapeHtml(href)}"${leaves ? ` rel="${leavingRel}"` : ''}>`;
}

/** An opening tag as it is kept, or nothing where it goes. */
export type Opening = (tag: Tag, around: Surroundings) => string | undefined;

/** Those of a description. */
function opening({ name, attributes }: Tag, around: Surroundings): string | undefined {
  const row = rowOf(name);
  if (row === undefined) return undefined;
  if (row.attribute === undefined) return `<${name}>`;
  const value = attributes.get(row.attribute) ?? '';
  if (row.attribute === 'href') return link(value, around);
  if (row.attribute === 'src') return undefined;
  const color = /(?:^|;)\s*color\s*:\s*([^;]+?)\s*(?:;|$)/i.exec(value)?.[1];
  return color !== undefined && safeColor.test(color) ? `<${name} style="color: ${color}">` : undefined;
}

function rowOf(name: string): TagRow | undefined {
  return Object.hasOwn(descriptionTags, name) ? descriptionTags[name] : undefined;
}

class Reduction {
  readonly #out: string[] = [];
  readonly #open: string[] = [];
  readonly #around: Surroundings;
  readonly #opening: Opening;
  /** Cells of each row of the innermost table, and where in the output each row ends. */
  #rows: { cells: number; end: number }[] = [];

  constructor(around: Surroundings, opening: Opening) {
    this.#around = around;
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
      if (this.#around.images.includes(source)) this.#out.push(`<img src="${escapeHtml(source)}">`);
      return;
    }
    const kept = this.#opening(tag, this.#around);
    if (kept !== undefined) this.#begin(tag.name, kept);
  }

  #begin(name: string, kept: string): void {
    // An open item, cell or row ends where its next one begins.
    if (name === 'li' && this.#open.at(-1) === 'li') this.#close('li');
    if (name === 'td' && this.#open.includes('td')) this.#close('td');
    if (name === 'tr' && this.#open.includes('tr')) this.#close('tr');
    if (name === 'table' && this.#open.includes('table')) return;
    const parents = rowOf(name)?.within;
    if (this.#open.length >= deepest) return;
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

/** Where what `name` holds ends, when it is not text for a reader. */
function skip(html: string, lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name}`, from);
  return end === -1 ? html.length : end;
}

/** `open`: the tags that are kept, those of a description where nothing is said. */
export function reduceHtml(html: string, around: Surroundings, open: Opening = opening): string {
  if (!html.includes('<')) return escapeText(html);
  const reduction = new Reduction(around, open);
  let lower: string | undefined;
  let at = 0;
  while (at < html.length) {
    const begins = html.indexOf('<', at);
    if (begins === -1) break;
    if (begins > at) reduction.text(html.slice(at, begins));
    if (html.startsWith('<!--', begins)) {
      const end = html.indexOf('-->', begins + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const tag = /^<\/?[a-z]/i.test(html.slice(begins, begins + 3));
    const end = tag || html[begins + 1] === '!' || html[begins + 1] === '?' ? tagEnd(html, begins + 1) : -1;
    if (end === -1) {
      reduction.text('<');
      at = begins + 1;
      // Nothing after this closes a tag, so that what is left is text; looking again at each `<` would take for ever.
      if (tag) {
        reduction.text(html.slice(at));
        at = html.length;
      }
      continue;
    }
    const read = readTag(html.slice(begins + 1, end));
    at = end + 1;
    if (read === undefined) continue;
    if (!read.closes && dropped.includes(read.name)) {
      lower ??= html.toLowerCase();
      at = skip(html, lower, read.name, at);
    } else {
      reduction.tag(read);
    }
  }
  if (at < html.length) reduction.text(html.slice(at));
  return reduction.finish();
}

/** The text alone, in one line. */
export function plainText(html: string): string {
  return decodeEntities(html.replace(/<br\s*\/?>|<\/(?:li|tr|td|h[1-6])>/gi, ' ').replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();
}
