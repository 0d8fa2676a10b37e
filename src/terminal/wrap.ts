// Breaks a text into lines of a terminal: between words, inside a long word where a reader would break it, and anywhere
// only in what fits on no line. Nothing is ever cut off.

import { displayWidth, graphemes } from './width.ts';

/** A stretch of a word that is broken only where it is wider than a whole line. */
interface Piece {
  readonly text: string;
  readonly width: number;
}

/** What stands between two spaces. */
interface Word {
  /** How many spaces stand before it. */
  readonly spaces: number;
  readonly width: number;
  readonly pieces: readonly Piece[];
}

/** A text whose words have been measured: it can be wrapped at several widths at little cost. */
export interface Measured {
  readonly words: readonly Word[];
  /** In cells, on a single line. */
  readonly width: number;
  /** Of the widest piece, in cells: at a smaller width it is broken where no reader would break it. */
  readonly widestPiece: number;
}

/** After slashes; after a dash inside a word, though not in a date; before the T of a timestamp. */
const breaks =
  /(?<=\/)(?!\/)|(?<=[\p{L}\p{N}]-)(?!-)(?<!\d{4}-(?=\d\d-\d\d))(?<!\d{4}-\d\d-(?=\d\d))|(?<=\d{4}-\d\d-\d\d)(?=T\d)/gu;

/** Where a piece is broken that is wider than a line: after what separates, if there is such a place. */
const lesserBreaks = /(?<=[?&=,;:._])/gu;

/** The text of a single line. A space that has a mark on it is no space. */
export function measure(text: string): Measured {
  const words: Word[] = [];
  let spaces = 0;
  let characters: string[] = [];
  const end = () => {
    if (characters.length === 0) return;
    const pieces = split(characters, breaks);
    words.push({ spaces, width: sum(pieces), pieces });
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
  return {
    words,
    width: words.reduce((total, word) => total + word.spaces + word.width, 0),
    widestPiece: words.reduce(
      (widest, word) => word.pieces.reduce((most, piece) => Math.max(most, piece.width), widest),
      0,
    ),
  };
}

/**
 * Lines of at most `width` cells, one at least; only a character that is wider than that stands beyond it. The spaces at
 * which a line ends are left out.
 */
export function wrap({ words }: Measured, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const add = ({ text, width: cells }: Piece, spaces: number) => {
    line += ' '.repeat(spaces) + text;
    used += spaces + cells;
  };
  const next = () => {
    lines.push(line);
    line = '';
    used = 0;
  };
  const addPieces = (
    pieces: readonly Piece[],
    before: number,
    divide: (piece: Piece) => readonly Piece[],
  ) => {
    let spaces = before;
    for (const piece of pieces) {
      const parts = piece.width > width ? divide(piece) : [];
      if (parts.length > 1) {
        addPieces(parts, spaces, byCharacter);
      } else {
        if (line !== '' && used + spaces + piece.width > width) next();
        // At the start of the text they are kept, as far as they fit.
        if (line !== '') add(piece, spaces);
        else add(piece, lines.length === 0 ? Math.max(0, Math.min(spaces, width - piece.width)) : 0);
      }
      spaces = 0;
    }
  };
  for (const { spaces, width: cells, pieces } of words) {
    if (line !== '' && used + spaces + cells > width && cells <= width) next();
    addPieces(pieces, spaces, bySeparator);
  }
  if (line !== '' || lines.length === 0) next();
  return lines;
}

function bySeparator(piece: Piece): readonly Piece[] {
  const characters = graphemes(piece.text);
  const parts = split(characters, lesserBreaks);
  return parts.length > 1 ? parts : byCharacter(piece);
}

function byCharacter(piece: Piece): readonly Piece[] {
  return graphemes(piece.text).map((text) => ({ text, width: displayWidth(text) }));
}

/** Never inside a character: a slash that has a mark on it is not broken after. */
function split(characters: readonly string[], at: RegExp): readonly Piece[] {
  const text = characters.join('');
  const places = new Set(Array.from(text.matchAll(at), ({ index }) => index));
  const parts: string[] = [];
  let part = '';
  let offset = 0;
  for (const character of characters) {
    if (part !== '' && places.has(offset)) {
      parts.push(part);
      part = '';
    }
    part += character;
    offset += character.length;
  }
  return [...parts, part].map((one) => ({ text: one, width: displayWidth(one) }));
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { width }) => total + width, 0);
}
