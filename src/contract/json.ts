// Reads and formats JSON: the only place that calls `JSON.parse`. The depth is limited before anything sees the
// value, since whatever walks a value calls itself for each level (JSON.stringify does, and so do the checks), and some
// thousand levels exhaust the stack. Text of a few hundred kilobytes is enough for that.

/** Of objects and lists within each other. The values of the service have fewer than ten levels. */
export const maxJsonDepth = 64;

/** The text may be JSON, and is nested more deeply than `wm` reads. */
export class JsonDepthError extends SyntaxError {
  constructor(levels: number) {
    super(`nested more than ${levels} levels deep`);
    this.name = 'JsonTooDeep';
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws a SyntaxError for what is not JSON, and {@link JsonDepthError} for more levels. */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  if (isTooDeep(text, levels)) throw new JsonDepthError(levels);
  return JSON.parse(text);
}

/** Like `parse`, but returns `undefined` where that throws. */
export function parseJsonIfValid(text: string, parse: (text: string) => unknown = parseJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A number whose digits JavaScript would change: `formatJson` prints it as it came. Everywhere else it is the nearest number. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

/** The same as {@link parseJson}, with an {@link ExactNumber} for each such number. */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text);
  if (!hasInexactNumber(text)) return value;
  const tokens = tokensOf(text);
  const next = (): string => tokens.next().value ?? '';
  const build = (token: string): unknown => {
    if (token === '[') {
      const list: unknown[] = [];
      for (let first = next(); first !== ']'; first = next()) list.push(build(first));
      return list;
    }
    if (token === '{') {
      const members: [string, unknown][] = [];
      for (let name = next(); name !== '}'; name = next())
        members.push([String(JSON.parse(name)), build(next())]);
      return Object.fromEntries(members);
    }
    return isNumberPart(token.charCodeAt(0)) && isInexact(token) ? new ExactNumber(token) : JSON.parse(token);
  };
  return build(next());
}

/** The end of a sentence about a text that {@link parseJson} has thrown for: "is not JSON". */
export function describeJsonError(error: unknown): string {
  return error instanceof JsonDepthError ? `is ${error.message}` : 'is not JSON';
}

const [quote, backslash, comma] = ['"'.charCodeAt(0), '\\'.charCodeAt(0), ','.charCodeAt(0)];
/** `[` and `{` differ in this one bit, as `]` and `}` do: a set of two takes twice the time of the parser itself. */
const braceBit = 0x20;
const [minus, zero, nine] = ['-'.charCodeAt(0), '0'.charCodeAt(0), '9'.charCodeAt(0)];
const [opening, closing] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];

/** In one pass and without a stack of its own. In a text that is not JSON it may find any depth. */
function isTooDeep(text: string, levels: number): boolean {
  // A level takes two brackets. Most texts have fewer, inside strings and outside.
  if (text.length <= 2 * levels) return false;
  if (countOf(text, '{', levels) + countOf(text, '[', levels) <= levels) return false;
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if ((code | braceBit) === opening) {
      level += 1;
      if (level > levels) return true;
    } else if ((code | braceBit) === closing) level -= 1;
  }
  return false;
}

/** Whether building the text would make more than so many values, as far as commas and brackets say; in a text that is not JSON, any. */
export function hasMoreValues(text: string, most: number): boolean {
  let count = 1;
  for (let at = 0; at < text.length && count <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || (code | braceBit) === opening) count += 1;
  }
  return count > most;
}

/** How often the character occurs in the text. Stops counting above `most`. */
export function countOf(text: string, character: string, most = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= most; at = text.indexOf(character, at + 1))
    count++;
  return count;
}

/** The index of the closing quote of the string that starts at `from`; the text's length if there is none. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

function hasInexactNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isNumberPart(code)) {
      const end = endOfWord(text, at);
      if (isInexact(text.slice(at, end))) return true;
      at = end - 1;
    }
  }
  return false;
}

/** The strings, numbers, words and brackets of a text that is JSON. */
function* tokensOf(text: string): Generator<string, undefined> {
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    const end =
      character === '"' ? endOfString(text, at) + 1 : /[-\w]/.test(character) ? endOfWord(text, at) : at + 1;
    if (!/[\s,:]/.test(character)) yield text.slice(at, end);
    at = end;
  }
  return undefined;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (/[-+.\w]/.test(text.charAt(end))) end++;
  return end;
}

function isNumberPart(code: number): boolean {
  return code === minus || (code >= zero && code <= nine);
}

/** 9007199254740993, 1e400, 1.10 and -0. */
function isInexact(digits: string): boolean {
  return JSON.stringify(Number(digits)) !== digits;
}

export interface JsonFormat {
  readonly indent?: number | undefined;
  /** Changes a text, a name or a number before it is escaped. `place` says where it is: `customFields[0].value of IEAAAAAQKQAB5BNG`. */
  readonly change?: (text: string, place: () => string) => string;
}

/** Formats as `JSON.stringify` does, except that numbers are printed as they came. */
export function formatJson(value: unknown, { indent = 0, change = (text) => text }: JsonFormat = {}): string {
  /** The objects and lists around the value, outermost first, with the name or index in each. */
  const path: { holder: object; at: string | number }[] = [];
  const place = () => describePlace(path);
  const format = (given: unknown, margin: string): string | undefined => {
    const part = given instanceof ExactNumber ? given : formOf(given);
    if (typeof part === 'string') return JSON.stringify(change(part, place));
    if (typeof part === 'number' || part instanceof ExactNumber) {
      const text = part instanceof ExactNumber ? part.text : JSON.stringify(part);
      const changed = change(text, place);
      return changed === text ? text : JSON.stringify(changed);
    }
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const inner = margin + ' '.repeat(indent);
    if (Array.isArray(part))
      return join(
        '[',
        ']',
        part.map((one, at) => within(part, at, () => format(one, inner)) ?? 'null'),
        margin,
      );
    const members = Object.entries(part).flatMap(([name, one]) =>
      within(part, name, () => {
        const text = format(one, inner);
        if (text === undefined) return [];
        return [`${JSON.stringify(change(name, place))}:${indent > 0 ? ' ' : ''}${text}`];
      }),
    );
    return join('{', '}', members, margin);
  };
  const within = <T>(holder: object, at: string | number, run: () => T): T => {
    path.push({ holder, at });
    const result = run();
    path.pop();
    return result;
  };
  const join = (open: string, close: string, parts: readonly string[], margin: string): string => {
    if (parts.length === 0 || indent === 0) return open + parts.join(',') + close;
    const lineBreak = `\n${margin}${' '.repeat(indent)}`;
    return `${open}${lineBreak}${parts.join(`,${lineBreak}`)}\n${margin}${close}`;
  };
  return format(value, '') ?? 'null';
}

/** From the outermost record with an id on. */
function describePlace(path: readonly { readonly holder: object; readonly at: string | number }[]): string {
  const idOf = (holder: object) => ('id' in holder && typeof holder.id === 'string' ? holder.id : undefined);
  const record = path.findIndex(({ holder }) => idOf(holder) !== undefined);
  const inside = path.slice(Math.max(0, record));
  const text = inside.map(({ at }) => (typeof at === 'number' ? `[${at}]` : `.${at}`)).join('');
  const id = path[record] && idOf(path[record].holder);
  return `${text.replace(/^\./, '') || 'value'}${id === undefined ? '' : ` of ${id}`}`;
}

/** A date or a failure says itself what it is in JSON. */
function formOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === 'function' ? toJSON.call(value) : value;
}
