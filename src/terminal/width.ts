// How wide a text is on a terminal: wide characters take two cells, combining marks none. Loaded only with a table or a
// picker.

import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The segmenter takes the square of the length for a text of more than 65,535 characters. */
const pieceLength = 4096;
/** A longer grapheme is cut. */
const maxGrapheme = 8 * pieceLength;

/** Characters that are a grapheme each, whichever of them stand side by side; the wide ones take two cells. */
const simple =
  '\\x20-\\x7e\\u00c0-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0481\\u048a-\\u052f\\u2010-\\u2027';
const wide =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e';
const simplePattern = new RegExp(`^[${simple}${wide}]*$`);
const widePattern = new RegExp(`[${wide}]`, 'g');

/** Nearly every text: the segmenter takes a hundred times as long, and a picker asks about 100 texts for each key. */
export function isSimple(text: string): boolean {
  return simplePattern.test(text);
}

/** In cells of a terminal. Colours count for nothing. */
export function displayWidth(text: string): number {
  if (isSimple(text)) return text.length + (text.match(widePattern)?.length ?? 0);
  if (text.length <= pieceLength) return stringWidth(text);
  let width = 0;
  for (const piece of splitBetweenGraphemes(stripVTControlCharacters(text)))
    width += isSimple(piece) ? displayWidth(piece) : stringWidth(piece);
  return width;
}

/** What a reader takes for characters: a letter with its marks, an emoji with its joiners. */
export function graphemes(text: string): string[] {
  if (isSimple(text)) return text.split('');
  const found: string[] = [];
  for (const piece of splitBetweenGraphemes(text))
    for (const { segment } of segmenter.segment(piece)) found.push(segment);
  return found;
}

function* splitBetweenGraphemes(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    yield text.slice(from, to);
    from = to;
  }
}

/** Where a grapheme ends, as the text up to there shows it: the last one of a piece may go on behind it. */
function endOfPiece(text: string, from: number): number {
  let to = from;
  for (let length = pieceLength; length <= maxGrapheme; length *= 2) {
    to = from + length;
    if (to >= text.length) return text.length;
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    const last = segmenter.segment(text.slice(from, to)).containing(to - from - 1)?.index ?? 0;
    if (last > 0) return from + last;
  }
  return to;
}

export const ellipsis = '…';

export function truncateEnd(text: string, width: number): string {
  // A grapheme may take no cell, but not without end.
  const most = 8 * width;
  if (text.length <= most && displayWidth(text) <= width) return text;
  let shown = graphemes(text.slice(0, most));
  while (shown.length > 0 && displayWidth(shown.join('')) > width - 1) shown = shown.slice(0, -1);
  return shown.join('') + ellipsis;
}
