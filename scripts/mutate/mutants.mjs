// The small changes that a mutation test makes to a source file, one at a time: which conditions, operators, numbers and
// statements there are to change, and to what. Words in quotation marks stay as they are: most are sentences for people.

import { parse } from '@babel/parser';
import { walk } from '../proof/walk.mjs';

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
  '&': ['|'],
  '|': ['&'],
};
const assignment = { '-=': '+=', '*=': '/=', '??=': '=' };
const methods = {
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};
/** Methods whose result is like what they are called on, so that they can be left out. */
const plain = new Set([
  'trim',
  'toLowerCase',
  'toUpperCase',
  'filter',
  'slice',
  'reverse',
  'toSorted',
  'toReversed',
]);

const isText = (node) => node.type === 'StringLiteral' || node.type === 'TemplateLiteral';
const isInPlace = (around, type) => around.at(-1)?.type === type;

/** Type annotations hold literals too, but nothing that runs. */
const isType = (node) => /^TS(?!NonNull|As|Satisfies)/.test(node.type);

/**
 * All changes to `source`: `start` and `end` of what is changed, what takes its place, and whether it is a statement.
 * In the order of the text, so that a number names the same change wherever the file is the same.
 */
export function listMutants(source) {
  const { program } = parse(source, {
    sourceType: 'module',
    plugins: ['typescript'],
    createParenthesizedExpressions: true,
  });
  const found = [];
  const textOf = (node) => source.slice(node.start, node.end);
  const change = (node, replacement, isStatement = false) =>
    found.push({ start: node.start, end: node.end, line: node.loc.start.line, replacement, isStatement });
  const operator = (node, other) => change(node, `${textOf(node.left)} ${other} ${textOf(node.right)}`);
  const condition = (test, ...values) => {
    for (const value of values) if (textOf(test) !== value) change(test, value);
  };

  walk(program, (node, around) => {
    if (isType(node) || node.type === 'ImportDeclaration') return false;
    const parent = around.at(-1);
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        condition(node.test, 'true', 'false');
        break;
      case 'WhileStatement':
      case 'DoWhileStatement':
        condition(node.test, 'false');
        break;
      case 'BinaryExpression':
        if (node.operator === '+') {
          if (!isText(node.left) && !isText(node.right)) operator(node, '-');
        } else for (const other of binary[node.operator] ?? []) operator(node, other);
        break;
      case 'LogicalExpression':
        if (node.operator === '??') change(node, textOf(node.left));
        else operator(node, node.operator === '&&' ? '||' : '&&');
        break;
      case 'UnaryExpression':
        if (node.operator === '!') change(node, textOf(node.argument));
        if (node.operator === '-') change(node, textOf(node.argument));
        break;
      case 'UpdateExpression': {
        const other = node.operator === '++' ? '--' : '++';
        const name = textOf(node.argument);
        change(node, node.prefix ? `${other}${name}` : `${name}${other}`);
        break;
      }
      case 'AssignmentExpression':
        if (Object.hasOwn(assignment, node.operator)) operator(node, assignment[node.operator]);
        break;
      case 'BooleanLiteral':
        change(node, String(!node.value));
        break;
      case 'NumericLiteral':
        if (!(parent?.type === 'ObjectProperty' && parent.key === node)) change(node, String(node.value + 1));
        break;
      case 'ExpressionStatement':
        if (!isText(node.expression) && node.expression.type !== 'StringLiteral') change(node, ';', true);
        break;
      case 'ThrowStatement':
      case 'ContinueStatement':
      case 'BreakStatement':
        // The compiler demands that a case ends.
        if (!isInPlace(around, 'SwitchCase')) change(node, ';', true);
        break;
      case 'CallExpression':
        mutateCall(node);
        break;
      case 'OptionalMemberExpression':
      case 'OptionalCallExpression':
        mutateChain(node, around);
        break;
      default:
    }
    return true;
  });
  const keys = new Set();
  return found
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .filter(({ start, end, replacement }) => {
      const key = `${start} ${end} ${replacement}`;
      return !keys.has(key) && keys.add(key);
    });

  function mutateCall(node) {
    const { callee } = node;
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const name = callee.property.name;
    if (Object.hasOwn(methods, name)) {
      const before = source.slice(node.start, callee.property.start);
      change(node, `${before}${methods[name]}${source.slice(callee.property.end, node.end)}`);
    }
    if (plain.has(name)) change(node, textOf(callee.object));
  }

  /** `a?.b.c` with a `.` in the place of `?.`: the chain is changed as a whole, since its end is skipped with its start. */
  function mutateChain(node, around) {
    if (!node.optional) return;
    const isLink = (one, inner) =>
      (one.type === 'OptionalMemberExpression' && one.object === inner) ||
      (one.type === 'OptionalCallExpression' && one.callee === inner);
    let whole = node;
    let at = around.length - 1;
    for (; at >= 0 && isLink(around[at], whole); at--) whole = around[at];
    if (around[at]?.type === 'UnaryExpression' && around[at].operator === 'delete') return;
    const head = node.type === 'OptionalMemberExpression' ? node.object : node.callee;
    const mark = source.indexOf('?.', head.end);
    const takesDot = node.type === 'OptionalMemberExpression' && !node.computed;
    change(
      whole,
      `${source.slice(whole.start, mark)}${takesDot ? '.' : ''}${source.slice(mark + 2, whole.end)}`,
    );
  }
}

/**
 * `source` with all of `mutants` in it, each behind a switch: `globalThis.wmMutant(id)` says whether it is on. One build then
 * serves all of them. Each mutant has an `id`.
 */
export function withMutants(source, mutants) {
  /** Those of one place belong together, the outer places before the inner ones. */
  const places = [];
  for (const mutant of mutants.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = places.at(-1);
    if (
      last &&
      last.start === mutant.start &&
      last.end === mutant.end &&
      last.isStatement === mutant.isStatement
    ) {
      last.mutants.push(mutant);
    } else places.push({ ...mutant, mutants: [mutant] });
  }
  let next = 0;
  function render(start, end) {
    let text = '';
    let at = start;
    while (next < places.length && places[next].start < end) {
      const place = places[next++];
      text += source.slice(at, place.start) + renderPlace(place);
      at = place.end;
    }
    return text + source.slice(at, end);
  }
  function renderPlace(place) {
    const original = render(place.start, place.end);
    const isOn = ({ id }) => `globalThis.wmMutant?.(${id})`;
    if (place.isStatement) return `{ if (!${isOn(place.mutants[0])}) { ${original} } }`;
    const choices = place.mutants.map((mutant) => `${isOn(mutant)} ? (${mutant.replacement}) : `);
    return `(${choices.join('')}(${original}))`;
  }
  return render(0, source.length);
}
