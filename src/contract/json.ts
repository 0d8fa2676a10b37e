// Parses and formats JSON: the only file that calls `JSON.parse`. It limits the depth first: JSON.stringify and the schemas call
// themselves for each level, so a few hundred kilobytes of brackets would exhaust the stack.

/** The service nests values less than ten levels deep. */
export const maxJsonDepth = 64;

/** The text may be JSON, but is nested too deeply. */
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

/** Throws a SyntaxError for text that is not JSON, and {@link JsonDepthError} if it has more levels. */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  if (isTooDeep(text, levels)) throw new JsonDepthError(levels);
  return JSON.parse(text);
}

export function parseJsonIfValid(text: string, parse: (text: string) => unknown = parseJson): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A number whose digits JavaScript would change: `formatJson` prints the original. Everything else uses the nearest number. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

/** Like {@link parseJson}, but returns an {@link ExactNumber} for each number whose digits JavaScript would change. */
export function parseExactJson(text: string): unknown {
  const value = parseJson(text);
  if (!hasInexactNumber(text)) return value;
  const tokens = readTokens(text);
  const next = (): string => {
    const token = tokens.next().value ?? '';
    return token === ',' || token === ':' ? next() : token;
  };
  const build = (token: string): unknown => {
    if (token === '[') {
      const list: unknown[] = [];
      for (let item = next(); item !== ']'; item = next()) list.push(build(item));
      return list;
    }
    if (token === '{') {
      const members: [string, unknown][] = [];
      for (let name = next(); name !== '}'; name = next())
        members.push([String(JSON.parse(name)), build(next())]);
      return Object.fromEntries(members);
    }
    return /^[-\d]/.test(token) && isInexact(token) ? new ExactNumber(token) : JSON.parse(token);
  };
  return build(next());
}

/** The end of a sentence about a text that {@link parseJson} rejects: "is not JSON". */
export function describeJsonError(error: unknown): string {
  return error instanceof JsonDepthError ? `is ${error.message}` : 'is not JSON';
}

const [quote, backslash, comma] = ['"'.charCodeAt(0), '\\'.charCodeAt(0), ','.charCodeAt(0)];
/** `[` and `{` differ in this bit only, and so do `]` and `}`. Looking each up in a set would take twice the time of the parser. */
const braceBit = 0x20;
const [opening, closing] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];

/** One pass without a stack. The result for text that is not JSON is arbitrary. */
function isTooDeep(text: string, levels: number): boolean {
  // A level takes two brackets. Most texts have fewer, even with those in strings.
  if (text.length <= 2 * levels) return false;
  if (countOccurrences(text, '{', levels) + countOccurrences(text, '[', levels) <= levels) return false;
  let level = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if ((code | braceBit) === opening) {
      level += 1;
      if (level > levels) return true;
    } else if ((code | braceBit) === closing) level -= 1;
  }
  return false;
}

/** Whether parsing would create more than `max` values, judged by commas and brackets. Arbitrary for text that is not JSON. */
export function hasMoreValues(text: string, max: number): boolean {
  let count = 1;
  for (let index = 0; index < text.length && count <= max; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) index = endOfString(text, index);
    else if (code === comma || (code | braceBit) === opening) count += 1;
  }
  return count > max;
}

export function countOccurrences(text: string, character: string, max = Number.POSITIVE_INFINITY): number {
  let count = 0;
  for (
    let index = text.indexOf(character);
    index !== -1 && count <= max;
    index = text.indexOf(character, index + 1)
  )
    count++;
  return count;
}

