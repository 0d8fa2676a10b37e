// Compares what a transcript says with what appeared. `{{kind}}` stands for text that varies, and says of which kind it
// is; `{{kind-2}}` is another of the kind. A name means the same text wherever it stands again.

const kinds: Readonly<Record<string, RegExp>> = {
  /** Of the main data centre: 127.0.0.1:PORT. */
  host: /127\.0\.0\.1:\d+/,
  /** A webhook's id. */
  hook: /IEAAAAAQW[A-Za-z0-9]{11}/,
  /** A moment, to the second or to the millisecond. */
  time: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/,
  /** A moment in the time zone of the machine. */
  local: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC[+-]\d\d:\d\d\)/,
  port: /\d{4,5}/,
  /** The folder that the session has as home. */
  home: /\/[\w/.-]+/,
  token: /[\w.-]{30,}/,
  state: /[\w-]{43}/,
  version: /\d+\.\d+\.\d+/,
  number: /\d+/,
};

const placeholder = /\{\{([a-z]+)(-\d+)?\}\}/g;
const anyLines = '...';

export type Known = ReadonlyMap<string, string>;

/** Puts what is known in the place of its name. Throws for a name that is not known yet. */
export function fill(text: string, known: Known): string {
  return text.replace(placeholder, (whole) => {
    const value = known.get(whole);
    if (value === undefined) throw new Error(`nothing has shown what ${whole} is`);
    return value;
  });
}

/** What is known afterwards, or nothing where the lines are not the expected ones. */
export function matchLines(
  expected: readonly string[],
  lines: readonly string[],
  known: Known,
): Known | undefined {
  const [wanted, ...more] = expected;
  const [line, ...rest] = lines;
  if (wanted === undefined) return line === undefined ? known : undefined;
  if (wanted === anyLines) {
    return (
      matchLines(more, lines, known) ?? (line === undefined ? undefined : matchLines(expected, rest, known))
    );
  }
  const learnt = line === undefined ? undefined : matchLine(wanted, line, known);
  return learnt && matchLines(more, rest, learnt);
}

function matchLine(expected: string, line: string, known: Known): Known | undefined {
  const names: string[] = [];
  const pattern = expected
    .split(/(\{\{[a-z]+(?:-\d+)?\}\})/)
    .map((part, index) => {
      if (index % 2 === 0) return literally(part);
      const value = known.get(part);
      if (value !== undefined) return literally(value);
      const at = names.indexOf(part);
      if (at !== -1) return `\\${at + 1}`;
      names.push(part);
      return `(${kindOf(part).source})`;
    })
    .join('');
  const found = new RegExp(`^${pattern}$`, 'u').exec(line);
  return found
    ? new Map([...known, ...names.map((name, at) => [name, found[at + 1] ?? ''] as const)])
    : undefined;
}

function kindOf(name: string): RegExp {
  const kind = kinds[/[a-z]+/.exec(name)?.[0] ?? ''];
  if (!kind) throw new Error(`${name} is of no kind that is known: ${Object.keys(kinds).join(', ')}`);
  return kind;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
