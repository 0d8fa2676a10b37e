// Splits HTML into tags and text as the service does; allowed-html.ts lists what the service keeps. One pass, because a description
// may have a million characters.

import { hiddenTags } from './allowed-html.ts';
import { decodeEntities } from './html-entities.ts';

export interface Tag {
  readonly name: string;
  readonly closes: boolean;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A tag up to its attributes, from its name or its slash on. */
const tagStart = /(\/?)([^\s/>]*)/y;
const beforeAttribute = /[\s/]*/y;
/** A name, and perhaps a value: in quotes, which may be unclosed, or without. */
const attribute = /([^\s/>=]*)\s*(?:=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]*)))?/y;

/** Reads the tag whose name or slash is at `start`. Returns it with the position after it; undefined if nothing closes it. */
function readTag(html: string, start: number): readonly [tag: Tag, end: number] | undefined {
  let end = start;
  const take = (pattern: RegExp): readonly (string | undefined)[] => {
    pattern.lastIndex = end;
    const match = pattern.exec(html) ?? [''];
    end += match[0].length;
    return match;
  };
  const [, slash, tagName = ''] = take(tagStart);
  const attributes = new Map<string, string>();
  const tag = { name: tagName.toLowerCase(), closes: slash === '/', attributes };
  if (tag.closes) {
    const index = html.indexOf('>', end);
    return index === -1 ? undefined : [tag, index + 1];
  }
  for (;;) {
    take(beforeAttribute);
    if (end === html.length) return undefined;
    if (html[end] === '>') return [tag, end + 1];
    const [, source = '', ...values] = take(attribute);
    const name = source.toLowerCase();
    const value = values.find((text) => text !== undefined) ?? '';
    if (!attributes.has(name)) attributes.set(name, decodeEntities(value, true));
  }
}

export interface HtmlHandlers {
  tag(tag: Tag): void;
  /** A tag that is removed with its content. */
  skipped?(name: string): void;
  /** Other removed text, except complete comments: `</1>`, `<?php ... ?>`, `<![CDATA[...]]>`, an unclosed comment. */
  dropped?(source: string): void;
}

/** Calls the handlers for each tag, in order. Never throws: everything else is text. */
export function tokenizeHtml(html: string, handlers: HtmlHandlers): void {
  /** The position after the next occurrence of `text`, or the end. */
  const endOf = (text: string, from: number) => {
    const index = html.indexOf(text, from);
    return index === -1 ? html.length : index + text.length;
  };
  let end = 0;
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', end)) {
    end = start + 1;
    const nextTwo = html.slice(end, end + 2);
    if (html.startsWith('!--', end)) {
      // `<!-->` is a complete comment.
      end = endOf('-->', end + 1);
      if (!html.startsWith('-->', end - 3)) handlers.dropped?.(html.slice(start));
    } else if (/^(?:[!?]|\/(?![a-z]|$))/i.test(nextTwo)) {
      end = endOf(html.startsWith('![CDATA[', end) ? ']]>' : '>', end);
      handlers.dropped?.(html.slice(start, end));
    } else if (/^\/?[a-z]/i.test(nextTwo)) {
      const read = readTag(html, end);
      // Nothing after this closes a tag, so the rest is text.
      if (!read) return;
      const [tag, tagEnd] = read;
      end = tagEnd;
      if (tag.closes || !hiddenTags.includes(tag.name)) handlers.tag(tag);
      else {
        handlers.skipped?.(tag.name);
        const closing = new RegExp(`</${tag.name}`, 'gi');
        closing.lastIndex = end;
        end = closing.exec(html)?.index ?? html.length;
      }
    }
  }
}