/** The index of the closing quote of the string that starts at `from`, or the text's length. */
export function endOfString(text: string, from: number): number {
  for (let index = text.indexOf('"', from + 1); index !== -1; index = text.indexOf('"', index + 1)) {
    let escapes = 0;
    while (text.charCodeAt(index - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return index;
  }
  return text.length;
}

/** A number outside of a string is the whole text between these characters. Inside of one, a few texts look the same. */
const numbers = /(?:^|[[:,])\s*(-?\d[-+.\w]*)\s*(?=$|[\]},])/g;

/** May be true for a number in a string too: then parsing is only slower. */
function hasInexactNumber(text: string): boolean {
  for (const [, digits = ''] of text.matchAll(numbers)) if (isInexact(digits)) return true;
  return false;
}

/** Yields all of valid JSON but white space. */
function* readTokens(text: string): Generator<string, void> {
  for (let index = 0; index < text.length; ) {
    const character = text.charAt(index);
    const end =
      character === '"'
        ? endOfString(text, index) + 1
        : /[-\w]/.test(character)
          ? endOfWord(text, index)
          : index + 1;
    if (!/\s/.test(character)) yield text.slice(index, end);
    index = end;
  }
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (/[-+.\w]/.test(text.charAt(end))) end++;
  return end;
}

/** True for 9007199254740993, 1e400, 1.10 and -0. */
function isInexact(digits: string): boolean {
  return JSON.stringify(Number(digits)) !== digits;
}

/** The first name that an object of this valid JSON has twice, compared without escapes. `value`: the parsed text, if known. */
export function findDuplicateKey(json: string, value?: unknown): string | undefined {
  // Each member has a colon. With as many colons as members, the parser has dropped none.
  if (value !== undefined && countOccurrences(json, ':') === countMembers(value)) return undefined;
  /** The names of each open object; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let expectsName = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') {
      const from = index;
      index = endOfString(json, from);
      if (!expectsName || !names) continue;
      const text = json.slice(from + 1, index);
      const name = text.includes('\\') ? String(parseJson(`"${text}"`)) : text;
      if (names.has(name)) return name;
      names.add(name);
      expectsName = false;
    } else if (character === '{' || character === '[') {
      names = character === '{' ? new Set() : undefined;
      open.push(names);
      expectsName = character === '{';
    } else if (character === '}' || character === ']') {
      open.pop();
      names = open.at(-1);
    } else if (character === ',') expectsName = names !== undefined;
  }
  return undefined;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  let count = Array.isArray(value) ? 0 : parts.length;
  for (const part of parts) if (typeof part === 'object') count += countMembers(part);
  return count;
}

interface JsonFormat {
  readonly indent?: number | undefined;
  /** Changes a text, a name or a number before it is escaped. `describePath`: `customFields[0].value of IEAAAAAQKQAB5BNG`. */
  readonly change?: (text: string, describePath: () => string) => string;
}

/** Formats like `JSON.stringify`, but prints each {@link ExactNumber} in its original form. */
export function formatJson(value: unknown, { indent = 0, change = (text) => text }: JsonFormat = {}): string {
  const path: PathStep[] = [];
  const describe = () => describePath(path);
  const format = (input: unknown, margin: string): string | undefined => {
    const part = input instanceof ExactNumber ? input : callToJson(input);
    if (typeof part === 'string') return JSON.stringify(change(part, describe));
    if (typeof part === 'number' || part instanceof ExactNumber) {
      const text = part instanceof ExactNumber ? part.text : JSON.stringify(part);
      const changed = change(text, describe);
      return changed === text ? text : JSON.stringify(changed);
    }
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const inner = margin + ' '.repeat(indent);
    if (Array.isArray(part))
      return join(
        '[',
        ']',
        part.map((item, index) => within(part, index, () => format(item, inner)) ?? 'null'),
        margin,
      );
    const members = Object.entries(part).flatMap(([name, member]) =>
      within(part, name, () => {
        const text = format(member, inner);
        if (text === undefined) return [];
        return [`${JSON.stringify(change(name, describe))}:${indent > 0 ? ' ' : ''}${text}`];
      }),
    );
    return join('{', '}', members, margin);
  };
  const within = <T>(container: object, key: string | number, run: () => T): T => {
    path.push({ container, key });
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

interface PathStep {
  readonly container: object;
  readonly key: string | number;
}

/** Starts at the outermost record with an id. */
function describePath(path: readonly PathStep[]): string {
  const idOf = (container: object) =>
    'id' in container && typeof container.id === 'string' ? container.id : undefined;
  const record = path.findIndex(({ container }) => idOf(container) !== undefined);
  const steps = path.slice(Math.max(0, record));
  const text = steps.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  const id = path[record] && idOf(path[record].container);
  return `${text.replace(/^\./, '') || 'value'}${id === undefined ? '' : ` of ${id}`}`;
}

/** A date or a failure has its own form in JSON. */
function callToJson(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === 'function' ? toJSON.call(value) : value;
}

/** Indents JSON without changing its values: printing it would round long numbers and drop duplicate names. `undefined` if it is not JSON. */
export function reindentJson(text: string): string | undefined {
  if (text.trim() !== 'null' && parseJsonIfValid(text) == null) return undefined;
  let indented = '';
  let level = 0;
  let previous = '';
  for (const token of readTokens(text)) {
    const isFirst = previous === '{' || previous === '[';
    const closes = token === '}' || token === ']';
    if (closes) level--;
    // An empty list or object has no line break.
    if (closes !== isFirst || previous === ',') indented += `\n${'  '.repeat(level)}`;
    indented += token === ':' ? ': ' : token;
    if (token === '{' || token === '[') level++;
    previous = token;
  }
  return indented;
}
