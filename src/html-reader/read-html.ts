// Tokenizes HTML as browsers do, in one pass of htmlparser2: text, tags with attributes, character references. The emulator decides
// with it what stays, and the client what to warn about. docs/decisions/html-parser.md has the alternatives.

import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { hiddenTags } from '#contract/allowed-html.ts';

export interface OpenTag {
  readonly name: string;
  /** With references decoded; the first of repeated attributes counts. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The references in values of attributes, as written. */
  readonly references: readonly (readonly [attribute: string, source: string])[];
}

interface HtmlHandlers {
  /** `source` is the text as written, `decoded` without references, and `references` are those. */
  text?(source: string, decoded: string, references: readonly string[]): void;
  open?(tag: OpenTag): void;
  close?(name: string): void;
  /** Called when a tag and its content are skipped. */
  hide?(name: string): void;
  /** Called with all other markup, except complete comments: `</>`, `<?php ... ?>`, an unclosed comment. */
  drop?(source: string): void;
}

export function readHtml(html: string, handlers: HtmlHandlers): void {
  const tokenizer = new Tokenizer({ decodeEntities: true }, new Reader(html, handlers));
  tokenizer.write(html);
  tokenizer.end();
}

/** A class, because closures would be created for each of 200,000 descriptions. */
class Reader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #handlers: HtmlHandlers;
  /** The end of what has been read. */
  #end = 0;
  #source = '';
  #decoded = '';
  #references: string[] = [];
  #hidden: string | undefined;
  #tag = newTag('');
  #attribute = '';
  #value = '';
  #valueEnd = 0;
  #hasReference = false;

  constructor(html: string, handlers: HtmlHandlers) {
    this.#html = html;
    this.#handlers = handlers;
  }

  ontext(from: number, sourceEnd: number, reference?: string): void {
    // An unfinished tag is text. The tokenizer has no start for an end tag, and starts `<s`, maybe a script, after the `<`.
    const start = Math.max(this.#html[from - 1] === '<' ? from - 1 : from, this.#end);
    this.#skipTo(start);
    this.#end = sourceEnd;
    if (this.#hidden !== undefined) return;
    const text = this.#html.slice(start, sourceEnd);
    this.#source += text;
    this.#decoded += reference ?? text;
    // A reference to two characters comes in two calls; the second has no source left.
    if (reference !== undefined && text !== '') this.#references.push(text);
  }

  ontextentity(codePoint: number, sourceEnd: number): void {
    this.ontext(this.#html.lastIndexOf('&', sourceEnd - 1), sourceEnd, String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, nameEnd: number): void {
    this.#skipTo(start - 1);
    this.#tag = newTag(this.#html.slice(start, nameEnd).toLowerCase());
  }

  onattribname(start: number, nameEnd: number): void {
    this.#attribute = this.#html.slice(start, nameEnd).toLowerCase();
    this.#value = '';
    this.#valueEnd = nameEnd;
  }

  onattribdata(start: number, dataEnd: number): void {
    // References come before it, and at first the equals sign.
    const between = this.#hasReference ? this.#html.slice(this.#valueEnd, start) : '';
    for (const [source] of between.matchAll(/&[^&]*/g)) this.#tag.references.push([this.#attribute, source]);
    this.#hasReference = false;
    this.#value += this.#html.slice(start, dataEnd);
    this.#valueEnd = dataEnd;
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
    this.#hasReference = true;
  }

  onattribend(): void {
    const { attributes } = this.#tag;
    if (!attributes.has(this.#attribute)) attributes.set(this.#attribute, this.#value);
  }

  onopentagend(lastIndex: number): void {
    this.#end = lastIndex + 1;
    if (this.#hidden !== undefined) return;
    this.#flushText();
    const { name } = this.#tag;
    if (hiddenTags.includes(name)) {
      this.#hidden = name;
      this.#handlers.hide?.(name);
    } else this.#handlers.open?.(this.#tag);
  }

  /** Only foreign content (SVG) has self-closing tags; elsewhere the slash is ignored. */
  readonly onselfclosingtag = this.onopentagend;

  onclosetag(start: number, nameEnd: number): void {
    this.#skipTo(start - 2);
    const lastIndex = this.#html.indexOf('>', nameEnd);
    if (lastIndex === -1) return;
    this.#end = lastIndex + 1;
    const closed = this.#html.slice(start, nameEnd).toLowerCase();
    if (this.#hidden === undefined) {
      this.#flushText();
      this.#handlers.close?.(closed);
    } else if (closed === this.#hidden) this.#hidden = undefined;
  }

  oncomment(start: number, lastIndex: number): void {
    const tokenStart = this.#html.lastIndexOf('<', start - 1);
    this.#skipTo(tokenStart);
    const isWhole = this.#html.startsWith('<!--', tokenStart) && lastIndex < this.#html.length;
    if (isWhole) this.#end = lastIndex + 1;
    else this.#skipTo(lastIndex + 1);
  }

  readonly oncdata = this.oncomment;
  readonly ondeclaration = this.oncomment;
  /** Only XML has them. */
  onprocessinginstruction(): void {}

  onend(): void {
    // An unfinished tag at the end is text; an unfinished declaration is not.
    const [unread = ''] = /^(?:<\/>)*(?:<!.*)?/s.exec(this.#html.slice(this.#end)) ?? [];
    this.ontext(this.#end + unread.length, this.#html.length);
    this.#flushText();
  }

  /** What lies between two tokens is `</>`. */
  #skipTo(start: number): void {
    if (start <= this.#end) return;
    if (this.#hidden === undefined) this.#handlers.drop?.(this.#html.slice(this.#end, start));
    this.#end = start;
  }

  #flushText(): void {
    if (this.#source === '') return;
    this.#handlers.text?.(this.#source, this.#decoded, this.#references);
    this.#source = '';
    this.#decoded = '';
    this.#references = [];
  }
}

function newTag(name: string) {
  const references: [string, string][] = [];
  return { name, attributes: new Map<string, string>(), references };
}

/** `lineBreak` stands for a `br`, `blockEnd` for the end of a line of its own. */
export function textOf(html: string, lineBreak = '', blockEnd = ''): string {
  const texts: string[] = [];
  readHtml(html, {
    text: (_, decoded) => texts.push(decoded),
    open: ({ name }) => texts.push(name === 'br' ? lineBreak : ''),
    close: (name) => texts.push(blocks.includes(name) ? blockEnd : ''),
  });
  return texts.join('');
}

const blocks: readonly string[] = ['li', 'tr', 'td', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
