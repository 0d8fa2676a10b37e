// The tags and attributes of descriptions and comments. The service, like emulator/html/, removes others and leaves their text.

export interface AllowedTag {
  /** The only attribute that stays. */
  readonly attribute?: 'href' | 'src' | 'style';
  /** The tag is removed unless one of these is its parent. */
  readonly parents?: readonly string[];
}

const plainTags = ['br', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'b', 'em', 'i', 'u', 's'];

export const descriptionTags: Readonly<Record<string, AllowedTag>> = {
  ...Object.fromEntries(plainTags.map((name) => [name, {}])),
  /** Only the colors of the style stay. */
  span: { attribute: 'style' },
  a: { attribute: 'href' },
  /** Only attachments of the task. */
  img: { attribute: 'src' },
  ol: {},
  ul: {},
  li: { parents: ['ol', 'ul'] },
  /** Only regular tables: the same number of cells in each row, none merged or split. */
  table: {},
  tr: { parents: ['table'] },
  td: { parents: ['tr'] },
};
export const descriptionTag = (name: string): AllowedTag | undefined =>
  Object.hasOwn(descriptionTags, name) ? descriptionTags[name] : undefined;

/** Readers do not see the content of these. */
export const hiddenTags = ['script', 'style', 'template', 'iframe', 'noscript', 'title', 'textarea'];
export const linkProtocols: readonly string[] = ['http:', 'https:', 'ftp:', 'mailto:'];
export const isAllowedLink = (href: string): boolean =>
  URL.canParse(href) && linkProtocols.includes(new URL(href).protocol);

/** The `rel` of links that leave the workspace. */
export const externalLinkRel = 'nofollow';
/** In a comment, `a` is a link or a mention. */
export const commentTags: readonly string[] = ['br', 'a', 'blockquote'];
/** A mention has this class, and as its `rel` the user's id, or one of the groups that robots mention. */
export const mentionClass = 'stream-user-id avatar';
export const isMention = (attributes: ReadonlyMap<string, string>): boolean =>
  attributes.get('class') === mentionClass &&
  /^(?:[A-Z0-9]{8}|@assignees|@followers)$/.test(attributes.get('rel') ?? '');

export const quoteAttributes = {
  comment: ['data-entrytype', 'data-entryid', 'data-user', 'data-date'],
  description: ['data-entrytype', 'data-entryid', 'data-title'],
} as const;

/** The values of `data-entrytype`: what a quoted description may belong to. */
export const quotedEntityTypes: readonly string[] = ['task', 'folder'];

/** The attributes of a quote, if it has all that a quote of a comment or of a description needs. */
export function quoteNames(attributes: ReadonlyMap<string, string>): readonly string[] | undefined {
  const { comment, description } = quoteAttributes;
  const mayBeDescription = quotedEntityTypes.includes(attributes.get('data-entrytype') ?? '');
  const candidates = mayBeDescription ? [comment, description] : [comment];
  return candidates.find((names) => names.every((name) => attributes.has(name)));
}

const colorPattern = /^[a-z]{1,30}$|^#[0-9a-f]{3,8}$|^rgba?\([\d\s.,%]{1,40}\)$/i;

/** The declarations of a style: undefined for each that is not an allowed color, of the text or behind it. */
export function allowedColors(style: string): readonly (string | undefined)[] {
  const declarations = style.split(';').filter((declaration) => declaration.trim() !== '');
  return declarations.map((declaration) => {
    const [name = '', ...rest] = declaration.split(':').map((part) => part.trim());
    const color = rest.join(':');
    const isAllowed = /^(?:background-)?color$/i.test(name) && colorPattern.test(color);
    return isAllowed ? `${name.toLowerCase()}: ${color};` : undefined;
  });
}
