// Reads JSON as a common library for Java does leniently: names and words without quotes, `=` or `=>` for a colon, `;` for a comma.
// Several programs send objects so, because they print a map of their language.

import { parseJsonIfValid } from '#contract/json.ts';

/** A text in quotes, a mark, or a word. */
const tokens = /\s*(?:("(?:[^"\\]|\\.)*")|'([^'"\\]*)'|(=>|[[\]{}:=,;])|([^\s[\]{}:=,;"'\\/#]+))\s*/gsuy;

const marks: Readonly<Record<string, string>> = { '=': ':', '=>': ':', ';': ',' };

/** Each word is a text: the schema says whether it is a number or a flag. Undefined for a text that cannot be read even so. */
export function parseLenientJson(text: string): unknown {
  let json = '';
  let end = 0;
  for (const [all, quoted, single, mark, word] of text.matchAll(tokens)) {
    end += all.length;
    if (mark !== undefined) json += marks[mark] ?? mark;
    else json += quoted ?? (word === 'null' ? word : JSON.stringify(single ?? word));
  }
  return end === text.length ? parseJsonIfValid(json) : undefined;
}
