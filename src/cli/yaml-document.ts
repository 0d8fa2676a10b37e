// Reads and writes YAML, as a plain tree with line numbers: no other file depends on the library, which is loaded on demand.

import * as yaml from 'yaml';

/** `value`: as parsed JSON would be. */
export type YamlNode = { readonly line: number; readonly value: unknown } & (
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'list'; readonly items: readonly YamlNode[] }
  | { readonly kind: 'map'; readonly members: readonly YamlMember[] }
);

interface YamlMember {
  readonly name: string;
  readonly line: number;
  readonly value: YamlNode;
}

export interface YamlProblem {
  readonly line: number;
  readonly message: string;
}

type YamlResult =
  | { readonly root: YamlNode }
  | { readonly problems: readonly [YamlProblem, ...YamlProblem[]] };

/** With its dashes. The library compiles a regular expression as long as the indentation, and some thousand would end the process. */
const deepestIndent = 200;
const deepestNesting = 20;

/** A document of lists, maps, texts, numbers and booleans. Aliases and tags are problems: they make a small file huge. */
export function parseYaml(text: string): YamlResult {
  const deepLine = findTooDeep(text);
  if (deepLine !== undefined)
    return problem(deepLine, `is indented by more than ${deepestIndent} characters`);
  const lines = new yaml.LineCounter();
  const lineOf = (offset: number) => Math.max(1, lines.linePos(offset).line);
  try {
    const document = yaml.parseDocument(text, {
      lineCounter: lines,
      // The library's check takes quadratic time.
      uniqueKeys: false,
      version: '1.2',
      schema: 'core',
      prettyErrors: false,
      // With `silent` the library ignores a second document.
      logLevel: 'error',
    });
    const [first, ...more] = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
      line: lineOf(pos[0]),
      message:
        code === 'MULTIPLE_DOCS'
          ? 'a second document begins; wm reads one'
          : (message.split('\n', 1)[0] ?? message),
    }));
    // The library catches its own stack overflow; later errors are not the file's mistakes.
    if (first?.message.startsWith('Maximum call stack')) return problem(first.line, 'is nested too deeply');
    if (first !== undefined) return { problems: [first, ...more] };
    if (document.contents === null) return problem(1, 'the file is empty');
    return { root: toTree(document.contents, { lineOf, line: 1, depth: 0 }) };
  } catch (error) {
    if (error instanceof YamlError) return problem(error.line, error.message);
    if (error instanceof RangeError) return problem(1, 'is nested too deeply');
    throw error;
  }
}

function problem(line: number, message: string): YamlResult {
  return { problems: [{ line, message }] };
}

class YamlError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

interface Position {
  readonly lineOf: (offset: number) => number;
  /** The line of a node without its own position: an empty value. */
  readonly line: number;
  readonly depth: number;
}

function toTree(node: yaml.Node | null, position: Position): YamlNode {
  const { lineOf, depth } = position;
  const line = node?.range ? lineOf(node.range[0]) : position.line;
  if (node === null) return { kind: 'scalar', line, value: null };
  if (depth > deepestNesting) throw new YamlError(line, 'is nested too deeply');
  if (yaml.isAlias(node))
    throw new YamlError(line, `*${node.source} is an alias, which wm does not read here`);
  if (node.tag !== undefined) throw new YamlError(line, `${node.tag} is a tag, which wm does not read here`);
  const inner = { lineOf, line, depth: depth + 1 };
  if (yaml.isSeq<yaml.Node | null>(node)) {
    const items = node.items.map((item) => toTree(item, inner));
    return { kind: 'list', line, items, value: items.map(({ value }) => value) };
  }
  if (yaml.isMap<yaml.Node | null, yaml.Node | null>(node)) {
    const linesByName = new Map<string, number>();
    const members = node.items.map(({ key, value }): YamlMember => {
      const keyNode = toTree(key, inner);
      if (keyNode.kind !== 'scalar') throw new YamlError(keyNode.line, 'a key must be a word');
      const { line: keyLine } = keyNode;
      const name = String(keyNode.value);
      const earlier = linesByName.get(name);
      if (earlier !== undefined)
        throw new YamlError(keyLine, `${JSON.stringify(name)} is given twice; first on line ${earlier}`);
      linesByName.set(name, keyLine);
      return { name, line: keyLine, value: toTree(value, { ...inner, line: keyLine }) };
    });
    const values = members.map(({ name, value }) => [name, value.value] as const);
    return { kind: 'map', line, members, value: Object.fromEntries(values) };
  }
  const { value } = yaml.isScalar(node) ? node : { value: undefined };
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return { kind: 'scalar', line, value };
  throw new YamlError(line, 'is neither a text, a number, a boolean, a list nor a map');
}

function findTooDeep(text: string): number | undefined {
  const lines = text.split('\n');
  const index = lines.findIndex((line) => (/^[\s\-?:]*/.exec(line)?.[0].length ?? 0) > deepestIndent);
  return index === -1 ? undefined : index + 1;
}

interface YamlItem {
  readonly comment: string;
  readonly content: object;
}

/** Formats a map with a list of commented items. `inline`: the members of an item that take one line. */
export function formatYaml(
  comment: string,
  members: Readonly<Record<string, unknown>>,
  list: string,
  items: readonly YamlItem[],
  inline: readonly string[],
): string {
  const document = new yaml.Document({ ...members, [list]: items.map(({ content }) => content) });
  document.commentBefore = indent(comment);
  const node = document.get(list);
  if (yaml.isSeq<yaml.Node>(node))
    for (const [index, item] of node.items.entries()) {
      item.commentBefore = indent(items[index]?.comment ?? '');
      item.spaceBefore = index > 0;
      for (const name of inline) {
        const member = yaml.isMap(item) ? item.get(name, true) : undefined;
        if (yaml.isCollection(member)) member.flow = true;
      }
    }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Formats any value below a comment. The members of listed records take one line each. */
export function formatYamlValue(comment: string, value: unknown): string {
  const document = new yaml.Document(value);
  document.commentBefore = indent(comment);
  flowBelow(document.contents, 3);
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

function flowBelow(node: unknown, levels: number): void {
  if (!yaml.isCollection(node)) return;
  if (levels === 0) node.flow = true;
  for (const item of node.items) flowBelow(yaml.isPair(item) ? item.value : item, levels - 1);
}

/** The library adds only the number sign. A line break must not end the comment. */
function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => ` ${line.replace(/[\p{C}\u2028\u2029]/gu, ' ')}`)
    .join('\n');
}
