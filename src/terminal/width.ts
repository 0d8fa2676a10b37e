// How wide a text is on a terminal: wide characters take two cells, combining marks none. Loaded only with a table or a
// picker.

import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** In cells of a terminal. Colours count for nothing. */
export function displayWidth(text: string): number {
  return stringWidth(text);
}

/** What a reader takes for characters: a letter with its marks, an emoji with its joiners. */
export function graphemes(text: string): string[] {
  // Nearly every URL: the segmenter takes a hundred times as long, and a picker asks about 100 texts for each key.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('');
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
