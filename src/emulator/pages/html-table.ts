// A table of a page: with a caption for screen readers, and scrolled by itself where it is wider than the screen.

import { type Html, html } from '../html/html-template.ts';

/** `rows`: a list of cells each. `empty` is shown in place of a table without rows. */
export function htmlTable(
  caption: string,
  head: readonly string[],
  rows: readonly (readonly Html[])[],
  empty: string,
): Html {
  if (rows.length === 0) return html`<p class="muted">${empty}</p>`;
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0">
<table>
<caption>${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows.map((cells) => html`<tr>${cells}</tr>`)}
</tbody>
</table>
</div>`;
}

export const cell = (content: Html | string | number): Html => html`<td>${content}</td>`;
/** A cell that is not broken over lines: an id, a state. */
export const wholeCell = (content: Html | string | number): Html => html`<td class="whole">${content}</td>`;
