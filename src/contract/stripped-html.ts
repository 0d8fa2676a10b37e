// Lists what the service removes from a description or a comment, for a warning before it is sent. Only the service can tell whether an
// image is an attachment of the task, and whether a table is regular.

import {
  allowedColor,
  commentTags,
  descriptionTags,
  linkProtocols,
  mentionClass,
  quoteAttributes,
} from './allowed-html.ts';
import { type Tag, tokenizeHtml } from './html-tokenizer.ts';
import { isIdentifier } from './identifier.ts';

/** How often each is there, in order of appearance. A description has few kinds, and a hostile one at most `most`. */
export function findStrippedHtml(description: string, most = 50): ReadonlyMap<string, number> {
  return findStripped(description, describeStripped, most);
}

/** The same for a comment. */
export function findStrippedCommentHtml(comment: string, most = 50): ReadonlyMap<string, number> {
  return findStripped(comment, describeStrippedInComment, most);
}

function findStripped(
  html: string,
  describe: (tag: Tag) => readonly string[],
  most: number,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  if (!html.includes('<')) return found;
  const add = (what: string) => {
    if (found.size < most || found.has(what)) found.set(what, (found.get(what) ?? 0) + 1);
  };
  const open = new Map<string, number>();
  const count = (name: string, by: number) => open.set(name, (open.get(name) ?? 0) + by);
  tokenizeHtml(html, {
    tag: (tag) => {
      const { name, closes } = tag;
      if (!closes) for (const what of describe(tag)) add(what);
      // The end of a tag that is named already is not news.
      else if ((open.get(name) ?? 0) <= 0) return add(`</${truncate(name)}>`);
      count(name, closes ? -1 : 1);
    },
    skipped(name) {
      add(`<${truncate(name)}> with its content`);
      count(name, 1);
    },
    dropped: (source) =>
      add(source.startsWith('<!--') ? `${truncate(source)} without an end` : truncate(source)),
  });
  return found;
}

function describeStripped({ name, attributes }: Tag): readonly string[] {
  const tag = `<${truncate(name)}>`;
  const row = Object.hasOwn(descriptionTags, name) ? descriptionTags[name] : undefined;
  if (row === undefined) return [tag];
  const kept = row.attribute;
  const value = kept === undefined ? '' : (attributes.get(kept) ?? '');
  if (kept === 'src') return [`${tag} unless it is an attachment of the task`];
  if (kept === 'href' && !isAllowedLink(value)) return [`${tag} without ${linkProtocols.join(', ')}`];
  if (kept === 'style' && allowedColor(value) === undefined) return [`${tag} without a color`];
  const others = [...attributes.keys()].filter((one) => one !== kept && !(name === 'a' && one === 'rel'));
  return [
    ...(kept === 'style' && /;\s*\S/.test(value) ? [`style of ${tag} other than its color`] : []),
    ...others.map((one) => `${truncate(one)} of ${tag}`),
  ];
}

/** A link, a mention, a quote with all that tells what is quoted, or a line break. */
function describeStrippedInComment({ name, attributes }: Tag): readonly string[] {
  const tag = `<${truncate(name)}>`;
  if (!commentTags.includes(name)) return [tag];
  const kept = Object.values(quoteAttributes).find((names) => names.every((one) => attributes.has(one)));
  if (name === 'blockquote' && !kept) return [`${tag} without the attributes of a quote`];
  const isMention =
    attributes.get('class') === mentionClass && isIdentifier('UserId', attributes.get('rel') ?? '');
  if (name === 'a' && !isMention && !isAllowedLink(attributes.get('href') ?? ''))
    return [`${tag} without ${linkProtocols.join(', ')}`];
  const own: readonly string[] = name === 'a' ? ['href', 'class', 'rel'] : name === 'br' ? [] : quoteNames;
  return [...attributes.keys()].flatMap((one) => (own.includes(one) ? [] : `${truncate(one)} of ${tag}`));
}

const quoteNames: readonly string[] = Object.values(quoteAttributes).flat();

function isAllowedLink(href: string): boolean {
  return URL.canParse(href) && linkProtocols.includes(new URL(href).protocol);
}

const maxNameLength = 30;

function truncate(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength)}...` : name;
}
