// A name that is given twice in one JSON object. JSON.parse takes the last of them and says nothing, so that a change that
// somebody wrote down would not be made.

/** The first such name at any depth; nothing where there is none. `text` is valid JSON. */
export function nameGivenTwice(text: string): string | undefined {
  /** The names of each object that is open; nothing for a list. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let awaitsName = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const from = at;
      at = endOfString(text, from);
      if (!awaitsName || !names) continue;
      const name = String(JSON.parse(text.slice(from, at + 1)));
      if (names.has(name)) return name;
      names.add(name);
      awaitsName = false;
    } else if (character === '{' || character === '[') {
      names = character === '{' ? new Set() : undefined;
      open.push(names);
      awaitsName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      names = open.at(-1);
    } else if (character === ',') awaitsName = names !== undefined;
  }
  return undefined;
}

/** Where its closing quote is. A pattern would run out of stack on a string of some million escapes. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}
