// Resolves imports with `?inline`, as Vite does: the text of a style sheet, or of a bundled script. So the program contains its web
// pages, without extra files.

import { dirname, resolve } from 'node:path';
import { build } from 'esbuild';

export const inlineText = {
  name: 'inline-text',
  setup(builder) {
    builder.onResolve({ filter: /\?inline$/ }, ({ path, importer }) => ({
      path: resolve(dirname(importer), path.replace(/\?inline$/, '')),
      namespace: 'inline-text',
    }));
    builder.onLoad({ filter: /.*/, namespace: 'inline-text' }, async ({ path }) => {
      const { outputFiles, metafile } = await build({
        entryPoints: [path],
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        platform: 'browser',
        format: 'iife',
        target: ['chrome115', 'firefox115', 'safari16.4'],
        legalComments: 'none',
        logLevel: 'warning',
      });
      return { contents: outputFiles[0].text, loader: 'text', watchFiles: Object.keys(metafile.inputs) };
    });
  },
};
