// Tokenizes HTML as browsers do, in one pass of htmlparser2: text, tags with attributes, entities. sanitize.ts decides what stays.
// docs/decisions/html-parser.md has the alternatives.

import { Tokenizer } from 'htmlparser2';
import { hiddenTags } from '#contract/allowed-html.ts';

export interface OpenTag {
  readonly name: string;
  /** With entities decoded; the first of repeated attributes counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

export interface HtmlHandlers {
  /** `source` is the text as written, `decoded` without entities. */
  text(source: string, decoded: string): void;
  open(tag: OpenTag): void;
  close(name: string): void;
  /** Called when a tag and its content are skipped. */
  hide?(): void;
}

export function readHtml(html: string, handlers: HtmlHandlers): void {
  let source = '';
  let decoded = '';
  let end = 0;
  let name = '';
  let attributes = new Map<string, string>();
  let attribute = '';
  let value = '';
  let hidden: string | undefined;

  function addText(start: number, sourceEnd: number, text = html.slice(start, sourceEnd)): void {
    if (hidden === undefined) {
      source += html.slice(start, sourceEnd);
      decoded += text;
    }
    end = sourceEnd;
  }

  function flushText(): void {
    if (source !== '') handlers.text(source, decoded);
    source = '';
    decoded = '';
  }

  function endTag(lastIndex: number): void {
    end = lastIndex + 1;
    if (hidden !== undefined) return;
    flushText();
    if (hiddenTags.includes(name)) {
      hidden = name;
      handlers.hide?.();
    } else {
      handlers.open({ name, attributes });
    }
  }

  const ignore = (_: number, lastIndex: number) => {
    end = lastIndex + 1;
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ontext: (start, sourceEnd) => addText(start, sourceEnd),
      ontextentity(codePoint, sourceEnd) {
        // An entity of two code points comes in two calls; the second has no source left.
        const start = Math.max(end, html.lastIndexOf('&', sourceEnd - 1));
        addText(start, sourceEnd, String.fromCodePoint(codePoint));
      },
      onopentagname(start, nameEnd) {
        name = html.slice(start, nameEnd).toLowerCase();
        attributes = new Map();
      },
      onattribname(start, nameEnd) {
        attribute = html.slice(start, nameEnd).toLowerCase();
        value = '';
      },
      onattribdata(start, dataEnd) {
        value += html.slice(start, dataEnd);
      },
      onattribentity(codePoint) {
        value += String.fromCodePoint(codePoint);
      },
      onattribend() {
        if (!attributes.has(attribute)) attributes.set(attribute, value);
      },
      onopentagend: endTag,
      // Only foreign content (SVG) has self-closing tags; elsewhere the slash is ignored.
      onselfclosingtag: endTag,
      onclosetag(start, nameEnd) {
        end = html.indexOf('>', nameEnd) + 1;
        const closed = html.slice(start, nameEnd).toLowerCase();
        if (hidden === undefined) {
          flushText();
          handlers.close(closed);
        } else if (closed === hidden) {
          hidden = undefined;
        }
      },
      oncomment: ignore,
      oncdata: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  // An unfinished tag at the end is text.
  if (end < html.length) addText(end, html.length);
  flushText();
}
