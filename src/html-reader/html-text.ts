// The text of HTML. Loads the parser only for what needs one: most text is plain.

/** Without a tag or a character reference, HTML is its own text. */
export const mayBeHtml = (text: string): boolean => /[<&]/.test(text);

export async function htmlToText(html: string): Promise<string> {
  return mayBeHtml(html) ? (await import('./read-html.ts')).textOf(html) : html;
}
