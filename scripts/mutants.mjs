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
const skipped = new Set(['loc', 'leadingComments', 'trailingComments', 'innerComments', 'extra']);

/** In the order of the text: `start` and `end` of the change, its line, and its replacement. */
export function listMutants(source) {
  const mutants = [];
  const textOf = ({ start, end }) => source.slice(start, end);
  const change = (node, replacement) =>
    mutants.push({ start: node.start, end: node.end, line: node.loc.start.line, replacement });
  const operator = (node, other) => change(node, `${textOf(node.left)} ${other} ${textOf(node.right)}`);

  function visit(node, parent) {
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        change(node.test, 'true');
        change(node.test, 'false');
        break;
      case 'BinaryExpression':
        for (const other of binary[node.operator] ?? []) operator(node, other);
        break;
      case 'LogicalExpression':
        if (node.operator === '??') change(node, textOf(node.left));
        else operator(node, node.operator === '&&' ? '||' : '&&');
        break;
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-') change(node, textOf(node.argument));
        break;
      case 'BooleanLiteral':
        change(node, String(!node.value));
        break;
      case 'NumericLiteral':
        if (parent.key !== node) change(node, String(node.value + 1));
        break;
      case 'ExpressionStatement':
      case 'ThrowStatement':
      case 'ContinueStatement':
        change(node, ';');
        break;
      case 'Identifier':
        if (
          parent.type === 'MemberExpression' &&
          parent.property === node &&
          Object.hasOwn(methods, node.name)
        )
          change(node, methods[node.name]);
        break;
      default:
    }
    for (const [key, value] of Object.entries(node)) {
      if (skipped.has(key)) continue;
      // Types contain literals too, but never run.
      for (const child of [value].flat())
        if (typeof child?.type === 'string' && !/^TS(?!NonNull|As|Satisfies)|^Import/.test(child.type))
          visit(child, node);
    }
  }
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program, {});
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}
