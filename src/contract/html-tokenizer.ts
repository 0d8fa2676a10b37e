// Reads HTML as the service does: text, tags with their attributes, and what is not text for a reader. allowed-html.ts
// says what is kept of it. One pass, since a description may have a million characters.

/** The content of these is not shown to a reader. */
const tagsWithHiddenContent = ['script', 'style', 'template', 'iframe', 'noscript', 'title', 'textarea'];

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

/** Decodes numeric character references and the few named ones that descriptions contain; others stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7}|x[0-9a-f]{1,6})|([a-z]{2,4}));/gi,
    (whole, digits?: string, name?: string) => {
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
      // `x6a` becomes 0x6a, and `106` 0106, which is decimal all the same.
      const code = Number(`0${digits}`);
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole;
    },
  );
}

const isSpace = (character: string) => /\s/.test(character);

/** Goes through a text once. */
class HtmlReader {
  readonly html: string;
  at = 0;
  /** Characters that were looked at, and calls: a test compares them for texts of different lengths. */
  steps = 0;

  constructor(html: string) {
    this.html = html;
  }

  /** Empty at the end. */
  next(): string {
    return this.html.charAt(this.at);
  }

  /** Up to the first character that `ends` it, or to the end. */
  takeUntil(ends: (character: string) => boolean): string {
    const from = this.at;
    while (this.at < this.html.length && !ends(this.next())) this.at += 1;
    this.steps += this.at - from + 1;
    return this.html.slice(from, this.at);
  }

  /** Goes to the next `wanted`, and past it. False, and at the end, if there is none. */
  skipPast(wanted: string): boolean {
    const found = this.html.indexOf(wanted, this.at);
    const to = found === -1 ? this.html.length : found + wanted.length;
    this.steps += to - this.at + 1;
    this.at = to;
    return found !== -1;
  }

  skipHiddenContent(name: string): void {
    const closing = new RegExp(`</${name}`, 'gi');
    closing.lastIndex = this.at;
    const to = closing.exec(this.html)?.index ?? this.html.length;
    this.steps += to - this.at + 1;
    this.at = to;
  }
}

/** The tag whose name, or slash, is next; undefined, and at the end, if nothing closes it. */
function readTag(reader: HtmlReader): Tag | undefined {
  const closes = reader.next() === '/';
  if (closes) reader.at += 1;
  const name = reader.takeUntil((one) => one === '>' || one === '/' || isSpace(one)).toLowerCase();
  const attributes = new Map<string, string>();
  const tag = { name, closes, attributes };
  if (closes) return reader.skipPast('>') ? tag : undefined;
  for (;;) {
    reader.takeUntil((one) => one !== '/' && !isSpace(one));
    if (reader.next() === '') return undefined;
    if (reader.next() === '>') {
      reader.at += 1;
      return tag;
    }
    const [attribute, value] = readAttribute(reader);
    if (!attributes.has(attribute)) attributes.set(attribute, value);
  }
}

function readAttribute(reader: HtmlReader): [name: string, value: string] {
  const name = reader
    .takeUntil((one) => one === '=' || one === '>' || one === '/' || isSpace(one))
    .toLowerCase();
  reader.takeUntil((one) => !isSpace(one));
  if (reader.next() !== '=') return [name, ''];
  reader.at += 1;
  reader.takeUntil((one) => !isSpace(one));
  const quote = reader.next();
  if (quote !== '"' && quote !== "'")
    return [name, decodeEntities(reader.takeUntil((one) => one === '>' || isSpace(one)))];
  reader.at += 1;
  const value = reader.takeUntil((one) => one === quote);
  reader.at += 1;
  return [name, decodeEntities(value)];
}

export interface HtmlHandlers {
  tag(tag: Tag): void;
  /** A tag that is removed with its content. */
  skipped?(name: string): void;
  /** Called for removed text other than a tag or a whole comment: `</1>`, `<?php ... ?>`, `<![CDATA[...]]>`, an unclosed comment. */
  dropped?(source: string): void;
}

/** Enough for the user to recognise the text. */
const maxDropped = 100;

/** Calls the handlers for each tag of `html`, in order. Never throws: the rest is text. Returns how many steps it took. */
export function tokenizeHtml(html: string, handlers: HtmlHandlers): number {
  const reader = new HtmlReader(html);
  while (reader.skipPast('<')) {
    const start = reader.at - 1;
    const dropped = () => handlers.dropped?.(html.slice(start, Math.min(reader.at, start + maxDropped)));
    if (html.startsWith('!--', reader.at)) {
      // `<!-->` is a whole comment.
      reader.at += 1;
      if (!reader.skipPast('-->')) dropped();
    } else if (/^(?:[!?]|\/(?![a-z]|$))/i.test(html.slice(reader.at, reader.at + 2))) {
      reader.skipPast(html.startsWith('![CDATA[', reader.at) ? ']]>' : '>');
      dropped();
    } else if (/^\/?[a-z]/i.test(html.slice(reader.at, reader.at + 2))) {
      const tag = readTag(reader);
      // Nothing after this closes a tag, so the rest is text.
      if (!tag) break;
      if (tag.closes || !tagsWithHiddenContent.includes(tag.name)) handlers.tag(tag);
      else {
        handlers.skipped?.(tag.name);
        reader.skipHiddenContent(tag.name);
      }
    }
  }
  return reader.steps;
}
