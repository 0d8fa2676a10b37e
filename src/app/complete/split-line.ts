// Splits a command line into unquoted words, without expanding anything: for completion, bash also splits at = and :, and
// neither bash nor fish removes the quotes.

/**
 * Only the last command of the line counts: `cd x && wm task`. `before`: the words before the last one, without quotes; `word`: the
 * last one, which may be empty, without quotes; `raw`: the same as typed.
 */
export function splitLine(line: string) {
  let before: string[] = [];
  let word = '';
  let start = 0;
  let isWord = false;
  let quote = '';
  const endWord = (index: number) => {
    if (isWord) before.push(word);
    word = '';
    isWord = false;
    start = index + 1;
  };
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (quote === '"' && character === '\\' && /["\\$`]/.test(next)) {
        word += next;
        index++;
      } else word += character;
    } else if (/\s/.test(character)) endWord(index);
    else if (/[;|&()]/.test(character)) {
      endWord(index);
      before = [];
    } else {
      isWord = true;
      if (character === '"' || character === "'") quote = character;
      else if (character === '\\') {
        word += next;
        index++;
      } else word += character;
    }
  }
  // `WM_HOST=x wm task list`: the command comes after its variables.
  const first = before.findIndex((text) => !/^[A-Za-z_]\w*=/.test(text));
  return { before: first === -1 ? [] : before.slice(first), word, raw: line.slice(start) };
}
