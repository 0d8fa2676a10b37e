// Parses what a page's own server sends, in a browser: the only place where a script of ours turns text into HTML.

/** Trusted Types, if the browser has them: a value that they create is accepted like text. */
interface Policy {
  createHTML(text: string): string;
}
declare const trustedTypes: { createPolicy(name: string, rules: Policy): Policy } | undefined;

const policy =
  typeof trustedTypes === 'undefined'
    ? undefined
    : trustedTypes.createPolicy('own-html', { createHTML: (text) => text });

export const parseHtml = (text: string): Document =>
  new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html');
