// Wraps text: between words, inside a long word at a natural place, and anywhere only if a piece fits on no line.
// Nothing is cut off but the end of a very long field.

import { displayWidth, graphemes, isSimple } from './width.ts';

/** A stretch of a word that is broken only where it is wider than a whole line. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** What it is broken into then; nothing for a single character. */
  split(): readonly Piece[];
}

/** What stands between two spaces. */
interface Word {
  /** How many spaces stand before it. */
  readonly spaces: number;
  readonly width: number;
  readonly pieces: readonly Piece[];
}

/** A text whose words have been measured: it can be wrapped at several widths at little cost. */
export interface MeasuredText {
  readonly words: readonly Word[];
  /** In cells, on a single line. */
  readonly width: number;
  /** There is more of it, which was not measured. */
  readonly isCut?: true;
}

/** True where a text may be broken before the character at this place, which is not the first. */
type BreakRule = (characters: readonly string[], at: number) => boolean;

/** The best places first; those of one kind that leave a piece wider than a line make way for the next kind. */
const breakRules: readonly BreakRule[] = [
  (characters, at) =>
    afterSlash(characters, at) ||
    (afterDash(characters, at) && !isInDate(characters, at)) ||
    beforeTime(characters, at),
  afterDash,
  (characters, at) => '?&=,;:._'.includes(characters[at - 1] ?? ''),
  () => true,
];

function afterSlash(characters: readonly string[], at: number): boolean {
  return characters[at - 1] === '/' && characters[at] !== '/';
}

/** Inside a word: neither -5 nor --flag is broken. */
function afterDash(characters: readonly string[], at: number): boolean {
  if (characters[at - 1] !== '-' || characters[at] === '-') return false;
  return /[\p{L}\p{N}\p{M}]$/u.test(characters[at - 2] ?? '');
}

function beforeTime(characters: readonly string[], at: number): boolean {
  return characters[at] === 'T' && /\d{4}-\d\d-\d\d$/.test(behind(characters, at));
}

function isInDate(characters: readonly string[], at: number): boolean {
  const ahead = characters.slice(at, at + 5).join('');
  return (
    (/\d{4}-$/.test(behind(characters, at)) && /^\d\d-\d\d/.test(ahead)) ||
    (/\d{4}-\d\d-$/.test(behind(characters, at)) && /^\d\d/.test(ahead))
  );
}

function behind(characters: readonly string[], at: number): string {
  return characters.slice(Math.max(0, at - 10), at).join('');
}

/** The text of a single line. A space that has a mark on it is no space. */
export function measure(text: string): MeasuredText {
  const words: Word[] = [];
  let spaces = 0;
  let characters: string[] = [];
  const end = () => {
    if (characters.length === 0) return;
    const pieces = splitWord(characters, 0);
    words.push({ spaces, width: pieces.reduce((total, { width }) => total + width, 0), pieces });
    spaces = 0;
    characters = [];
  };
  for (const character of graphemes(text)) {
    if (character === ' ') {
      end();
      spaces++;
    } else characters.push(character);
  }
  end();
  return { words, width: words.reduce((total, word) => total + word.spaces + word.width, 0) };
}

function splitWord(characters: readonly string[], kind: number): readonly Piece[] {
  const breaks = breakRules[kind];
  if (!breaks) return [];
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 1; at <= characters.length; at++) {
    if (at < characters.length && !breaks(characters, at)) continue;
    pieces.push(pieceOf(characters.slice(from, at), kind));
    from = at;
  }
  return pieces;
}

function pieceOf(characters: readonly string[], kind: number): Piece {
  const text = characters.join('');
  let parts: readonly Piece[] | undefined;
  return {
    text,
    width: displayWidth(text),
    split() {
      parts ??= splitWord(characters, kind + 1);
      return parts;
    },
  };
}

/** In cells: in narrower lines a word would be broken that fits in `most`. A word that does not needs `otherwise`. */
export function minWidth({ words }: MeasuredText, most: number, otherwise: number): number {
  const needed = (pieces: readonly Piece[], kind: number): number =>
    pieces.reduce((widest, piece) => {
      const isTooWide = piece.width > most;
      // A date is a word, and so is a part of what has dashes.
      if (isTooWide && kind === 0) return Math.max(widest, needed(piece.split(), 1));
      return Math.max(widest, isTooWide ? otherwise : piece.width);
    }, 0);
  return words.reduce((widest, { pieces }) => Math.max(widest, needed(pieces, 0)), 0);
}

/** Of a field, where no pager shows what is above the screen. */
const maxFieldLines = 200;
/** It takes a second to measure as many characters that need the segmenter; more are not, in all rows of a table together. */
const maxMeasured = 65_536;
/** Of each row, however many there are. */
const leastMeasured = 2_000;

/** A field of one of so many records. Where it is very long, only its beginning is measured. */
export function measureField(text: string, rows = 1): MeasuredText {
  const most = Math.max(leastMeasured, Math.floor(maxMeasured / rows));
  if (text.length <= most || isSimple(text)) return measure(text);
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return { ...measure(text.slice(0, isPair ? most - 1 : most)), isCut: true };
}

/** Lines as {@link wrap} makes them, but at most `most`, and then how many more there are. */
export function wrapField(text: MeasuredText, width: number, most = maxFieldLines): readonly string[] {
  const lines = wrap(text, width);
  const more = lines.length - most;
  if (more <= 0 && !text.isCut) return lines;
  const count = more > 0 ? `${text.isCut ? 'over ' : ''}${more} ` : '';
  const note = `... ${count}more ${more === 1 ? 'line' : 'lines'}: --json shows all`;
  return [...lines.slice(0, most), ...wrap(measure(note), width)];
}

/** Lines of at most `width` cells, one at least, unless a character is wider. The spaces at which a line ends are left out. */
export function wrap({ words }: MeasuredText, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const next = () => {
    lines.push(line);
    line = '';
    used = 0;
  };
  const add = (piece: Piece, before: number) => {
    if (line !== '' && used + before + piece.width > width) next();
    // Spaces at the start of the text are kept, as far as they fit; those at which a line ends are not.
    const isFirst = line === '' && lines.length === 0;
    const spaces = isFirst ? Math.max(0, Math.min(before, width - piece.width)) : line === '' ? 0 : before;
    line += ' '.repeat(spaces) + piece.text;
    used += spaces + piece.width;
  };
  const addAll = (pieces: readonly Piece[], before: number) => {
    let spaces = before;
    for (const piece of pieces) {
      const parts = piece.width > width ? piece.split() : [];
      if (parts.length > 0) addAll(parts, spaces);
      else add(piece, spaces);
      spaces = 0;
    }
  };
  for (const { spaces, width: cells, pieces } of words) {
    if (line !== '' && used + spaces + cells > width && cells <= width) next();
    addAll(pieces, spaces);
  }
  if (line !== '' || lines.length === 0) next();
  return lines;
}
