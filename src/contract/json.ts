// Reads and formats JSON, whoever wrote it: the only place that calls `JSON.parse`. The depth is limited before anything sees the
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

/** Throws a SyntaxError for what is not JSON, and {@link JsonDepthError} for more levels. */
export function parseJson(text: string, levels = maxJsonDepth): unknown {
  if (isTooDeep(text, levels)) throw new JsonDepthError(levels);
  return JSON.parse(text);
}

/** The same for a text of which nothing needs to be said: `undefined` where {@link parseJson} throws, never otherwise. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The end of a sentence about a text that {@link parseJson} has thrown for: "is not JSON". */
export function describeJsonError(error: unknown): string {
  return error instanceof JsonDepthError ? `is ${error.message}` : 'is not JSON';
}

const [quote, backslash] = ['"'.charCodeAt(0), '\\'.charCodeAt(0)];
/** `[` and `{` differ in this one bit, as `]` and `}` do: a set of two takes twice the time of the parser itself. */
const braceBit = 0x20;
const [opening, closing] = ['{'.charCodeAt(0), '}'.charCodeAt(0)];

/** In one pass and without a stack of its own. In a text that is not JSON it may find any depth. */
function isTooDeep(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
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

/** Where the closing quote of the string that starts at `from` is; the length of the text where there is none. */
export function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

export interface JsonFormat {
  readonly indent?: number | undefined;
  /** Changes a text, a name or a number before it is escaped. `member` is the name of the member that holds it. */
  readonly change?: (text: string, member: string) => string;
}

/** As `JSON.stringify` formats it. */
export function formatJson(value: unknown, { indent = 0, change = (text) => text }: JsonFormat = {}): string {
  const format = (given: unknown, member: string, margin: string): string | undefined => {
    const part = formOf(given);
    if (typeof part === 'string') return JSON.stringify(change(part, member));
    if (typeof part === 'number') {
      const text = JSON.stringify(part);
      const changed = change(text, member);
      return changed === text ? text : JSON.stringify(changed);
    }
    if (typeof part !== 'object' || part === null) return JSON.stringify(part);
    const inner = margin + ' '.repeat(indent);
    if (Array.isArray(part))
      return join(
        '[',
        ']',
        part.map((one) => format(one, member, inner) ?? 'null'),
        margin,
      );
    const members = Object.entries(part).flatMap(([name, one]) => {
      const text = format(one, name, inner);
      return text === undefined
        ? []
        : [`${JSON.stringify(change(name, name))}:${indent > 0 ? ' ' : ''}${text}`];
    });
    return join('{', '}', members, margin);
  };
  const join = (open: string, close: string, parts: readonly string[], margin: string): string => {
    if (parts.length === 0 || indent === 0) return open + parts.join(',') + close;
    const lineBreak = `\n${margin}${' '.repeat(indent)}`;
    return `${open}${lineBreak}${parts.join(`,${lineBreak}`)}\n${margin}${close}`;
  };
  return format(value, 'value', '') ?? 'null';
}

/** A date or a failure says itself what it is in JSON. */
function formOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  const { toJSON } = value;
  return typeof toJSON === 'function' ? toJSON.call(value) : value;
}
