// Makes the small changes of a mutation test, one at a time. Does not change string literals, because most are sentences for users.

import { parse } from '@babel/parser';

const binary = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
};
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
};
const ofCondition = ({ test }) => replace(test, 'true', 'false');
const ofStatement = (node) => replace(node, ';');
/** The changes of a node, by its type. `text` returns the source of a node. */
const changes = {
  IfStatement: ofCondition,
  ConditionalExpression: ofCondition,
  BinaryExpression: (node, text) => withOperators(node, text, binary[node.operator] ?? []),
  LogicalExpression: (node, text) =>
    node.operator === '??'
      ? replace(node, text(node.left))
      : withOperators(node, text, [node.operator === '&&' ? '||' : '&&']),
  UnaryExpression: (node, text) =>
    node.operator === '!' || node.operator === '-' ? replace(node, text(node.argument)) : [],
  BooleanLiteral: (node) => replace(node, String(!node.value)),
  NumericLiteral: (node) => replace(node, String(node.value + 1)),
  ExpressionStatement: ofStatement,
  ThrowStatement: ofStatement,
  ContinueStatement: ofStatement,
  MemberExpression: ({ property }) =>
    Object.hasOwn(methods, property.name ?? '') ? replace(property, methods[property.name]) : [],
};
/** Types contain literals too, but never run. */
const runs = (node) =>
  typeof node?.type === 'string' && !/^TS(?!NonNull|As|Satisfies)|^Import/.test(node.type);

function replace({ start, end, loc }, ...replacements) {
  return replacements.map((replacement) => ({ start, end, line: loc.start.line, replacement }));
}

function withOperators(node, text, operators) {
  return replace(node, ...operators.map((other) => `${text(node.left)} ${other} ${text(node.right)}`));
}

/**
 * In the order of the text: `start` and `end` of the change, its line, and its replacement.
 * @returns {{ start: number, end: number, line: number, replacement: string }[]}
 */
export function listMutants(source) {
  const text = ({ start, end }) => source.slice(start, end);
  const visit = (node) => {
    // A number that is the name of a property stays.
    const { key: _name, ...rest } = node;
    const children = Object.values(node.computed ? node : rest)
      .flat()
      .filter(runs);
    return [...(changes[node.type]?.(node, text) ?? []), ...children.flatMap(visit)];
  };
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  return visit(program).toSorted((a, b) => a.start - b.start || a.end - b.end);
}
