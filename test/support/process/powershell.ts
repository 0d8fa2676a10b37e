// How PowerShell takes a line apart that runs a program, written down from its manual (about_Parsing,
// about_Quoting_Rules) for tests on systems without it. What this model does not know is an error, not a guess.

const double = '"\u201c\u201d\u201e';
const single = "'\u2018\u2019\u201a\u201b";
/** Between words these mean something, or may: variables, arrays, splatting, pipes, blocks, comments. */
const special = '$`@#;&|(){}<>,%!?*[]~^';

/** The words of a line. */
export function powershellWords(line: string): string[] {
  const words: string[] = [];
  let at = 0;
  const until = (quotes: string): string => {
    let text = '';
    for (;;) {
      const character = line[at];
      if (character === undefined) throw new Error(`a quote without an end in ${line}`);
      at++;
      if (quotes.includes(character)) {
        if (!quotes.includes(line[at] ?? ' ')) return text;
        at++;
      } else if (quotes === double && '$`'.includes(character)) {
        throw new Error(`${character} means something in ${line}`);
      }
      text += character;
    }
  };
  while (at < line.length) {
    if (line[at] === ' ') {
      at++;
      continue;
    }
    let word = '';
    const start = at;
    while (at < line.length && line[at] !== ' ') {
      const character = line[at] ?? '';
      at++;
      if (double.includes(character) || single.includes(character)) {
        // Of a word that begins with a quote, the rest would be a word of its own.
        if (at - 1 !== start) throw new Error(`a quote within a word: ${line}`);
        word = until(double.includes(character) ? double : single);
        if (at < line.length && line[at] !== ' ') throw new Error(`more behind a quoted word: ${line}`);
      } else if (special.includes(character) && !(character === '@' && at - 1 > start)) {
        throw new Error(`${character} means something in ${line}`);
      } else if (/[\r\n\t]/.test(character)) {
        throw new Error(`a blank within a word: ${line}`);
      } else word += character;
    }
    words.push(word);
  }
  return words;
}
