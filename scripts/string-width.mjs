// An esbuild plugin for the width of text. Loads string-width with the first text that needs it: that takes longer than to print a short
// table. cli-table3 gets src/terminal/width.ts, because its own string-width is older and counts joined emoji as several characters.

import { createRequire } from 'node:module';

const namespace = 'string-width';
const contents = {
  onDemand: "let measure; export default (text) => (measure ??= require('string-width').default)(text);",
  forTable: "module.exports = require('./src/terminal/width.ts').displayWidth;",
};

/** For bundles of the clone in `root`. */
export const stringWidth = (root) => ({
  name: namespace,
  setup(builder) {
    const { resolve } = createRequire(`${root}package.json`);
    // Tests leave all other packages outside their bundles.
    const isTest = builder.initialOptions.packages === 'external';
    builder.onResolve({ filter: /^cli-table3$/ }, () => ({ path: resolve('cli-table3') }));
    builder.onResolve({ filter: /^string-width$/ }, (asked) => {
      if (/[\\/]cli-table3[\\/]/.test(asked.importer)) return { path: 'forTable', namespace };
      return isTest || asked.namespace === namespace ? undefined : { path: 'onDemand', namespace };
    });
    builder.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: contents[path],
      resolveDir: root,
    }));
  },
});
