// Wraps text between words, inside a long word at a natural place, and elsewhere only if a piece fits in no line.

import { displayWidth, graphemes, isSimple } from './width.ts';

/** A part of a word. Broken only if it is wider than a whole line. */
interface Piece {
  readonly text: string;
  readonly width: number;
  /** Splits it into smaller pieces; undefined for a single character. */
  split(): readonly Piece[];
}

/** The text between two spaces. */
interface Word {
  readonly spaces: number;
  readonly width: number;
  readonly pieces: readonly Piece[];
}

/** A text whose words are measured, so that it can be wrapped at several widths at little cost. */
export interface MeasuredText {
  readonly words: readonly Word[];
  readonly width: number;
  /** The text continues, but was not measured. */
  readonly isCut?: true;
}

/** True if a text may be broken before the character at this index, which is not the first. */
type BreakRule = (characters: readonly string[], index: number) => boolean;

/** The best places first. If a piece is still wider than a line, the next rule applies. */
const breakRules: readonly BreakRule[] = [
  (characters, index) =>
    (characters[index - 1] === '/' && characters[index] !== '/') ||
    (afterDash(characters, index) &&
      !isInDate(characters, index) &&
      !characters.slice(0, 12).join('').includes('://')) ||
    // Before the time of an ISO timestamp.
    (characters[index] === 'T' && /\d{4}-\d\d-\d\d$/.test(textBefore(characters, index))),
  afterDash,
  (characters, index) => '?&=,;:._'.includes(characters[index - 1] ?? ''),
  () => true,
];

/** Inside a word: never breaks -5 or --flag. */
function afterDash(characters: readonly string[], index: number): boolean {
  if (characters[index - 1] !== '-' || characters[index] === '-') return false;
  return /[\p{L}\p{N}\p{M}]$/u.test(characters[index - 2] ?? '');
}

function isInDate(characters: readonly string[], index: number): boolean {
  const ahead = characters.slice(index, index + 5).join('');
  return (
    (/\d{4}-$/.test(textBefore(characters, index)) && /^\d\d-\d\d/.test(ahead)) ||
    (/\d{4}-\d\d-$/.test(textBefore(characters, index)) && /^\d\d/.test(ahead))
  );
}

function textBefore(characters: readonly string[], index: number): string {
  return characters.slice(Math.max(0, index - 10), index).join('');
}

/** Measures the text of a single line. A space with a combining mark does not separate words. */
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
  for (const character of graphemes(text))
    if (character === ' ') {
      end();
      spaces++;
    } else characters.push(character);
  end();
  return { words, width: words.reduce((total, word) => total + word.spaces + word.width, 0) };
}

function splitWord(characters: readonly string[], kind: number): readonly Piece[] {
  const breaks = breakRules[kind];
  if (!breaks) return [];
  const pieces: Piece[] = [];
  let from = 0;
  for (let index = 1; index <= characters.length; index++) {
    if (index < characters.length && !breaks(characters, index)) continue;
    pieces.push(pieceOf(characters.slice(from, index), kind));
    from = index;
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

/** Returns the width in cells below which a word that fits in `most` would be broken. For a longer word it is `otherwise`. */
export function minWidth({ words }: MeasuredText, most: number, otherwise: number): number {
  const needed = (pieces: readonly Piece[], kind: number): number =>
    pieces.reduce((widest, piece) => {
      const isTooWide = piece.width > most;
      // Keep a date together, and each part between dashes.
      if (isTooWide && kind === 0) return Math.max(widest, needed(piece.split(), 1));
      return Math.max(widest, isTooWide ? otherwise : piece.width);
    }, 0);
  return words.reduce((widest, { pieces }) => Math.max(widest, needed(pieces, 0)), 0);
}

const maxFieldLines = 200;
/** Measures at most this many characters in a table that need the segmenter, which takes a second. */
const maxMeasured = 65_536;
const leastMeasured = 2_000;

/** Measures a field of one of `rows` records; only the beginning of a very long one. */
export function measureField(text: string, rows = 1): MeasuredText {
  const most = Math.max(leastMeasured, Math.floor(maxMeasured / rows));
  if (text.length <= most || isSimple(text)) return measure(text);
  const isPair = /[\ud800-\udbff]/.test(text.charAt(most - 1));
  return { ...measure(text.slice(0, isPair ? most - 1 : most)), isCut: true };
}

/** Returns at most `most` lines of {@link wrap}, and how many more there are. */
export function wrapField(text: MeasuredText, width: number, most = maxFieldLines): readonly string[] {
  const lines = wrap(text, width);
  const hiddenLines = lines.length - most;
  if (hiddenLines <= 0 && !text.isCut) return lines;
  const count = hiddenLines > 0 ? `${text.isCut ? 'over ' : ''}${hiddenLines} ` : '';
  const note = `... ${count}more ${hiddenLines === 1 ? 'line' : 'lines'}: --json shows all`;
  return [...lines.slice(0, most), ...wrap(measure(note), width)];
}

/** Returns one or more lines of at most `width` cells, unless a character is wider. Drops the spaces at which a line ends. */
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
    // Keep spaces at the start of the text as far as they fit. Drop the ones at which a line ends.
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
