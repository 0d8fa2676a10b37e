// The branches of a built file, each with the place in src/ that it was made of: both ways of an `if` (also where there is
// no `else`), both of `?:`, each operand of `&&`, `||` and `??`, each `case`. These are Istanbul's, but for values by
// default of parameters and for `??=` and its like, which V8 does not count.

import Module, { SourceMap } from 'node:module';
import { parse } from '@babel/parser';
import { walk } from '../proof/walk.mjs';

/** Where Node puts a program that `bin/wm.js` compiles: V8's offsets count from the start of the wrapper. */
export const wrapped = Module.wrap('|').indexOf('|');

/** How a branch is counted: the count at `at`, less the counts at `minus`, both offsets into the file. */
function branchesOf(node) {
  switch (node.type) {
    case 'IfStatement':
      return [
        { what: 'if', at: node.consequent.start, minus: [] },
        node.alternate
          ? { what: 'else', at: node.alternate.start, minus: [] }
          : { what: 'else', at: node.start, minus: [node.consequent.start] },
      ];
    case 'ConditionalExpression':
      return [
        { what: '? :, the first', at: node.consequent.start, minus: [] },
        { what: '? :, the second', at: node.alternate.start, minus: [] },
      ];
    case 'LogicalExpression':
      // `0 && (module.exports = ...)`, by which esbuild names the exports of a file.
      if (node.left.type === 'NumericLiteral') return [];
      // Of `a && b && c` each operand once.
      return [
        { what: `left of ${node.operator}`, at: node.left.start, minus: [], operand: node.left },
        { what: `right of ${node.operator}`, at: node.right.start, minus: [], operand: node.right },
      ].filter(({ operand }) => operand.type !== 'LogicalExpression');
    case 'SwitchStatement':
      return node.cases.map((one, index) => ({
        what: one.test ? `case ${index + 1}` : 'default',
        // An empty case is entered where the next one is.
        at: one.consequent[0]?.start ?? one.start,
        minus: [],
      }));
    default:
      return [];
  }
}

/** Below src/ of the clone, not of a package that comes with its own source map. */
const isOwn = (file) => /(?:^|\/)src\/.*\.ts$/.test(file ?? '') && !file.includes('node_modules/');

/**
 * All branches of the built `code` that come from src/: `file` (`src/...`), `line` and `column` from 1, `what`, a `key` that
 * is the same in every build, and how to count it.
 */
export function listBranches(code, map, isModule) {
  const program = parse(code, {
    sourceType: isModule ? 'module' : 'script',
    allowReturnOutsideFunction: true,
    errorRecovery: true,
  }).program;
  const sources = new SourceMap(map);
  const lines = [0];
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) lines.push(at + 1);
  const seen = new Map();
  const found = [];
  walk(program, (node) => {
    const branches = branchesOf(node);
    if (branches.length === 0) return;
    const { line, column } = node.loc.start;
    const origin = sources.findEntry(line - 1, column);
    if (!isOwn(origin.originalSource)) return;
    const file = origin.originalSource.replace(/^.*?(?=src\/)/, '');
    const place = `${file}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
    // What begins at one place is told apart by its order, which builds do not change.
    const operator = node.operator ?? '';
    const again = seen.get(`${place} ${node.type}${operator}`) ?? 0;
    seen.set(`${place} ${node.type}${operator}`, again + 1);
    for (const { what, at, minus } of branches) {
      found.push({
        file,
        line: origin.originalLine + 1,
        column: origin.originalColumn + 1,
        what,
        key: `${place} ${node.type}${operator} ${again} ${what}`,
        at,
        minus,
      });
    }
  });
  return found;
}

/** How many branches a file of src/ has by its own text: a build that has more or fewer was not measured right. */
export function countBranches(source) {
  let count = 0;
  const { program } = parse(source, { sourceType: 'module', plugins: ['typescript'] });
  walk(program, (node) => {
    count += branchesOf(node).length;
  });
  return count;
}
