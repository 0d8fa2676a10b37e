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

/** Where the tag that begins at `from` ends: a `>` inside a quoted attribute does not end it. -1: nowhere. */
function findTagEnd(html: string, from: number): number {
  let quote = '';
  for (let i = from; i < html.length; i++) {
    const character = html.charAt(i);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return i;
    else if ((character === '"' || character === "'") && /=\s*$/.test(html.slice(Math.max(0, i - 8), i)))
      quote = character;
  }
  return -1;
}

function parseTag(text: string): Tag | undefined {
  const head = /^\/?[a-z][a-z0-9-]*/i.exec(text)?.[0];
  if (head === undefined) return undefined;
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare = ''] of text
    .slice(head.length)
    .matchAll(/([a-z][a-z-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, decodeEntities(double ?? single ?? bare));
  }
  return { name: head.replace('/', '').toLowerCase(), closes: head.startsWith('/'), attributes };
}

/** Where what `name` holds ends, when it is not text for a reader. */
function findContentEnd(html: string, lower: string, name: string, from: number): number {
  const end = lower.indexOf(`</${name}`, from);
  return end === -1 ? html.length : end;
}

export interface HtmlHandlers {
  tag(tag: Tag): void;
  /** A tag that is removed with its content. */
  skipped?(name: string): void;
}

/** Calls the handlers for each tag of `html`, in order. Never throws: what is no tag is text. */
export function tokenizeHtml(html: string, handlers: HtmlHandlers): void {
  let lower: string | undefined;
  let at = 0;
  while (at < html.length) {
    const begins = html.indexOf('<', at);
    if (begins === -1) return;
    if (html.startsWith('<!--', begins)) {
      const end = html.indexOf('-->', begins + 4);
      at = end === -1 ? html.length : end + 3;
      continue;
    }
    const tag = /^<\/?[a-z]/i.test(html.slice(begins, begins + 3));
    const end =
      tag || html[begins + 1] === '!' || html[begins + 1] === '?' ? findTagEnd(html, begins + 1) : -1;
    if (end === -1) {
      // Nothing after this closes a tag, so the rest is text; looking again at each `<` would take forever.
      if (tag) return;
      at = begins + 1;
      continue;
    }
    const read = parseTag(html.slice(begins + 1, end));
    at = end + 1;
    if (read === undefined) continue;
    if (!read.closes && tagsWithHiddenContent.includes(read.name)) {
      handlers.skipped?.(read.name);
      lower ??= html.toLowerCase();
      at = findContentEnd(html, lower, read.name, at);
    } else {
      handlers.tag(read);
    }
  }
}
