// The character references of HTML on which it depends what a link is: those of ASCII, and the old ones, which count without a
// semicolon too.

/** Each name with its character. */
const ascii =
  "excl! num# dollar$ percnt% apos' lpar( rpar) ast* midast* plus+ comma, period. sol/ colon: semi; equals= quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave` DiacriticalGrave` lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace} Tab\t NewLine\n";
const oldAscii = 'amp& AMP& lt< LT< gt> GT> quot" QUOT" COPY\u00a9 REG\u00ae';
/** The names of U+00A0 to U+00FF. */
const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const pairs = (text: string) => text.split(' ').map((pair) => [pair.slice(0, -1), pair.slice(-1)] as const);
const old = [
  ...pairs(oldAscii),
  ...latin1.split(' ').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
];
const closed = [...pairs(ascii), ...old, ['fjlig', 'fj'] as const];
/** By what follows the `&`. */
const characters = new Map([...old, ...closed.map(([name, character]) => [`${name};`, character] as const)]);
const longest = Math.max(...[...characters.keys()].map(({ length }) => length));

/** Calls `onNamed` with a name, as `&copy` of `&copy=2`, and its character. */
type OnNamed = (source: string, character: string) => void;

/** Decodes references as a browser does, except for the names of other characters, which stay. */
export function decodeEntities(text: string, inAttribute = false, onNamed?: OnNamed): string {
  if (!text.includes('&')) return text;
  const reference = /&(?:#(\d+|x[0-9a-f]+);?|[a-z][a-z0-9]*;?)/gi;
  return text.replace(reference, (match: string, digits: string | undefined, at: number) => {
    if (digits !== undefined) {
      // `x6a` becomes 0x6a; `106` becomes 0106, which Number reads as decimal.
      const code = Number(`0${digits}`);
      const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return isCharacter ? String.fromCodePoint(code) : match;
    }
    for (let end = Math.min(match.length, longest + 1); end > 2; end--) {
      const character = characters.get(match.slice(1, end));
      if (character === undefined) continue;
      // In an attribute, `&copy=2` and `&copyright` are parts of a query.
      if (inAttribute && match[end - 1] !== ';' && /[a-z0-9=]/i.test(text[at + end] ?? '')) return match;
      onNamed?.(match.slice(0, end), character);
      return character + match.slice(end);
    }
    return match;
  });
}
