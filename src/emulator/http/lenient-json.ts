// Reads JSON as a common library for Java does leniently: names and words without quotes, `=` or `=>` for a colon, `;` for a comma.
// Several programs send objects so, because they print a map of their language.

import { maxJsonDepth, parseJsonIfValid } from '#contract/json.ts';

/** A text in quotes, a mark, or a word. */
const tokens = /\s*(?:("(?:[^"\\]|\\.)*")|'([^'"\\]*)'|(=>|[[\]{}:=,;])|([^\s[\]{}:=,;"'\\/#]+))\s*/suy;

class NotReadable extends Error {}

/** Each word is a text: the schema says whether it is a number or a flag. Undefined for a text that cannot be read even so. */
export function parseLenientJson(text: string): unknown {
  let at = 0;
  const next = (): { readonly mark?: string | undefined; readonly value?: unknown } => {
    tokens.lastIndex = at;
    const [all, quoted, single, mark, word] = tokens.exec(text) ?? [];
    if (all === undefined) throw new NotReadable();
    at += all.length;
    if (mark !== undefined) return { mark };
    return {
      value: quoted === undefined ? (single ?? (word === 'null' ? null : word)) : parseJsonIfValid(quoted),
    };
  };
  const build = ({ mark, value }: ReturnType<typeof next>, depth: number): unknown => {
    if (mark === undefined) return value;
    const end = mark === '[' ? ']' : mark === '{' ? '}' : undefined;
    if (end === undefined || depth > maxJsonDepth) throw new NotReadable();
    const entries: [string, unknown][] = [];
    for (let token = next(); token.mark !== end; token = next()) {
      if (entries.length > 0) {
        if (token.mark !== ',' && token.mark !== ';') throw new NotReadable();
        token = next();
      }
      const isMember = end === '}';
      if (isMember && (typeof token.value !== 'string' || !/^(=>?|:)$/.test(next().mark ?? '')))
        throw new NotReadable();
      entries.push([String(token.value), build(isMember ? next() : token, depth + 1)]);
    }
    return end === '}' ? Object.fromEntries(entries) : entries.map(([, entry]) => entry);
  };
  try {
    const value = build(next(), 1);
    return at === text.length ? value : undefined;
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}
