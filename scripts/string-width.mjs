// An esbuild plugin that loads string-width with the first text that needs it: that takes longer than to print a short table.

const namespace = 'string-width';

export const stringWidth = {
  name: namespace,
  setup(builder) {
    // Tests leave packages outside their bundles.
    if (builder.initialOptions.packages === 'external') return;
    builder.onResolve({ filter: /^string-width$/ }, (asked) =>
      asked.namespace === namespace
        ? undefined
        : { path: 'on-demand', namespace, pluginData: asked.resolveDir },
    );
    builder.onLoad({ filter: /.*/, namespace }, ({ pluginData }) => ({
      contents: "let measure; export default (text) => (measure ??= require('string-width').default)(text);",
      resolveDir: pluginData,
    }));
  },
};
