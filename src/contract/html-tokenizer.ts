// Splits HTML into tags and text as the service does; allowed-html.ts lists what the service keeps. One pass, because a description
// may have a million characters.

import { hiddenTags } from './allowed-html.ts';

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

/** Decodes numeric character references and the few named ones that descriptions contain. Others stay. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7}|x[0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (reference, digits?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? reference;
      // `x6a` becomes 0x6a; `106` becomes 0106, which Number reads as decimal.
      const code = Number(`0${digits}`);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : reference;
    },
  );
}

const isSpace = (character: string) => /\s/.test(character);

class HtmlReader {
  readonly html: string;
  position = 0;
  /** Characters read, plus calls. A test compares the steps of texts of different lengths. */
  steps = 0;

  constructor(html: string) {
    this.html = html;
  }

  /** The next character; empty at the end. */
  next(): string {
    return this.html.charAt(this.position);
  }

  /** Reads up to the first character that `ends` accepts, or to the end. */
  takeUntil(ends: (character: string) => boolean): string {
    const start = this.position;
    let end = start;
    while (end < this.html.length && !ends(this.html.charAt(end))) end += 1;
    this.#moveTo(end);
    return this.html.slice(start, end);
  }

  /** Moves past the next occurrence of `text`. If there is none, moves to the end and returns false. */
  skipPast(text: string): boolean {
    const index = this.html.indexOf(text, this.position);
    this.#moveTo(index === -1 ? this.html.length : index + text.length);
    return index !== -1;
  }

  skipHiddenContent(name: string): void {
    const closing = new RegExp(`</${name}`, 'gi');
    closing.lastIndex = this.position;
    this.#moveTo(closing.exec(this.html)?.index ?? this.html.length);
  }

  #moveTo(position: number): void {
    this.steps += position - this.position + 1;
    this.position = position;
  }
}

const endsName = (character: string) => character === '>' || character === '/' || isSpace(character);
const isNotSpace = (character: string) => !isSpace(character);

/** Reads a tag from its name or slash on. If nothing closes it, returns undefined, with the reader at the end. */
function readTag(reader: HtmlReader): Tag | undefined {
  const closes = reader.next() === '/';
  if (closes) reader.position += 1;
  const name = reader.takeUntil(endsName).toLowerCase();
  const attributes = new Map<string, string>();
  const tag = { name, closes, attributes };
  if (closes) return reader.skipPast('>') ? tag : undefined;
  for (;;) {
    reader.takeUntil((character) => character !== '/' && !isSpace(character));
    if (reader.next() === '') return undefined;
    if (reader.next() === '>') {
      reader.position += 1;
      return tag;
    }
    const [attribute, value] = readAttribute(reader);
    if (!attributes.has(attribute)) attributes.set(attribute, value);
  }
}

function readAttribute(reader: HtmlReader): [name: string, value: string] {
  const name = reader.takeUntil((character) => character === '=' || endsName(character)).toLowerCase();
  reader.takeUntil(isNotSpace);
  if (reader.next() !== '=') return [name, ''];
  reader.position += 1;
  reader.takeUntil(isNotSpace);
  const quote = reader.next();
  if (quote !== '"' && quote !== "'")
    return [name, decodeEntities(reader.takeUntil((character) => character === '>' || isSpace(character)))];
  reader.position += 1;
  const value = reader.takeUntil((character) => character === quote);
  reader.position += 1;
  return [name, decodeEntities(value)];
}

export interface HtmlHandlers {
  tag(tag: Tag): void;
  /** A tag that is removed with its content. */
  skipped?(name: string): void;
  /** Other removed text, except complete comments: `</1>`, `<?php ... ?>`, `<![CDATA[...]]>`, an unclosed comment. */
  dropped?(source: string): void;
}

/** Calls the handlers for each tag, in order. Never throws: everything else is text. Returns the number of steps. */
export function tokenizeHtml(html: string, handlers: HtmlHandlers): number {
  const reader = new HtmlReader(html);
  while (reader.skipPast('<')) {
    const start = reader.position - 1;
    const dropped = () => handlers.dropped?.(html.slice(start, reader.position));
    const nextTwo = html.slice(reader.position, reader.position + 2);
    if (html.startsWith('!--', reader.position)) {
      // `<!-->` is a complete comment.
      reader.position += 1;
      if (!reader.skipPast('-->')) dropped();
    } else if (/^(?:[!?]|\/(?![a-z]|$))/i.test(nextTwo)) {
      reader.skipPast(html.startsWith('![CDATA[', reader.position) ? ']]>' : '>');
      dropped();
    } else if (/^\/?[a-z]/i.test(nextTwo)) {
      const tag = readTag(reader);
      // Nothing after this closes a tag, so the rest is text.
      if (!tag) break;
      if (tag.closes || !hiddenTags.includes(tag.name)) handlers.tag(tag);
      else {
        handlers.skipped?.(tag.name);
        reader.skipHiddenContent(tag.name);
      }
    }
  }
  return reader.steps;
}
