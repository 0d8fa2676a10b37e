// Collects the problems of a webhook file with their lines, so that the user can correct all of them at once.

import type { YamlNode, YamlProblem } from '#cli/yaml-document.ts';
import { didYouMean } from '#contract/did-you-mean.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';

export class Problems {
  readonly #all: YamlProblem[] = [];

  get all(): readonly YamlProblem[] {
    return this.#all.toSorted((a, b) => a.line - b.line);
  }

  add(line: number, message: string): undefined {
    this.#all.push({ line, message });
  }

  /** The members of a map by name. An unknown one is a problem, with its reason or a suggestion. */
  members(
    node: YamlNode,
    subject: string,
    names: readonly string[],
    reasons: ReadonlyMap<string, string> = new Map(),
  ): ReadonlyMap<string, YamlNode> | undefined {
    if (node.kind !== 'map') return this.add(node.line, `${subject} is not a map (${names.join(', ')})`);
    for (const { name, line } of node.members) {
      if (names.includes(name)) continue;
      const suggestion = reasons.get(name) ?? didYouMean(name, names) ?? `It has: ${names.join(', ')}`;
      this.add(line, `${subject} has no ${formatValue(name)}. ${suggestion}`);
    }
    return new Map(node.members.map(({ name, value }) => [name, value]));
  }

  /** Undefined without a node, and so is {@link readEach}. */
  read<T>(node: YamlNode | undefined, name: string, validate: (value: unknown) => T): T | undefined {
    return node && this.check(node.line, name, () => validate(node.value));
  }

  /** Returns what `validate` returns. A {@link ValidationError} is a problem of the line. */
  check<T>(line: number, name: string | undefined, validate: () => T): T | undefined {
    try {
      return validate();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return this.add(line, name === undefined ? error.message : `${name}: ${error.message}`);
    }
  }

  readEach<T>(
    node: YamlNode | undefined,
    name: string,
    validate: (value: unknown) => T,
  ): readonly T[] | undefined {
    if (!node) return undefined;
    if (node.kind !== 'list') return this.add(node.line, `${name} is not a list`);
    if (node.items.length === 0) return this.add(node.line, `${name} is an empty list: leave it out`);
    return node.items.flatMap((item) => {
      const value = this.read(item, name, validate);
      return value === undefined ? [] : [value];
    });
  }
}
