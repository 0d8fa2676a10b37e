// Measures text on a terminal: wide characters take two cells, combining marks none. Loaded only with a table or a picker.

import { stripVTControlCharacters } from 'node:util';
import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
/** The segmenter's time is quadratic for texts of more than 65,535 characters. */
const pieceLength = 4096;
/** Cuts a longer grapheme. */
const maxGrapheme = 8 * pieceLength;

/** Characters that are always graphemes by themselves. The wide ones take two cells. */
const simple =
  '\\x20-\\x7e\\u00c0-\\u02ff\\u0391-\\u03a1\\u03a3-\\u03ff\\u0400-\\u0481\\u048a-\\u052f\\u2010-\\u2027';
const wide =
  '\\u3001-\\u3029\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff5e';
const simplePattern = new RegExp(`^[${simple}${wide}]*$`);
const widePattern = new RegExp(`[${wide}]`, 'g');

/** True for nearly every text. The segmenter is a hundred times slower, and a picker measures about 100 texts per key. */
export function isSimple(text: string): boolean {
  return simplePattern.test(text);
}

export function displayWidth(text: string): number {
  if (isSimple(text)) return text.length + (text.match(widePattern)?.length ?? 0);
  if (text.length <= pieceLength) return stringWidth(text);
  let width = 0;
  for (const piece of splitBetweenGraphemes(stripVTControlCharacters(text)))
    width += isSimple(piece) ? displayWidth(piece) : stringWidth(piece);
  return width;
}

/** Returns the characters that a reader sees: a letter with its marks, an emoji with its joiners. */
export function graphemes(text: string): string[] {
  if (isSimple(text)) return text.split('');
  const characters: string[] = [];
  for (const piece of splitBetweenGraphemes(text))
    for (const { segment } of segmenter.segment(piece)) characters.push(segment);
  return characters;
}

function* splitBetweenGraphemes(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    yield text.slice(from, to);
    from = to;
  }
}

/** Returns the end of the last complete grapheme: the one at the end of a piece may continue. */
function endOfPiece(text: string, from: number): number {
  let to = from;
  for (let length = pieceLength; length <= maxGrapheme; length *= 2) {
    to = from + length;
    if (to >= text.length) return text.length;
    if (/[\ud800-\udbff]/.test(text.charAt(to - 1))) to -= 1;
    const lastStart = segmenter.segment(text.slice(from, to)).containing(to - from - 1)?.index ?? 0;
    if (lastStart > 0) return from + lastStart;
  }
  return to;
}

export const ellipsis = '…';

export function truncateEnd(text: string, width: number): string {
  // Many graphemes may take no cell, but limit their number.
  const most = 8 * width;
  if (text.length <= most && displayWidth(text) <= width) return text;
  let characters = graphemes(text.slice(0, most));
  while (characters.length > 0 && displayWidth(characters.join('')) > width - 1)
    characters = characters.slice(0, -1);
  return characters.join('') + ellipsis;
}
