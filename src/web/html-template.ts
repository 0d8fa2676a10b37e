// HTML templates. Values in them are escaped unless they are HTML, so no page can forget to escape.

export function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `undefined` and `false` add nothing. */
type HtmlPart = string | number | Html | readonly Html[] | undefined | false;

const textOf = (part: HtmlPart): string => {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n');
  return escapeHtml(String(part));
};

/** A tag for templates: html`<p>${text}</p>`. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, index) => `${text}${textOf(parts[index])}`).join(''));
}
