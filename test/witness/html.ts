// The contract's sections on the HTML of descriptions and comments, with their lists.

export const descriptionTags =
  'br; h1, h2, h3, h4, h5, h6; strong, b, em, i; u; s; span; a; img; ol, ul, li; table, tr, td'.split(
    /[,;] /,
  );

/** "span with a color style", "a (protocols ...)", "img (source ...)". */
export const withAttribute = { span: 'style', a: 'href', img: 'src' };
/** "ol, ul with li items; table, tr, td". */
export const within = { li: ['ol', 'ul'], tr: ['table'], td: ['tr'] };
export const protocols = ['http', 'https', 'ftp', 'mailto'];
export const leavingRel = 'nofollow';

export const commentTags = ['br', 'a', 'blockquote'];
export const mentionClass = 'stream-user-id avatar';
export const quotes = {
  comment: 'data-entrytype, data-entryid, data-user, data-date'.split(', '),
  description: 'data-entrytype, data-entryid, data-title'.split(', '),
};
export const described = 'task or folder'.split(' or ');
