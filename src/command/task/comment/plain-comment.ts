// A plain text as a comment, which is HTML: nothing in the text is a tag, and its line breaks stay.

export function plainToHtml(text: string): string {
  return text
    .replace(/\r?\n$/, '')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\r?\n/g, '<br />');
}
